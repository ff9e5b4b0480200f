import { sql } from 'kysely'
import type { Ticket } from '#features/crm/support/contract.ts'
import type { Db } from '#server/db/db.ts'

/** Returns a ticket's service targets, the last one of each kind, in the order in which they are usually met. */
export async function findTargets(db: Db, ticket_id: number): Promise<Ticket['targets']> {
  const { rows } = await sql<Ticket['targets'][number]>`
    select c.kind, c.minutes, c.due_at, c.seconds_left, c.ended_at
    from (select distinct on (kind) * from ticket_clocks where ticket_id = ${ticket_id} order by kind, started_at desc) c
    where c.minutes is not null
    order by array_position(array['first_response', 'next_response', 'resolution'], c.kind)`.execute(db)
  return rows
}
