/** Pure rules of bulk operations, shared by server and browser (docs/product.md#bulk-operations). */

/** Bulk changes; `OperationKind` adds what else can be undone. */
export type BulkKind = 'status' | 'reject' | 'color' | 'assign' | 'followup' | 'tags' | 'delete'
/** `edit`: of one lead, in place or in its form. */
export type OperationKind = BulkKind | 'merge' | 'import' | 'edit'

/** Most leads that one transaction changes; above, the work continues in the background. */
export const mostAtOnce = 1000
/** Most leads that can be selected by id. */
export const mostChosen = 10_000

/** Fields of which a merge keeps one value; tags and details are kept of both. */
export const mergeableFields = [
  'companyName',
  'contactName',
  'phone',
  'email',
  'country',
  'timezone',
  'lead_for',
  'services',
  'answer',
  'join',
  'company_url',
  'hear_about',
  'implement_date',
  'additional_info',
  'cog_types',
  'assign_to',
  'lead_type',
  'color',
  'status',
  'demo_status',
  'lead_date',
  'request_date',
  'followup_date',
  'reference',
] as const
export type MergeableField = (typeof mergeableFields)[number]

/** Appends the number of changed leads to a summary. */
export const summaryOf = (summary: string, leads: number): string =>
  `${summary}: ${leads.toLocaleString('en-US')} ${leads === 1 ? 'lead' : 'leads'}`

/** Reports whether a field of a lead is empty. */
export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
