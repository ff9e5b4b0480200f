import { sql } from 'kysely'
import { isOpen } from '#features/crm/support/server/conditions.ts'
import { hasAnyProduct, type TicketReader } from '#features/crm/support/server/filters.ts'
import type { Db } from '#server/db/db.ts'
import { compactKeptCounts } from '#server/db/kept-counts.ts'

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

export const compactOpenTickets = (db: Db): Promise<void> =>
  compactKeptCounts(db, 'open_ticket_counts', ['organization_id'])
