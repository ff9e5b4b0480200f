import { sql } from 'kysely'
import { plainDate } from '#shared/dates.ts'
import { organizationReminders } from '#features/crm/organizations/reminders.contract.ts'
import { findReminders, remindOfOrganizations } from '#features/crm/organizations/server/reminders.queries.ts'
import { notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

const everyHour = '7 * * * *'

const listReminders: Handler<typeof organizationReminders.reminders> = async (_input, { db, viewer }) => ({
  data: await findReminders(db, viewer.id, viewer.products),
})

const finishReminder: Handler<typeof organizationReminders.remindersDone> = async (
  { params: { id }, body: { done } },
  { db, viewer, audit },
) => {
  const { numUpdatedRows } = await db
    .updateTable('organization_reminders')
    .set({ done_at: done ? sql<string>`coalesce(done_at, now())` : null })
    .where('id', '=', id)
    .where('staff_id', '=', viewer.id)
    .executeTakeFirst()
  if (!numUpdatedRows) throw notFound('Reminder not found.')
  audit({ target: 'organization_reminder', id, after: { done } })
  return { message: done ? 'Reminder marked as done.' : 'Reminder reopened.' }
}

export function organizationReminderRoutes(app: App): void {
  // Runs hourly, because days start at different times in different time zones. No reminder is sent twice.
  app.jobs.every('organization-reminders', everyHour, async () => {
    for (const staff_id of await remindOfOrganizations(app.db, plainDate(app.clock.now())))
      app.live.publish(`private-staff.${staff_id}`, 'organization-reminders', {})
  })
  implement(app, organizationReminders.reminders, listReminders)
  implement(app, organizationReminders.remindersDone, finishReminder)
}
