import { sql } from 'kysely'
import { clockKinds, type ClockKind } from '#features/crm/support/rules.ts'
import type { App } from '#server/app.ts'
import { addNotices } from '#server/record/notices.ts'

const everyMinute = '* * * * *'
const mostAtOnce = 500

/** Tells the assignees of tickets that a service target will soon be missed, once per target. */
export async function remindOfTargets(app: Pick<App, 'db' | 'live' | 'clock'>): Promise<void> {
  const afterwards: (() => void)[] = []
  await app.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ kind: ClockKind; ticket_id: number; title: string; assignee_id: number }>`
      with due as (
        update ticket_clocks c set remind_at = null, is_reminded = true
          from (select ticket_id, kind, started_at from ticket_clocks
            where remind_at <= ${app.clock.now().toISOString()} order by remind_at limit ${mostAtOnce} for update skip locked) d
          where c.ticket_id = d.ticket_id and c.kind = d.kind and c.started_at = d.started_at
          returning c.kind, c.ticket_id
      )
      select d.kind, d.ticket_id, t.title, t.assignee_id from due d join tickets t on t.id = d.ticket_id
      where t.assignee_id is not null and t.deleted_at is null`.execute(db)
    for (const { kind, ticket_id, title, assignee_id } of rows)
      await addNotices(
        app,
        { db, afterCommit: (action) => afterwards.push(action) },
        {
          kind: 'target_due',
          by: null,
          words: `The ${clockKinds[kind].toLowerCase()} is due soon.`,
          people: [{ id: assignee_id, record: { type: 'ticket', id: ticket_id, title, anchor: '' } }],
        },
      )
  })
  for (const action of afterwards) action()
}

export function startTargetReminders(app: App): void {
  app.jobs.every('ticket-target-reminders', everyMinute, () => remindOfTargets(app))
}
