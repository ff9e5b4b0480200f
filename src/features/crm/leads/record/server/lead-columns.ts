import type { ImportedLead } from '#features/crm/leads/import/contract.ts'
import type { NewLead } from '#features/crm/leads/input.contract.ts'

/*
 * This is the only place where API field names and column names differ: companyName is company_name,
 * contactName is contact_name (docs/spec-gaps.md G84).
 */

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
 * Converts values to columns; undefined keeps the column's value or default. Tags are stored in separate
 * rows.
 */
export function toColumns({ companyName, contactName, details, tag_ids: _, ...rest }: LeadValues) {
  return {
    ...rest,
    company_name: companyName,
    contact_name: contactName,
    details: details && JSON.stringify(details),
  }
}
