import { isPlainDate, type PlainDate } from '#shared/dates.ts'
import { asList, text } from '#shared/schemas.ts'
import { z } from 'zod'

/*
 * Filters of the lead list by custom fields, as texts, in addresses, saved views, and requests:
 * `12:empty`, `12:filled`, `12:is:3,4` (any of these choices), `12:not:3,4` (none of them), `12:is:yes`, `12:has:linen` (a text or a link contains it),
 * `12:in:5..10`, `12:in:..2026-12-31` (both ends included). The number before the colon is the ID of the field.
 */

interface Range<Value> {
  from?: Value
  to?: Value
}
export type CustomCondition =
  | { kind: 'empty' }
  | { kind: 'filled' }
  | { kind: 'choice'; ids: readonly number[]; isNot?: true }
  | { kind: 'yes_no'; yes: boolean }
  | { kind: 'text'; text: string }
  | ({ kind: 'number' } & Range<number>)
  | ({ kind: 'date' } & Range<PlainDate>)
export interface CustomFilter {
  field: number
  condition: CustomCondition
}

const idPattern = /^[1-9]\d{0,8}$/
const numberPattern = /^-?\d{1,15}(\.\d{1,6})?$/

/** Reads a filter; undefined if it isn’t one. */
export function readCustomFilter(filter: string): CustomFilter | undefined {
  const [, id, verb = '', value = ''] = /^(\d+):([a-z]+)(?::(.*))?$/su.exec(filter) ?? []
  const condition = id !== undefined && idPattern.test(id) ? readCondition(verb, value) : undefined
  return condition && { field: Number(id), condition }
}

function readCondition(verb: string, value: string): CustomCondition | undefined {
  switch (verb) {
    case 'empty':
    case 'filled':
      return value === '' ? { kind: verb } : undefined
    case 'has':
      return value === '' ? undefined : { kind: 'text', text: value }
    case 'is': {
      if (value === 'yes' || value === 'no') return { kind: 'yes_no', yes: value === 'yes' }
      return readChoices(value)
    }
    case 'not': {
      const choices = readChoices(value)
      return choices && { ...choices, isNot: true }
    }
    case 'in':
      return readRange(value)
    default:
      return undefined
  }
}

function readChoices(value: string): (CustomCondition & { kind: 'choice' }) | undefined {
  const ids = value.split(',')
  return ids.every((one) => idPattern.test(one)) ? { kind: 'choice', ids: ids.map(Number) } : undefined
}

function readRange(value: string): CustomCondition | undefined {
  const ends = value.split('..')
  const [from = '', to = ''] = ends
  if (ends.length !== 2 || (from === '' && to === '')) return undefined
  const given = [from, to].filter((end) => end !== '')
  if (given.every((end) => numberPattern.test(end)))
    return { kind: 'number', ...(from && { from: Number(from) }), ...(to && { to: Number(to) }) }
  if (given.every(isPlainDate)) return { kind: 'date', ...(from && { from }), ...(to && { to }) }
  return undefined
}

/** Returns the text of a filter. */
export function writeCustomFilter(field: number, condition: CustomCondition): string {
  switch (condition.kind) {
    case 'empty':
    case 'filled':
      return `${field}:${condition.kind}`
    case 'choice':
      return `${field}:${condition.isNot ? 'not' : 'is'}:${condition.ids.join(',')}`
    case 'yes_no':
      return `${field}:is:${condition.yes ? 'yes' : 'no'}`
    case 'text':
      return `${field}:has:${condition.text}`
    case 'number':
    case 'date':
      return `${field}:in:${condition.from ?? ''}..${condition.to ?? ''}`
  }
}

/** Up to 50 filters, all of which a lead must match. */
export const CustomFilters = z.preprocess(
  asList,
  z
    .array(
      text(300).refine(
        (filter) => readCustomFilter(filter) !== undefined,
        'Use a custom field and a condition, such as 12:in:5..10, 12:is:3, 12:not:3, 12:has:linen, 12:empty, or 12:filled.',
      ),
    )
    .min(1)
    .max(50)
    .optional(),
)
