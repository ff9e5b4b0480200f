import { plainDate } from '#shared/dates.ts'
import { reminders } from '#features/crm/leads/follow-ups/reminders.contract.ts'
import {
  dropStale,
  findReminders,
  markReminder,
  remind,
  type NewlyDue,
} from '#features/crm/leads/follow-ups/server/reminders.queries.ts'
import { notFound } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'

/** The date changes at some hour of each user's day; ten minutes late is early enough. */
const everyTenMinutes = '*/10 * * * *'
const debounceMs = 200

export function reminderRoutes(app: App): void {
  const today = () => plainDate(app.clock.now())

  // Follow-ups that become due by date, and those that a crashed process did not write.
  app.jobs.every('lead-reminders', everyTenMinutes, async () => {
    await dropStale(app.db)
    notifyTabs(app, await remind(app.db, today()))
  })

  // Follow-ups that become due by any change of a lead. Deferred, so that the change does not wait, and batched.
  const changed = new Map<number | null, Set<number>>()
  const flushChanged = () => {
    const those = [...changed]
    changed.clear()
    for (const [by, ids] of those)
      remind(app.db, today(), [...ids]).then(
        (due) => notifyTabs(app, due, by),
        (error: unknown) =>
          app.http.log.warn({ err: error }, 'reminders were not written; the next round does it'),
      )
  }
  app.live.onChanged('leads', (ids, by) => {
    if (changed.size === 0) setTimeout(flushChanged, debounceMs).unref()
    const theirs = changed.get(by) ?? new Set()
    for (const id of ids) theirs.add(id)
    changed.set(by, theirs)
  })

  implement(app, reminders.list, ({ query }, { db, viewer }) =>
    findReminders(db, viewer, query.page, today()),
  )

  implement(
    app,
    reminders.mark,
    async ({ params: { id }, body: { done } }, { db, viewer, record, afterCommit }) => {
      if (!(await markReminder(db, id, viewer.id, done))) throw notFound('Reminder not found.')
      record({ target: 'reminder', id, after: { done } })
      afterCommit(() => app.live.publish(`private-staff.${viewer.id}`, 'reminders', { added: 0 }))
      return { message: done ? 'Reminder marked as done.' : 'Reminder reopened.' }
    },
  )
}

/** Notifies each person's open tabs; `added` is 0 for their own changes. */
function notifyTabs(app: App, due: readonly NewlyDue[], by: number | null = null): void {
  for (const { staff_id, added, overdue } of due)
    app.live.publish(`private-staff.${staff_id}`, 'reminders', {
      added: staff_id === by ? 0 : added,
      tab: overdue ? 'overdue' : 'today',
    })
}
