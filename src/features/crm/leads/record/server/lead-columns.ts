import type { Insertable } from 'kysely'
import type { ImportedLead } from '#features/crm/leads/import/contract.ts'
import type { NewLead } from '#features/crm/leads/input.contract.ts'
import type { MergeableField } from '#features/crm/leads/operations/rules.ts'
import type { Leads } from '#server/db/tables.ts'
import { toColumns } from '#server/record/rows.ts'

/*
 * This is the only place where API field names and column names differ: companyName is company_name,
 * contactName is contact_name (docs/spec-gaps.md G84).
 */

/** API names that differ from their column. */
export const wireNames = { companyName: 'company_name', contactName: 'contact_name' } as const

/**
 * Columns that the panel maintains, and the result of the website check. Bulk changes never set these
 * columns, and undo never restores them.
 */
type LeftAlone =
  | 'lead_id'
  | 'version'
  | 'created_by'
  | 'created_at'
  | 'updated_at'
  | 'search'
  | 'deleted_at'
  | 'deleted_by'
  | 'website_up'
  | 'website_checked_at'
  | 'website_checked_url'

/**
 * The columns that bulk changes can set and that undo restores, each mapped to the field whose value is
 * chosen in a merge. Null means that a merge handles the column separately (merge.ts). New lead columns must
 * be added here or above; otherwise, type checking fails.
 */
const fieldOfColumn = {
  company_name: 'companyName',
  contact_name: 'contactName',
  phone: 'phone',
  email: 'email',
  country: 'country',
  timezone: 'timezone',
  lead_for: 'lead_for',
  services: 'services',
  answer: 'answer',
  join: 'join',
  company_url: 'company_url',
  hear_about: 'hear_about',
  implement_date: 'implement_date',
  additional_info: 'additional_info',
  cog_types: 'cog_types',
  assign_to: 'assign_to',
  lead_type: 'lead_type',
  color: 'color',
  status: 'status',
  reject_msg: null,
  demo_status: 'demo_status',
  lead_date: 'lead_date',
  request_date: 'request_date',
  followup_date: 'followup_date',
  reference: 'reference',
  details: null,
  merged_into: null,
  organization_id: null,
} as const satisfies Record<Exclude<keyof Leads, LeftAlone>, MergeableField | null>
/** The columns that changes can set and that undo restores. */
export const leadColumns = Object.keys(fieldOfColumn) as ColumnName[]
export type ColumnName = keyof typeof fieldOfColumn
/** A field that is stored in a column. */
export type FieldOfColumn = NonNullable<(typeof fieldOfColumn)[ColumnName]>

/** Columns of a `LeadRow` from `leads l`, exactly as in API responses. */
export const rowColumns = `l.lead_id, l.company_name as "companyName", l.contact_name as "contactName", l.phone, l.email, l.country, l.lead_for, l.services, l.company_url,
  l.lead_type, l.color, l.status, l.demo_status, l.lead_date, l.request_date, l.followup_date, l.reject_msg, l.assign_to,
  (select s.name from staff s where s.id = l.assign_to) as assigned_name,
  array(select t.tag_id from lead_tag_links t where t.lead_id = l.lead_id order by t.tag_id) as tag_ids, l.version`

/** Columns of a `Lead` from `leads l`. */
export const wholeColumns = `${rowColumns}, l.answer, l."join", l.hear_about, l.implement_date, l.additional_info, l.cog_types, l.reference, l.details, l.timezone,
  l.website_up, l.website_checked_at, l.website_checked_url, o.organization_id, o.name as organization_name, l.created_at, l.updated_at,
  (select s.name from staff s where s.id = l.created_by) as created_by_name`

/** Writable values of a lead, under their API names. */
export type LeadValues = Partial<
  NewLead & ImportedLead & { reject_msg: string | null; organization_id: number | null }
>

/**
 * Returns the columns of a new lead; undefined keeps the column's default. Tags are stored in separate rows.
 */
export function toInsert({ details, tag_ids: _, ...rest }: LeadValues): Partial<Insertable<Leads>> {
  return { ...toColumns({ wireNames }, rest), ...(details ? { details: JSON.stringify(details) } : {}) }
}
