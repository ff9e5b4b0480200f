import { z } from 'zod'
import {
  customValueText,
  nameOfCustomValue,
  readCustomValue,
  type CustomField,
  type CustomValue,
  type CustomValuesInput,
} from '#features/crm/leads/custom-fields.rules.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import type { Field } from '#shared/field.ts'
import { inputKinds } from '#shared/schemas.ts'
import type { RecordFields } from '#web/record/fieldWords.ts'

/*
 * Custom fields beside the fields of all leads, each under a separate name. The values of a lead, and those that a
 * request changes, are in `custom_values`.
 */

/** Returns the fields of a product that aren’t deleted. */
export const fieldsOfProduct = (fields: readonly CustomField[], product_id: number): CustomField[] =>
  fields.filter((one) => one.product_id === product_id && !one.is_deleted)

/** Returns a value as a control for it has it: the ID of a choice as text, yes or no in letters. */
export function valueInForm({ type }: CustomField, value: CustomValue | undefined): string | string[] {
  if (type === 'choices') return Array.isArray(value) ? value.map(String) : []
  if (type === 'yes_no') return value === undefined ? '' : value === true ? 'yes' : 'no'
  return value === undefined ? '' : String(value)
}

function inputOf(field: CustomField, kept: unknown): z.ZodType {
  const input = z.unknown().transform((typed, context) => {
    const read = readCustomValue(field, typed, kept)
    if (!('error' in read)) return read.value
    context.addIssue(read.error)
    return z.NEVER
  })
  return field.type === 'date' ? input.register(inputKinds, { kind: 'day' }) : input
}

/** Returns the declarations of custom fields for a form of a lead, and the schemas of their values. */
export function declareCustomFields(
  fields: readonly CustomField[],
  lead?: Pick<Lead, 'custom_values'>,
): { declared: Record<string, Field>; inputs: Record<string, z.ZodType> } {
  const named = fields.map((field) => [nameOfCustomValue(field.id), field] as const)
  return {
    declared: Object.fromEntries(
      named.map(([name, field]) => [
        name,
        {
          label: field.name,
          empty: field.type === 'choices' ? [] : '',
          formValue: ({ custom_values = {} }: Partial<Lead>) => valueInForm(field, custom_values[field.id]),
        },
      ]),
    ),
    inputs: Object.fromEntries(
      named.map(([name, field]) => [name, inputOf(field, lead?.custom_values[field.id])]),
    ),
  }
}

/**
 * Moves the values of custom fields into `custom_values`, where requests have them, and so the values that the user saw.
 * Without `base`, they are those of a new lead, of which empty ones are left out.
 */
export function foldCustomValues<Body extends object>(
  body: Body,
  fields: readonly CustomField[],
): Body & { custom_values?: CustomValuesInput } {
  const { base, ...values } = body as Record<string, unknown>
  const seen = base as Record<string, unknown> | undefined
  const custom: Record<string, unknown> = {}
  const customSeen: Record<string, unknown> = {}
  for (const { id } of fields) {
    const name = nameOfCustomValue(id)
    if (name in values && (seen || !isEmpty(values[name]))) custom[id] = values[name]
    if (seen && name in seen) customSeen[id] = seen[name]
    delete values[name]
  }
  return {
    ...values,
    ...(seen && { base: { ...seen, custom_values: customSeen } }),
    ...(Object.keys(custom).length > 0 && { custom_values: custom }),
  } as Body & { custom_values?: CustomValuesInput }
}

const isEmpty = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Returns the labels and formats of custom fields, for history, conflicts, and merges. */
export const customWords = (fields: readonly CustomField[]): RecordFields =>
  Object.fromEntries(
    fields.map((field) => [
      nameOfCustomValue(field.id),
      { label: field.name, words: (value: unknown) => customValueText(field, value) },
    ]),
  )
