import { z } from 'zod'
import { dayText, isPlainDate } from '#shared/dates.ts'
import { typedNumber } from '#shared/numbers.ts'
import { isWebAddress, recordId, text } from '#shared/schemas.ts'
import { completeUrl } from '#shared/urls.ts'

/* Fields of leads that a product defines, and their values. */

export const customFieldTypes = {
  text: 'Text',
  number: 'Number',
  choice: 'Choice',
  choices: 'Several choices',
  date: 'Date',
  yes_no: 'Yes or no',
  link: 'Link',
} as const
export type CustomFieldType = keyof typeof customFieldTypes
export const customFieldTypeNames = Object.keys(customFieldTypes) as [CustomFieldType, ...CustomFieldType[]]
export const hasChoices = (type: CustomFieldType): type is 'choice' | 'choices' =>
  type === 'choice' || type === 'choices'

export const mostCustomFields = 50
export const mostChoices = 100
/** Most characters of the name of a field or of a choice. */
export const longestName = 80
/** For how many days the values of a deleted field are kept. */
export const daysKept = 30
const longestText = 2000

const CustomChoice = z.object({
  id: z.number().int(),
  name: z.string(),
  /** Whether it can no longer be chosen; leads that have it keep it. */
  is_removed: z.boolean(),
})
export type CustomChoice = z.output<typeof CustomChoice>

export const CustomField = z.object({
  id: z.number().int(),
  product_id: z.number().int(),
  name: z.string(),
  type: z.enum(customFieldTypeNames),
  choices: z.array(CustomChoice),
  is_deleted: z.boolean(),
})
export type CustomField = z.output<typeof CustomField>

/** Different values of a column in a file, those of most rows first, ignoring case. */
const ProposedChoices = z.object({
  /** The first of those that can be the name of a choice, as many as a field can have. */
  names: z.array(z.string()),
  /** How many there are, with those that are left out. */
  count: z.number().int(),
})
export type ProposedChoices = z.output<typeof ProposedChoices>

/** A custom field that a column of a file can become, by all its values. */
export const ProposedField = z.object({
  type: z.enum(customFieldTypeNames),
  /** The whole values. */
  choice: ProposedChoices,
  /** Their parts, as a field with several choices reads them. */
  choices: ProposedChoices,
})
export type ProposedField = z.output<typeof ProposedField>

/** The ID of a choice is a number, those of several choices are in the order of the IDs. A date is `YYYY-MM-DD`. */
export const CustomValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.number())])
export type CustomValue = z.output<typeof CustomValue>

/** The values of a lead by the ID of their field. */
export const CustomValues = z.record(z.string(), CustomValue)
export type CustomValues = z.output<typeof CustomValues>

const fieldId = z.string().regex(/^[1-9]\d{0,8}$/, 'Use the ID of a custom field.')
/** The values that a request changes; null or an empty text clears one. */
export const CustomValuesInput = z.record(
  fieldId,
  z.union([text(longestText), z.number(), z.boolean(), z.array(recordId).max(mostChoices), z.null()]),
)
export type CustomValuesInput = z.output<typeof CustomValuesInput>

/** Name of a field’s value where it is beside the lead’s own fields: in history, conflicts, errors, and forms. */
export const nameOfCustomValue = (id: number | string): string => `custom_${id}`

/** A value that isn’t a list. */
type Single = string | number | boolean
type Definition = Pick<CustomField, 'type' | 'choices'>
export type ReadValue = { value: CustomValue | null } | { error: string }

const wrong = (error: string): ReadValue => ({ error })

function readNumber(typed: Single): ReadValue {
  const number = typedNumber(String(typed), 'decimals')
  if (number === undefined || !/^-?\d{1,15}(\.\d{1,6})?$/.test(number))
    return wrong('Enter a number with at most six decimals, such as 1200 or 12.5.')
  return { value: Number(number) }
}

/** Returns the names in a text of several choices, which commas or semicolons separate. */
export const splitChoices = (typed: string): string[] => typed.split(/[;,]/).map((one) => one.trim())

function readChoices({ type, choices }: Definition, typed: unknown, kept: unknown): ReadValue {
  const given =
    type === 'choices' && typeof typed === 'string'
      ? splitChoices(typed)
      : Array.isArray(typed)
        ? typed
        : [typed]
  // A lead keeps a choice that was removed.
  const keeps = new Set(Array.isArray(kept) ? kept : [kept])
  const ids: number[] = []
  for (const one of given.filter((each) => each !== '')) {
    const found =
      choices.find(
        ({ id, is_removed }) => (!is_removed || keeps.has(id)) && (id === one || String(id) === one),
      ) ??
      choices.find(({ name, is_removed }) => !is_removed && name.toLowerCase() === String(one).toLowerCase())
    if (!found) return wrong(`“${String(one)}” is none of the choices.`)
    ids.push(found.id)
  }
  if (type === 'choice') return ids.length > 1 ? wrong('Choose only one.') : { value: ids[0] ?? null }
  return { value: ids.length > 0 ? [...new Set(ids)].toSorted((a, b) => a - b) : null }
}

function readYesNo(typed: Single): ReadValue {
  const word = String(typed).trim().toLowerCase()
  if (['true', 'yes', 'y', '1'].includes(word)) return { value: true }
  if (['false', 'no', 'n', '0'].includes(word)) return { value: false }
  return wrong('Enter yes or no.')
}

/**
 * Reads a value of a field, as a request, a form, or a file has it; null if it is empty.
 * @param kept the lead’s value until now
 */
export function readCustomValue(field: Definition, typed: unknown, kept?: unknown): ReadValue {
  if (typed === null || typed === undefined || (typeof typed === 'string' && typed.trim() === ''))
    return { value: null }
  if (hasChoices(field.type)) {
    if (Array.isArray(typed) && field.type === 'choice') return wrong('Enter one value.')
    return readChoices(field, typed, kept)
  }
  return typeof typed === 'string' || typeof typed === 'number' || typeof typed === 'boolean'
    ? readSingle(field.type, typed)
    : wrong('Enter one value.')
}

function readSingle(type: CustomFieldType, typed: Single): ReadValue {
  switch (type) {
    case 'number':
      return typeof typed === 'boolean' ? wrong('Enter a number.') : readNumber(typed)
    case 'yes_no':
      return readYesNo(typed)
    case 'date':
      return typeof typed === 'string' && isPlainDate(typed)
        ? { value: typed }
        : wrong('Enter a date (YYYY-MM-DD).')
    case 'link': {
      const address = completeUrl(String(typed).trim())
      return isWebAddress(address) && address.length <= longestText
        ? { value: address }
        : wrong('Enter a URL that starts with http:// or https://.')
    }
    case 'text':
    case 'choice':
    case 'choices': {
      const read = text(longestText).safeParse(String(typed))
      return read.success ? { value: read.data } : wrong(read.error.issues[0]!.message)
    }
  }
}

/** Returns the text of a field’s value, which isn’t empty. */
export function customValueText({ type, choices }: Definition, value: unknown): string {
  const nameOf = (id: unknown) => choices.find((one) => one.id === id)?.name ?? `#${String(id)}`
  switch (type) {
    case 'number':
      return typeof value === 'number'
        ? value.toLocaleString('en-US', { maximumFractionDigits: 6 })
        : String(value)
    case 'choice':
    case 'choices':
      return (Array.isArray(value) ? value : [value]).map(nameOf).join(', ')
    case 'yes_no':
      return value === true ? 'Yes' : 'No'
    case 'date':
      return dayText(String(value))
    case 'link':
    case 'text':
      return String(value)
  }
}
