import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, oneOf, plainDay, recordId, text, wholeNumber } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { stopReasons } from '#shared/operations.ts'
import { sizeInBytes } from '#shared/sizes.ts'
import {
  CustomValues,
  nameOfCustomValue,
  ProposedField,
  type CustomField,
} from '#features/crm/leads/custom-fields.rules.ts'
import { ContactInput } from '#features/crm/leads/contacts/contract.ts'
import { leadInputs } from '#features/crm/leads/input.contract.ts'

/** Targets for file columns: a lead field, an imported detail, or nothing. */
export const importTargets = {
  companyName: 'Company name',
  contactName: 'Contact name',
  email: 'Email',
  phone: 'Phone',
  country: 'Country',
  company_url: 'Website',
  reference: 'External ID',
  number: 'Number of an existing lead',
  lead_date: 'Lead date',
  request_date: 'Request date',
  followup_date: 'Follow-up date',
  services: 'Service',
  hear_about: 'Source',
  additional_info: 'Additional info',
  answer: 'Answer',
  join: 'Join',
  status: 'Status',
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
export type ColumnTarget = ImportTarget | CustomTarget

export const isCustomTarget = (target: ColumnTarget): target is CustomTarget => target.startsWith('custom_')
/** Returns the custom field that a column maps to; undefined if it maps to none of these. */
export const customFieldOf = (
  target: ColumnTarget,
  fields: readonly CustomField[],
): CustomField | undefined => fields.find(({ id }) => nameOfCustomValue(id) === target)

const dateTargets: readonly ColumnTarget[] = ['lead_date', 'request_date', 'followup_date', 'expected_close']
/** Returns whether the field that a column maps to takes a day. */
export const takesDay = (target: ColumnTarget, fields: readonly CustomField[]): boolean =>
  dateTargets.includes(target) || customFieldOf(target, fields)?.type === 'date'

const dateOrder = z.enum(['day', 'month'])
/**
 * How a column writes days: with `day` or `month` first in dates such as 3/4/2026, as its other rows show;
 * `unclear` if they don't; `serial` if all its values are numbers of a spreadsheet.
 */
const DateForm = z.enum([...dateOrder.options, 'unclear', 'serial'])
export type DateForm = z.output<typeof DateForm>
/** Returns whether dates of this form can be read only with an order of day and month. */
export const needsOrder = (form: DateForm | null | undefined): boolean => !!form && form !== 'serial'

export const ImportMapping = z.object({
  lead_for: recordId,
  lead_type: oneOf(1, 2).default(1),
  /** One target for each column in the file, in order. */
  columns: z
    .array(z.union([z.enum(Object.keys(importTargets) as [ImportTarget, ...ImportTarget[]]), CustomTarget]))
    .min(1)
    .max(100),
  /** For each column, whether dates such as 3/4/2026 have the day or the month first. */
  date_orders: z.array(dateOrder.nullable()).max(100).optional(),
})
export type ImportMapping = z.output<typeof ImportMapping>

/**
 * A file row as a lead: input that the form would accept, plus the key. A blank cell leaves its field
 * unchanged.
 */
export const ImportedLead = leadInputs
  .pick({
    companyName: true,
    contactName: true,
    email: true,
    phone: true,
    country: true,
    company_url: true,
    lead_date: true,
    request_date: true,
    followup_date: true,
    services: true,
    hear_about: true,
    additional_info: true,
    answer: true,
    join: true,
    status: true,
    amount: true,
    currency: true,
    recurring: true,
    expected_close: true,
  })
  .extend({
    reference: text(200),
    /** The number of the lead that the row changes. */
    number: z
      .string()
      .regex(/^#?\d{1,9}$/, 'Use the number of a lead, such as 482.')
      .transform((value) => Number(value.replace('#', ''))),
    /** Another person of a lead that the row creates; an existing lead keeps its contacts. */
    contact2_name: text(200),
    contact2_role: ContactInput.shape.role,
    contact2_email: ContactInput.shape.email,
    contact2_phone: ContactInput.shape.phone,
    /** The values of custom fields, as they are stored. */
    custom_values: CustomValues,
    details: z.array(
      z.object({ label: z.string(), value: z.string().max(10_000, 'Use 10,000 characters or fewer.') }),
    ),
  })
  .partial()
  .required({ companyName: true, details: true })
export type ImportedLead = z.output<typeof ImportedLead>

/** How a file was read: the encoding of a CSV, or as a workbook. */
const readAs = ['UTF-8', 'UTF-16', 'Windows-1252', 'Excel'] as const
export type ReadAs = (typeof readAs)[number]

const outcomes = ['create', 'update', 'duplicate', 'error'] as const
export type ImportOutcome = (typeof outcomes)[number]
const Counts = z.object({
  create: z.number().int(),
  update: z.number().int(),
  duplicate: z.number().int(),
  error: z.number().int(),
})

export const Import = z.object({
  id: z.number().int(),
  file_name: z.string(),
  read_as: z.enum(readAs),
  state: z.enum(['uploaded', 'checked', 'running', 'done', 'failed']),
  headers: z.array(z.string()),
  /** The first few rows, as a sample of each column. */
  sample: z.array(z.array(z.string())),
  row_count: z.number().int(),
  /** For each column, how it writes days; null if that leaves no choice. */
  date_forms: z.array(DateForm.nullable()),
  /** Guessed on upload; after a preview, the mapping that was sent with it. */
  mapping: ImportMapping,
  counts: Counts.nullable(),
  /** How many leads without an organization the previewed rows set to a won status. */
  wins_without: z.number().int(),
  /** Number of rows, out of row_count, processed so far while the import is running. */
  rows_done: z.number().int(),
  /** Where and why the import stopped before its end, and the user as whom it ran; null unless it failed. */
  stopped: z.object({ line: z.number().int(), reason: z.enum(stopReasons), who: z.string() }).nullable(),
  created_at: instant,
  finished_at: instant.nullable(),
  who: z.string(),
  /** The operation that undoes the import, once it has started. */
  operation_id: z.number().int().nullable(),
})
export type Import = z.output<typeof Import>

export const ImportRow = z.object({
  /** Line number in the file where the row starts; the header is line 1. */
  line: z.number().int(),
  outcome: z.enum(outcomes),
  /** For a duplicate or an error, the cause; for an update, the changed fields. */
  reason: z.string(),
  company: z.string(),
  lead_id: z.number().int().nullable(),
})
export type ImportRow = z.output<typeof ImportRow>

const importId = z.object({ id: recordId })

export const leadImports = {
  upload: endpoint({
    method: 'POST',
    path: '/admin/users/lead-imports',
    summary:
      'Upload a workbook (.xlsx, its first sheet) or a CSV file (UTF-8, UTF-16, or Windows-1252), up to 10 MB and 100,000 rows, and get a suggested column mapping.',
    act: 'Uploaded an import file',
    access: 'lead_create',
    product: ['body.lead_for'],
    files: { file: { most: 1, maxBytes: sizeInBytes('10M'), required: true, unchecked: true } },
    body: z.object({ lead_for: recordId }),
    response: z.object({ data: Import }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/users/lead-imports/{id}',
    shows: ['lead', 'leads', 'lead-import', 'lead-imports'],
    summary: 'Get an import with its progress.',
    access: 'lead_create',
    params: importId,
    response: z.object({ data: Import }),
  }),
  recent: endpoint({
    method: 'GET',
    path: '/admin/users/lead-imports',
    shows: ['lead', 'leads', 'lead-import', 'lead-imports'],
    summary: 'List the 20 most recent imports.',
    access: 'lead_create',
    response: z.object({ data: z.array(Import) }),
  }),
  check: endpoint({
    method: 'POST',
    path: '/admin/users/lead-imports/{id}/dry-run',
    summary: 'Preview an import: get the planned outcome of every row without changing any lead.',
    act: 'Previewed an import',
    access: 'lead_create',
    product: ['body.lead_for'],
    params: importId,
    body: ImportMapping,
    response: z.object({ data: Import }),
  }),
  rows: endpoint({
    method: 'GET',
    path: '/admin/users/lead-imports/{id}/rows',
    shows: ['lead', 'leads', 'lead-import', 'lead-imports'],
    summary: 'List the planned or actual outcome of each row, 100 per page.',
    access: 'lead_create',
    params: importId,
    query: z.object({ page: pageNumber.default(1), outcome: z.enum(outcomes).optional() }),
    response: z.object({ data: z.array(ImportRow), total: z.number().int(), per_page: z.number().int() }),
  }),
  proposedField: endpoint({
    method: 'GET',
    path: '/admin/users/lead-imports/{id}/columns/{column}/field',
    shows: ['lead-import'],
    summary:
      'Get the custom field that a column can become: its type and choices, by all values of the column.',
    access: 'lead_create',
    /** The first column is 1. */
    params: importId.extend({ column: wholeNumber(1, 100) }),
    response: z.object({ data: ProposedField }),
  }),
  run: endpoint({
    method: 'POST',
    path: '/admin/users/lead-imports/{id}/run',
    summary:
      'Start a previewed import, or continue one that stopped, as the caller. It runs in the background, in batches, and imports each row once.',
    act: 'Imported from a file',
    access: 'lead_create',
    params: importId,
    /** The browser's date, used as the lead date for rows that have none. */
    body: z.object({ today: plainDay.optional() }),
    response: z.object({ message: z.string(), data: Import }),
  }),
  failed: endpoint({
    method: 'GET',
    path: '/admin/users/lead-imports/{id}/failed.csv',
    summary: 'Export the failed rows as CSV, as they appear in the file, with the reason for each.',
    access: 'lead_create',
    params: importId,
  }),
}
