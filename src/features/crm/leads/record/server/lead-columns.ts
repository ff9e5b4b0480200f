import { columnsOf, referencesOf, selectOf, wireNamesOf } from '#shared/field.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import type { NewLead } from '#features/crm/leads/input.contract.ts'
import type { Leads } from '#server/db/tables.ts'

/*
 * This is the only place where API field names and column names differ: companyName is company_name,
 * contactName is contact_name (docs/spec-gaps.md G84).
 */

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
  | 'contacts'
  | 'contacts_search'
  | 'filled'
  | 'has_tags'
  | 'company_key'
  | 'deleted_at'
  | 'deleted_by'
  | 'status_at'
  | 'website_up'
  | 'website_checked_at'
  | 'website_checked_url'

type ColumnName = ReturnType<typeof columnsOf<typeof leadFields>>[number]
type Undeclared = Exclude<keyof Leads, LeftAlone | ColumnName>
/**
 * The columns that changes can set and that undo restores. Type checking fails here if a column of the table
 * is neither declared as a field nor left alone.
 */
export const leadColumns: readonly ([Undeclared] extends [never] ? ColumnName : never)[] =
  columnsOf(leadFields)

/** API names that differ from their column. */
export const wireNames = wireNamesOf(leadFields)

export const references = referencesOf(leadFields)

/** SQL of the time of a lead's last activity: a change, a note, a call, an email, or a session. */
export const lastActivity = `coalesce((select a.at from audit_log a
  where a.target_type = 'lead' and a.target_id = l.lead_id order by a.id desc limit 1), l.created_at)`

const stuckStatus = (
  column: string,
) => `(select ${column} from lead_statuses s, lateral (select ${lastActivity} as at) active
  where s.id = l.status and s.stuck_days > 0 and active.at < now() - make_interval(days => s.stuck_days))`

/** SQL condition for leads with more days without activity than their status allows. */
export const isStuck = `exists ${stuckStatus('')}`

/** Columns of a `LeadRow` from `leads l`, exactly as in API responses. */
export const rowColumns = `l.lead_id, ${selectOf(leadFields, 'l').join(', ')},
  (select s.name from staff s where s.id = l.assign_to) as assigned_name,
  array(select t.tag_id from lead_tag_links t where t.lead_id = l.lead_id order by t.tag_id) as tag_ids, l.version,
  ${stuckStatus('floor(extract(epoch from now() - active.at) / 86400)::int')} as stuck_days`

/** SQL of the contacts of a lead `l` besides the primary one, a line each; null without any. */
export const otherContacts = `(select string_agg(concat_ws(' · ', nullif(c.name, ''), nullif(c.role, ''), nullif(c.email, ''), nullif(c.phone, '')), E'\\n' order by c.id) from lead_contacts c where c.lead_id = l.lead_id)`

/** Columns of a `Lead` from `leads l`. */
export const wholeColumns = `${rowColumns}, ${selectOf(leadFields, 'l', 'detail').join(', ')},
  l.website_up, l.website_checked_at, l.website_checked_url, o.organization_id, o.name as organization_name, l.created_at, l.updated_at,
  (select s.name from staff s where s.id = l.created_by) as created_by_name`

/** Writable values of a lead, under their API names. */
export type LeadValues = Partial<
  NewLead &
    Pick<Lead, 'details' | 'reference'> & {
      reject_msg: string | null
      reject_reason_id: number | null
      organization_id: number | null
    }
>
