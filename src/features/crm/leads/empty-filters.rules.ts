import { z } from 'zod'
import { asList } from '#shared/schemas.ts'

/* Filters of the lead list by fields with or without a value, as texts: `email:empty`, `email:filled`. */

/** The fields that can be empty, each with its bit in the column `filled`; null for tags, which have the column `has_tags`. */
export const emptiable = {
  contactName: 0,
  email: 1,
  phone: 2,
  country: 3,
  company_url: 4,
  assign_to: 5,
  followup_date: 6,
  request_date: 7,
  implement_date: 8,
  amount: 9,
  expected_close: 10,
  services: 11,
  hear_about: 12,
  tag_ids: null,
  reference: 13,
  additional_info: 14,
  cog_types: 15,
  other_contacts: 16,
  details: 17,
} as const
export type EmptiableField = keyof typeof emptiable
export const emptiableFields = Object.keys(emptiable) as EmptiableField[]

export type EmptyFilter = `${EmptiableField}:${'empty' | 'filled'}`

/** Returns the field of a condition, and whether it has to be empty. */
export function readEmptyFilter(filter: EmptyFilter): { field: EmptiableField; isEmpty: boolean } {
  const [field, state] = filter.split(':') as [EmptiableField, string]
  return { field, isEmpty: state === 'empty' }
}

/** Conditions on fields with or without a value, all of which a lead must match. */
export const EmptyFilters = z.preprocess(
  asList,
  z
    .array(
      z.enum(
        emptiableFields.flatMap((field): EmptyFilter[] => [`${field}:empty`, `${field}:filled`]),
        'Use a field and a condition, such as email:empty or email:filled.',
      ),
    )
    .min(1)
    .max(50)
    .optional(),
)
