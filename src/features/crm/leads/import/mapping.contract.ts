import { z } from 'zod'
import type { DecimalMark } from '#shared/numbers.ts'
import { oneOf, recordId, requiredError, text } from '#shared/schemas.ts'
import { nameOfCustomValue, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'

/* The targets of the columns of a file. */

/** Targets for file columns: a lead field, an imported detail, or nothing. */
export const importTargets = {
  companyName: 'Company name',
  contactName: 'Contact name',
  first_name: 'First name',
  last_name: 'Last name',
  contact_role: 'Contact role',
  email: 'Email',
  phone: 'Phone',
  country: 'Country',
  timezone: 'Time zone',
  company_url: 'Website',
  reference: 'External ID',
  number: 'Number of an existing lead',
  status: 'Status',
  color: 'Priority',
  assign_to: 'Assignee',
  tag_ids: 'Tags',
  lead_date: 'Lead date',
  request_date: 'Request date',
  followup_date: 'Follow-up date',
  implement_date: 'Implementation date',
  lead_type: 'Type',
  demo_status: 'Demo',
  services: 'Service',
  hear_about: 'Source',
  cog_types: 'Types of goods',
  additional_info: 'Additional info',
  answer: 'Answer',
  join: 'Join',
  amount: 'Amount',
  currency: 'Currency',
  recurring: 'Billing',
  expected_close: 'Expected close',
  contact2_name: 'Second contact (new leads)',
  contact2_role: 'Role of second contact',
  contact2_email: 'Email of second contact',
  contact2_phone: 'Phone of second contact',
  detail: 'Keep as imported detail',
  skip: 'Don’t import',
} as const
export type ImportTarget = keyof typeof importTargets
/** A custom field as the target of a column: `custom_12`. */
const CustomTarget = z.templateLiteral(['custom_', z.int().positive()])
type CustomTarget = z.output<typeof CustomTarget>
export const ColumnTarget = z.union([
  z.enum(Object.keys(importTargets) as [ImportTarget, ...ImportTarget[]]),
  CustomTarget,
])
export type ColumnTarget = z.output<typeof ColumnTarget>

export const isCustomTarget = (target: ColumnTarget): target is CustomTarget => target.startsWith('custom_')
/** Returns the custom field that a column maps to; undefined if it maps to none of these. */
export const customFieldOf = (
  target: ColumnTarget,
  fields: readonly CustomField[],
): CustomField | undefined => fields.find(({ id }) => nameOfCustomValue(id) === target)

const dateTargets: readonly ColumnTarget[] = [
  'lead_date',
  'request_date',
  'followup_date',
  'implement_date',
  'expected_close',
]
/** Returns whether the field that a column maps to takes a day. */
export const takesDay = (target: ColumnTarget, fields: readonly CustomField[]): boolean =>
  dateTargets.includes(target) || customFieldOf(target, fields)?.type === 'date'

const dateOrder = z.enum(['day', 'month'])
/**
 * How a column writes days: with `day` or `month` first in dates such as 3/4/2026, as its other rows show;
 * `unclear` if they don't; `serial` if all its values are numbers of a spreadsheet.
 */
export const DateForm = z.enum([...dateOrder.options, 'unclear', 'serial'])
export type DateForm = z.output<typeof DateForm>
/** Returns whether dates of this form can be read only with an order of day and month. */
export const needsOrder = (form: DateForm | null | undefined): boolean => !!form && form !== 'serial'

/** Returns whether the field that a column maps to takes a number with decimals. */
export const takesNumber = (target: ColumnTarget, fields: readonly CustomField[]): boolean =>
  target === 'amount' || customFieldOf(target, fields)?.type === 'number'

const decimalMark = z.enum(['point', 'comma'])
/**
 * How a column writes numbers: with a `point` or a `comma` before the decimals; with `points` before three digits, as in
 * 1.500, which can be either; `unclear` if its rows differ.
 */
export const DecimalForm = z.enum([...decimalMark.options, 'points', 'unclear'])
export type DecimalForm = z.output<typeof DecimalForm>

/** Returns the mark before the decimals of a column; undefined if only the user can tell. */
export const proposedMark = (
  form: DecimalForm | null | undefined,
  target: ColumnTarget,
): DecimalMark | undefined => {
  if (form === 'unclear') return undefined
  // An amount has at most two decimals, so in 1.500 the point is before thousands.
  if (form === 'points') return target === 'amount' ? 'comma' : 'point'
  return form ?? 'point'
}

export const ImportMapping = z.object({
  lead_for: recordId,
  lead_type: oneOf(1, 2).default(1),
  /** One target for each column in the file, in order. */
  columns: z.array(ColumnTarget).min(1).max(100),
  /** For each column, whether dates such as 3/4/2026 have the day or the month first. */
  date_orders: z.array(dateOrder.nullable()).max(100).optional(),
  /** For each column, whether its decimals come after a point or a comma. */
  decimal_marks: z.array(decimalMark.nullable()).max(100).optional(),
  /** Values for rows whose file has none for a field, as a cell would have them. Tags are added to those of the row. */
  for_all: z
    .array(z.object({ field: ColumnTarget, value: text(2000).min(1, requiredError) }))
    .max(100)
    .optional(),
  /** The assignee of rows that name someone who isn’t an admin user; without it, these rows are errors. */
  unknown_assignee: z.union([z.literal('unassigned'), recordId]).optional(),
  /** What words of the file mean that no entry of the field’s list has; a word without an entry is left out. */
  words: z
    .array(
      z.object({
        field: ColumnTarget,
        word: text(200).min(1, requiredError),
        entry: text(200),
        /** Whether it is proposed, because the word meant the entry in an earlier import of the product. */
        remembered: z.literal(true).optional(),
      }),
    )
    .max(500)
    .optional(),
  /** Whether rows with the company name of another lead are left out, or create leads. */
  possible_duplicates: z.enum(['skip', 'import']).optional(),
})
export type ImportMapping = z.output<typeof ImportMapping>

/** Fields that tell rows apart, or that only new leads get, so that they aren’t set for all rows. */
const perRow: readonly ColumnTarget[] = [
  'companyName',
  'contactName',
  'first_name',
  'last_name',
  'contact_role',
  'email',
  'phone',
  'company_url',
  'reference',
  'number',
  'contact2_name',
  'contact2_role',
  'contact2_email',
  'contact2_phone',
  'detail',
  'skip',
]
/** Returns whether a field can be set for all rows of a file. */
export const canSetForAll = (target: ColumnTarget): boolean => !perRow.includes(target)
