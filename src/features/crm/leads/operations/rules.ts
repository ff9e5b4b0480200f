/** Pure rules of acts on many leads that server and browser both read (docs/product.md#acts-on-many-leads). */

/** What can be done with many leads, and what else can be taken back. */
export type BulkKind = 'status' | 'reject' | 'color' | 'assign' | 'followup' | 'tags' | 'delete'
/** `edit`: of one lead, in place or by its form. */
export type OperationKind = BulkKind | 'merge' | 'import' | 'edit'

/** So many leads are changed in one transaction; above, the work goes on in the background. */
export const mostAtOnce = 1000
/** So many leads can be named by their ids. */
export const mostChosen = 10_000

/** The fields of which a merge keeps one or the other; tags and details are kept of both. */
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

/** How many leads an act changed, behind what it was. */
export const summaryOf = (summary: string, leads: number): string => `${summary}: ${leads.toLocaleString('en-US')} ${leads === 1 ? 'lead' : 'leads'}`

/** Whether a field of a lead says nothing. */
export const isBlank = (value: unknown): boolean => value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
