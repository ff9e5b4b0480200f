import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { plainAmount } from '#shared/numbers.ts'
import { emptyIsNull, instant, plainDay, recordId, requiredText, text, wholeNumber } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { stopReasons } from '#shared/operations.ts'
import { sizeInBytes } from '#shared/sizes.ts'
import { CustomValues, ProposedField } from '#features/crm/leads/custom-fields.rules.ts'
import { ContactInput } from '#features/crm/leads/contacts/contract.ts'
import {
  ColumnTarget,
  DateForm,
  DecimalForm,
  ImportMapping,
} from '#features/crm/leads/import/mapping.contract.ts'
import { leadInputs } from '#features/crm/leads/input.contract.ts'

/**
 * A file row as a lead: input that the form would accept, plus the key. A blank cell leaves its field
 * unchanged; a row without a company name has the number of a lead.
 */
export const ImportedLead = leadInputs
  .pick({
    companyName: true,
    contactName: true,
    contact_role: true,
    email: true,
    phone: true,
    country: true,
    timezone: true,
    company_url: true,
    color: true,
    assign_to: true,
    tag_ids: true,
    lead_date: true,
    request_date: true,
    followup_date: true,
    implement_date: true,
    lead_type: true,
    demo_status: true,
    services: true,
    hear_about: true,
    cog_types: true,
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
    amount: emptyIsNull(plainAmount),
    reference: text(200),
    /** The number of the lead that the row changes. */
    number: z
      .string()
      .regex(/^#?\d{1,9}$/, 'Use the number of a lead, such as 482.')
      .transform((value) => Number(value.replace('#', ''))),
    /** The parts of the contact’s name, which `contactName` has together; of an existing lead, each changes alone. */
    first_name: text(200),
    last_name: text(200),
    /** Tags that the lead gets besides those that it has. */
    added_tags: z.array(recordId),
    /** Names of tags that don’t exist yet. */
    new_tags: z.array(requiredText(80)),
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
  .required({ details: true })
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

/** Findings of a preview in the whole file. */
export const ImportFindings = z.object({
  /** Names of tags that the import creates. */
  new_tags: z.array(z.string()),
  /** Names in the column of assignees that aren’t those of admin users. */
  unknown_people: z.array(z.string()),
  /** Words that no entry of their field’s list has, and in how many rows they are. */
  unknown_words: z.array(z.object({ field: ColumnTarget, word: z.string(), rows: z.number().int() })),
  /** How many rows have the company name of another lead, or of an earlier row. */
  possible_duplicates: z.number().int(),
})
export type ImportFindings = z.output<typeof ImportFindings>

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
  /** For each column, how it writes numbers; null if that leaves no choice. */
  decimal_forms: z.array(DecimalForm.nullable()),
  /** Guessed on upload; after a preview, the mapping that was sent with it. */
  mapping: ImportMapping,
  counts: Counts.nullable(),
  /** How many leads without an organization the previewed rows set to a won status. */
  wins_without: z.number().int(),
  ...ImportFindings.shape,
  /** The importer’s time zone, for new leads whose phone number and country leave it open. */
  zone: z.string(),
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

/** A value as it will be stored, as text; `before` is what a change replaces. */
const ShownValue = z.object({ value: z.string(), before: z.string().optional() })
export type ShownValue = z.output<typeof ShownValue>

export const ImportRow = z.object({
  /** Line number in the file where the row starts; the header is line 1. */
  line: z.number().int(),
  outcome: z.enum(outcomes),
  /** For a duplicate or an error, the cause; for an update, the changed fields. */
  reason: z.string(),
  company: z.string(),
  lead_id: z.number().int().nullable(),
  /** Before the import, the values that the row will store, by field; only those of new and changed leads. */
  values: z.record(z.string(), ShownValue),
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
    shows: ['leads', 'lead-import', 'lead-imports'],
    summary: 'Get an import with its progress.',
    access: 'lead_create',
    params: importId,
    response: z.object({ data: Import }),
  }),
  recent: endpoint({
    method: 'GET',
    path: '/admin/users/lead-imports',
    shows: ['leads', 'lead-import', 'lead-imports'],
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
    shows: ['leads', 'lead-import', 'lead-imports'],
    summary:
      'List the planned or actual outcome of each row, and before the import the values that it will store, 100 per page.',
    access: 'lead_create',
    params: importId,
    query: z.object({ page: pageNumber.default(1), outcome: z.enum(outcomes).optional() }),
    response: z.object({
      data: z.array(ImportRow),
      /** The fields of `values`, in the order of the columns that map to them. */
      fields: z.array(z.object({ name: z.string(), label: z.string() })),
      total: z.number().int(),
      per_page: z.number().int(),
    }),
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
