import { sql } from 'kysely'
import type { App } from '#server/app.ts'
import { addNotices } from '#server/record/notices.ts'

const everyMinute = '* * * * *'
const mostAtOnce = 500

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
        insert into ticket_unread (staff_id, ticket_id) select staff_id, ticket_id from ended on conflict do nothing
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
