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
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

/** A new day starts at a different time for each user; a delay of ten minutes is acceptable. */
const everyTenMinutes = '*/10 * * * *'
const debounceMs = 200

export function reminderRoutes(app: App): void {
  const today = () => plainDate(app.clock.now())

  // Creates reminders for follow-ups that become due when the date changes, and any reminders that a crashed
  // process did not write.
  app.jobs.every('lead-reminders', everyTenMinutes, async () => {
    await dropStale(app.db)
    notifyTabs(app, await remind(app.db, today()))
  })

  // Handles follow-ups that become due when a lead changes. This work is deferred and batched, so that the
  // change does not have to wait for it.
  const changed = new Map<number | null, Set<number>>()
  const flushChanged = () => {
    const those = [...changed]
    changed.clear()
    for (const [by, ids] of those)
      remind(app.db, today(), [...ids]).then(
        (due) => notifyTabs(app, due, by),
        (error: unknown) =>
          app.http.log.warn({ err: error }, 'could not create the reminders; the next run will retry'),
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
    async ({ params: { id }, body: { done } }, { db, viewer, audit, afterCommit }) => {
      if (!(await markReminder(db, id, viewer.id, done))) throw notFound('Reminder not found.')
      audit({ target: 'reminder', id, after: { done } })
      afterCommit(() => app.live.publish(`private-staff.${viewer.id}`, 'reminders', { added: 0 }))
      return { message: done ? 'Reminder marked as done.' : 'Reminder reopened.' }
    },
  )
}

/** Notifies each user's open tabs; `added` is 0 for the user's own changes. */
function notifyTabs(app: App, due: readonly NewlyDue[], by: number | null = null): void {
  for (const { staff_id, added, overdue } of due)
    app.live.publish(`private-staff.${staff_id}`, 'reminders', {
      added: staff_id === by ? 0 : added,
      tab: overdue ? 'overdue' : 'today',
    })
}
