import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { ofProducts } from '#features/crm/support/server/filters.ts'
import type { Db } from '#server/db/db.ts'
import type { App } from '#server/app.ts'
import { addNotices } from '#server/record/notices.ts'

const everyMinute = '* * * * *'
const mostAtOnce = 500

interface Earlier {
  id: number
  until: string | null
}

/**
 * Snoozes tickets for a viewer until a time or, for null, until their customers write.
 * @returns the IDs of the snoozed tickets, and the snoozes that were replaced
 */
export async function snoozeTickets(
  db: Db,
  viewer: Viewer,
  ids: readonly number[],
  until: string | null,
): Promise<{ data: number[]; earlier: Earlier[] }> {
  // All parts of the statement see the rows as they were before it.
  const { rows } = await sql<{ id: number; was_snoozed: boolean; until: string | null }>`
    with earlier as (
      select ticket_id, until from ticket_snoozes where staff_id = ${viewer.id} and ticket_id = any(${ids}::int[])
    ), snoozed as (
      insert into ticket_snoozes (staff_id, ticket_id, until)
      select ${viewer.id}, t.id, ${until}::timestamptz from tickets t
      where t.id = any(${ids}::int[]) and t.deleted_at is null and t.merged_into is null and ${ofProducts('t', viewer)} order by t.id
      on conflict (staff_id, ticket_id) do update set until = excluded.until returning ticket_id
    )
    select s.ticket_id as id, e.ticket_id is not null as was_snoozed, e.until
    from snoozed s left join earlier e on e.ticket_id = s.ticket_id order by s.ticket_id`.execute(db)
  return {
    data: rows.map(({ id }) => id),
    earlier: rows.flatMap(({ id, was_snoozed, ...one }) => (was_snoozed ? [{ id, until: one.until }] : [])),
  }
}

/** Restores earlier snoozes of the viewer where there still is one: a ticket whose customer wrote has none. */
export async function restoreSnoozes(
  db: Db,
  viewer: Viewer,
  earlier: readonly Earlier[],
): Promise<{ id: number }[]> {
  if (earlier.length === 0) return []
  const { rows } = await sql<{ id: number }>`update ticket_snoozes z set until = e.until
    from unnest(${earlier.map(({ id }) => id)}::int[], ${earlier.map(({ until }) => until)}::timestamptz[]) as e (id, until)
    where z.staff_id = ${viewer.id} and z.ticket_id = e.id returning z.ticket_id as id`.execute(db)
  return rows
}

/** Returns tickets whose snooze has ended to their users' queues, as unread, with a notice. */
export async function endSnoozes(app: Pick<App, 'db' | 'live' | 'clock'>): Promise<void> {
  const afterwards: (() => void)[] = []
  const ended = await app.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ staff_id: number; ticket_id: number; title: string }>`
      with ended as (
        delete from ticket_snoozes z using (select staff_id, ticket_id from ticket_snoozes
          where until <= ${app.clock.now().toISOString()} order by until limit ${mostAtOnce} for update skip locked) d
        where z.staff_id = d.staff_id and z.ticket_id = d.ticket_id returning z.staff_id, z.ticket_id
      ), marked as (
        insert into ticket_unread (staff_id, ticket_id, is_marked) select staff_id, ticket_id, true from ended
        on conflict (staff_id, ticket_id) do update set is_marked = true, answered_at = null
      )
      select e.staff_id, e.ticket_id, t.title from ended e join tickets t on t.id = e.ticket_id`.execute(db)
    for (const { staff_id, ticket_id, title } of rows)
      await addNotices(
        app,
        { db, afterCommit: (action) => afterwards.push(action) },
        {
          kind: 'snooze_ended',
          by: null,
          words: 'You snoozed this ticket until now.',
          people: [{ id: staff_id, record: { type: 'ticket', id: ticket_id, title, anchor: '' } }],
        },
      )
    return rows
  })
  for (const action of afterwards) action()
  if (ended.length)
    app.live.changed(
      'ticket',
      ended.map(({ ticket_id }) => ticket_id),
      null,
    )
}

export function startSnoozeEnd(app: App): void {
  app.jobs.every('ticket-snoozes', everyMinute, () => endSnoozes(app))
}
