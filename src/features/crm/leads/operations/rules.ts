import { isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'

/** Pure rules of acts on many leads that server and browser both read (docs/product.md#acts-on-many-leads). */

/** What can be done with many leads, and what else can be taken back. */
export type BulkKind = 'status' | 'reject' | 'color' | 'assign' | 'followup' | 'tags' | 'delete'
export type OperationKind = BulkKind | 'merge' | 'import'

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

interface Undoable {
  state: string
  needs: string
  staff_id: number
}

/** Why an act cannot be taken back because of where it stands; undefined where it can. */
export function whyNotUndo({ state }: Pick<Undoable, 'state'>): string | undefined {
  if (state === 'running') return 'This is still going on.'
  if (state === 'undoing') return 'This is being undone already.'
  return state === 'undone' ? 'This is undone already.' : undefined
}

/** Whether somebody holds the right to take an act back. */
export const mayUndo = ({ needs, staff_id }: Pick<Undoable, 'needs' | 'staff_id'>, viewer: Pick<Viewer, 'id' | 'role_id' | 'permissions'>): boolean =>
  isAdminRole(viewer.role_id) || (staff_id === viewer.id && (viewer.permissions as ReadonlySet<string>).has(needs))

/** How many leads an act changed, behind what it was. */
export const summaryOf = (summary: string, leads: number): string => `${summary}: ${leads.toLocaleString('en-US')} ${leads === 1 ? 'lead' : 'leads'}`

/** Whether a field of a lead says nothing. */
export const isBlank = (value: unknown): boolean => value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
