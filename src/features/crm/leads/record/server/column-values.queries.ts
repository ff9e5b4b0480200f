import { CompiledQuery } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { MoreField, MoreOfLead } from '#features/crm/leads/columns.contract.ts'
import { lastActivity, otherContacts } from '#features/crm/leads/record/server/lead-columns.ts'
import type { Db } from '#server/db/db.ts'

/** The length, in characters, from which a cell of the list has no use for the rest of a text. */
const longest = 500

/** SQL of the fields that aren't a column of the table with their name. */
const expressions: { readonly [Name in MoreField]?: string } = {
  additional_info: `left(l.additional_info, ${longest})`,
  answer: `left(l.answer, ${longest})`,
  join: `left(l."join", ${longest})`,
  reject_reason: '(select r.name from lead_reject_reasons r where r.id = l.reject_reason_id)',
  other_contacts: otherContacts,
  organization_name:
    '(select o.name from organizations o where o.organization_id = l.organization_id and o.deleted_at is null)',
  created_by_name: '(select s.name from staff s where s.id = l.created_by)',
  last_activity: lastActivity,
}

/** Returns these fields of leads in the viewer's products; others, and those in the trash, are left out. */
export async function findColumnValues(
  db: Db,
  { ids, fields }: { ids: readonly number[]; fields: readonly MoreField[] },
  { products }: Viewer,
): Promise<MoreOfLead[]> {
  const columns = [...new Set(fields)].map((name) => `${expressions[name] ?? `l.${name}`} as "${name}"`)
  const { rows } = await db.executeQuery<MoreOfLead>(
    CompiledQuery.raw(
      `select l.lead_id, ${columns.join(', ')} from leads l
        where l.lead_id = any($1) and l.lead_for = any($2) and l.deleted_at is null`,
      [ids, products],
    ),
  )
  return rows
}
