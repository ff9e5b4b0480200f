import { sql } from 'kysely'
import type { TicketNumbers } from '#features/crm/support/numbers.contract.ts'
import { isOpen } from '#features/crm/support/server/conditions.ts'
import { hasAnyProduct, matching, type TicketReader } from '#features/crm/support/server/filters.ts'
import type { Db } from '#server/db/db.ts'
import { compactKeptCounts } from '#server/db/kept-counts.ts'

const mostPeople = 100

/**
 * Counts the open tickets that the viewer's list has, from the counts of each organization that the database maintains
 * (migration 0252). Only the viewer's own tickets of other organizations are counted one by one.
 */
export async function countOpenTickets(db: Db, viewer: TicketReader): Promise<number> {
  if (viewer.seesAllOrganizations) {
    const { rows } = await sql<{
      total: number
    }>`select coalesce(sum(change), 0)::int as total from open_ticket_counts`.execute(db)
    return rows[0]!.total
  }
  const { rows } = await sql<{ total: number }>`select (
      (select coalesce(sum(c.change), 0) from open_ticket_counts c
        where c.organization_id = 0 or ${hasAnyProduct(sql`c.organization_id`, viewer)})
      + (select count(*) from tickets t
        where t.staff_id = ${viewer.id} and t.deleted_at is null and t.merged_into is null and ${isOpen}
          and t.organization_id is not null and not ${hasAnyProduct(sql`t.organization_id`, viewer)})
    )::int as total`.execute(db)
  return rows[0]!.total
}

/**
 * Counts the open tickets that the viewer's list has, by assignee, most first; from the counts that the database maintains
 * (migration 0270) if the viewer sees all organizations.
 */
export async function countOpenOfPeople(db: Db, viewer: TicketReader): Promise<TicketNumbers['open']['by']> {
  const counts = viewer.seesAllOrganizations
    ? sql`select assignee_id, change from assigned_ticket_counts`
    : sql`select coalesce(t.assignee_id, 0) as assignee_id, 1 as change from tickets t where ${matching({}, viewer)} and ${isOpen}`
  const { rows } = await sql<TicketNumbers['open']['by'][number]>`select w.assignee_id as id,
      coalesce(s.name, 'Unassigned') as name, w.total from (
        select c.assignee_id, sum(c.change)::int as total from (${counts}) c group by 1 having sum(c.change) > 0
      ) w left join staff s on s.id = w.assignee_id
    order by w.total desc, s.name, w.assignee_id limit ${mostPeople}`.execute(db)
  return rows
}

/** Compacts both counts of open tickets. */
export async function compactOpenTickets(db: Db): Promise<void> {
  await compactKeptCounts(db, 'open_ticket_counts', ['organization_id'])
  await compactKeptCounts(db, 'assigned_ticket_counts', ['assignee_id'])
}
