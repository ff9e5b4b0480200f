import { sql } from 'kysely'
import type { TicketNumbers } from '#features/crm/support/numbers.contract.ts'
import type { OrganizationReader } from '#features/crm/organizations/server/product-sets.queries.ts'
import { isOpen } from '#features/crm/support/server/conditions.ts'
import { matching } from '#features/crm/support/server/filters.ts'
import type { Db } from '#server/db/db.ts'
import { compactKeptCounts } from '#server/db/kept-counts.ts'

const mostPeople = 100

type People = TicketNumbers['open']['by']

/**
 * Counts the open tickets that the viewer's list has, and how many each assignee has, most first; from the counts that the
 * database maintains (migration 0270) if the viewer sees all organizations.
 */
export async function countOpenTickets(
  db: Db,
  viewer: OrganizationReader,
): Promise<{ total: number; by: People }> {
  const counts = viewer.seesAllOrganizations
    ? sql`select assignee_id, change from assigned_ticket_counts`
    : sql`select coalesce(t.assignee_id, 0) as assignee_id, 1 as change from tickets t where ${matching({}, viewer)} and ${isOpen}`
  const { rows } = await sql<
    People[number]
  >`select w.assignee_id as id, coalesce(s.name, 'Unassigned') as name, w.total
    from (
      select c.assignee_id, sum(c.change)::int as total from (${counts}) c group by 1 having sum(c.change) > 0
    ) w left join staff s on s.id = w.assignee_id
    order by w.total desc, s.name, w.assignee_id`.execute(db)
  return { total: rows.reduce((sum, { total }) => sum + total, 0), by: rows.slice(0, mostPeople) }
}

export async function compactOpenTickets(db: Db): Promise<void> {
  await compactKeptCounts(db, 'assigned_ticket_counts', ['assignee_id'])
  // Read only by a process of the version before, but the trigger still adds to it.
  await compactKeptCounts(db, 'open_ticket_counts', ['organization_id'])
}
