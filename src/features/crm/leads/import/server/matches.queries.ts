import { sql } from 'kysely'
import type { LockedImport } from '#features/crm/leads/import/server/import.queries.ts'
import type { Match } from '#features/crm/leads/import/server/judge-row.ts'
import type { ReadRow } from '#features/crm/leads/import/server/read-row.ts'
import type { Db } from '#server/db/db.ts'
import type { Leads } from '#server/db/tables.ts'

/* Existing leads that rows of a file mean. */

/** The column of a lead for each property of a match. */
const matchColumns = {
  lead_id: 'lead_id',
  version: 'version',
  status: 'status',
  reject_msg: 'reject_msg',
  companyName: 'company_name',
  contactName: 'contact_name',
  contact_role: 'contact_role',
  email: 'email',
  phone: 'phone',
  country: 'country',
  timezone: 'timezone',
  company_url: 'company_url',
  reference: 'reference',
  color: 'color',
  assign_to: 'assign_to',
  lead_date: 'lead_date',
  request_date: 'request_date',
  followup_date: 'followup_date',
  implement_date: 'implement_date',
  lead_type: 'lead_type',
  demo_status: 'demo_status',
  services: 'services',
  hear_about: 'hear_about',
  cog_types: 'cog_types',
  additional_info: 'additional_info',
  answer: 'answer',
  join: 'join',
  amount: 'amount',
  currency: 'currency',
  recurring: 'recurring',
  expected_close: 'expected_close',
  details: 'details',
  custom_values: 'custom_values',
  organization_id: 'organization_id',
} as const satisfies Partial<Record<keyof Match, keyof Leads>>

const matchSelection = sql.join([
  ...Object.entries(matchColumns).map(([name, column]) => sql`${sql.ref(`l.${column}`)} as ${sql.ref(name)}`),
  sql`array(select k.tag_id from lead_tag_links k where k.lead_id = l.lead_id order by 1) as tag_ids`,
])

/**
 * Returns a product's existing leads that have the same key as a row, indexed by the row's line number. The
 * key is the number, the reference or, without these, the company name and email address. If this import has already
 * written to a lead, the result includes the first line that did. The lead with the number of a row can be in another
 * product or in the trash; `refusal` then says so.
 * @param lock for a run: locks leads that are matched by number or reference between comparing and writing
 */
export async function findMatches(
  db: Db,
  { id, mapping, staff_id }: LockedImport,
  rows: readonly { line: number; read: ReadRow }[],
  lock: boolean,
): Promise<Map<number, Match>> {
  const leads = rows.flatMap(({ line, read: { lead } }) => (lead ? [{ line, lead }] : []))
  const withKey = leads
    .filter(({ lead }) => lead.number === undefined && lead.reference !== undefined)
    .map(({ line, lead }) => ({ line, reference: lead.reference }))
  const without = leads
    .filter(({ lead }) => lead.number === undefined && lead.reference === undefined)
    .map(({ line, lead }) => ({ line, company: lead.companyName ?? '', email: lead.email ?? '' }))
  const withNumber = leads
    .filter(({ lead }) => lead.number !== undefined)
    .map(({ line, lead }) => ({ line, number: lead.number, reference: lead.reference ?? null }))
  const touched = sql`(select min(r.line) from lead_import_rows r where r.lead_id = l.lead_id and r.import_id = ${id} and r.done_at is not null) as line`
  type Found = Match & { of: number }
  const byKey = withKey.length
    ? await sql<Found>`select k.line as of, ${matchSelection}, ${touched} from jsonb_to_recordset(${JSON.stringify(withKey)}) as k(line int, reference text)
        join leads l on l.lead_for = ${mapping.lead_for} and l.reference = k.reference and l.deleted_at is null ${lock ? sql`for update of l` : sql``}`.execute(
        db,
      )
    : { rows: [] }
  const byName = without.length
    ? await sql<Found>`select k.line as of, ${matchSelection}, ${touched} from jsonb_to_recordset(${JSON.stringify(without)}) as k(line int, company text, email text)
        join leads l on l.lead_for = ${mapping.lead_for} and lower(l.company_name) = lower(k.company) and lower(l.email) = lower(k.email) and l.deleted_at is null order by k.line, l.lead_id desc`.execute(
        db,
      )
    : { rows: [] }
  const byNumber = withNumber.length
    ? await sql<Found>`select k.line as of, ${matchSelection}, ${touched}, ${refusalOf(mapping.lead_for)} as refusal
        from jsonb_to_recordset(${JSON.stringify(withNumber)}) as k(line int, number int, reference text)
        join leads l on l.lead_id = k.number join products p on p.id = l.lead_for
        where exists (select from staff_products s where s.staff_id = ${staff_id} and s.product_id = l.lead_for) ${lock ? sql`for update of l` : sql``}`.execute(
        db,
      )
    : { rows: [] }
  return new Map([...byNumber.rows, ...byKey.rows, ...byName.rows].map(({ of, ...match }) => [of, match]))
}

/** SQL for why a row can't change the lead that has its number; null if it can. */
const refusalOf = (product: number) => sql`case
  when l.lead_for <> ${product} then 'Lead ' || l.lead_id || ' belongs to ' || p.name || '. Import it there.'
  when l.deleted_at is not null then 'Lead ' || l.lead_id || ' is in the trash. Restore it first.'
  when exists (select from leads o where o.lead_for = l.lead_for and o.reference = k.reference and o.lead_id <> l.lead_id and o.deleted_at is null)
    then 'External ID: Another lead has this external ID.' end`
