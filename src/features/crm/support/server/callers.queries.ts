import { sql } from 'kysely'
import type { EarlierCaller } from '#features/crm/support/requester.contract.ts'
import { settledStatuses } from '#features/crm/support/rules.ts'
import type { OrganizationReader } from '#features/crm/organizations/server/product-sets.queries.ts'
import { ofProducts } from '#features/crm/support/server/filters.ts'
import type { Db } from '#server/db/db.ts'
import { matchesSearch } from '#server/record/list.ts'

/** How many of the newest tickets are searched for callers. */
const mostRead = 200
const mostFound = 5

/**
 * Returns the people without an account who match a search and were requesters of tickets that the viewer can see, newest
 * first. Those of the same name, number, and address are one.
 */
export async function findCallers(
  db: Db,
  search: string,
  viewer: OrganizationReader,
): Promise<EarlierCaller[]> {
  const { rows } = await sql<EarlierCaller>`
    select c.sender_name as name, c.sender_phone as phone, c.sender_email::text as email,
      coalesce(c.organization_id, 0) as org_id, o.name as organization,
      json_build_object('id', c.id, 'title', c.title, 'is_open', c.status <> all(${settledStatuses}::int[])) as ticket
    from (
      select distinct on (lower(t.sender_name), t.sender_phone, t.sender_email) t.* from (
        select t.* from tickets t
        where t.customer_user_id is null and t.staff_id is null and t.deleted_at is null and t.spam_reason is null
          and ${matchesSearch('t.sender_search', search, { phones: true })} and ${ofProducts('t', viewer)}
        order by t.id desc limit ${mostRead}) t
      order by lower(t.sender_name), t.sender_phone, t.sender_email, t.id desc) c
      left join organizations o on o.organization_id = c.organization_id
    order by c.id desc limit ${mostFound}`.execute(db)
  return rows
}
