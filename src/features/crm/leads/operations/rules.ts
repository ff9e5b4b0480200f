/** Pure rules for bulk operations, shared by the server and the browser (docs/product.md#bulk-operations). */

/** Bulk changes; `OperationKind` also includes the other operations that can be undone. */
export type BulkKind = 'status' | 'reject' | 'color' | 'assign' | 'followup' | 'tags' | 'delete'
/** `edit` is a change to a single lead, in place or in the form. */
export type OperationKind = BulkKind | 'restore' | 'merge' | 'import' | 'edit'

/** Maximum number of leads that can be selected by ID. */
export const mostChosen = 10_000

/** Fields for which a merge keeps the value of only one lead; tags and details of both leads are kept. */
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

/** Reports whether a lead's field value is empty. */
export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
