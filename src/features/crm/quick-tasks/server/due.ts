import { sql } from 'kysely'
import { plainDate } from '#shared/dates.ts'
import { countFailure } from '#server/jobs/failures.ts'
import type { App } from '#server/app.ts'
import { quickTaskKind } from '#features/crm/quick-tasks/server/quick-tasks.queries.ts'
import { touchRecords } from '#server/record/touch.ts'

const lookEveryMs = 60_000
const mostTitles = 20

/**
 * Reminds the admin users connected to this process of quick tasks that have become due. Across all
 * processes, each person is reminded of a task only once per due date. Everyone else is reminded on their
 * next connection.
 */
export async function sendDueReminders({
  db,
  live,
  clock,
}: Pick<App, 'db' | 'live' | 'clock'>): Promise<void> {
  const people = live.peopleHere()
  if (!people.length) return
  const isDue = sql`status = 0 and deleted_at is null and due_date <= ${plainDate(clock.now())}::date
    and (reminded_of, reminded_person) is distinct from (due_date, person) and person = any(${people}::int[])`
  // Check first: even an update that matches no rows is a write and causes every quick task count to be recomputed.
  const { rows: due } = await sql`select 1 from quick_tasks where ${isDue} limit 1`.execute(db)
  if (!due.length) return
  const reminded = { reminded_of: sql`r.due_date`, reminded_person: sql`r.person` }
  const ids = await touchRecords({ db }, quickTaskKind, isDue, reminded, { keepsVersion: true })
  const rows = await db
    .selectFrom('quick_tasks')
    .select(['person', 'title'])
    .where('id', 'in', ids.length ? ids : [0])
    .execute()
  for (const [person, theirs] of Map.groupBy(rows, (row) => row.person))
    live.publish(`private-staff.${person}`, 'quick-tasks-due', {
      titles: theirs.slice(0, mostTitles).map(({ title }) => title),
      total: theirs.length,
    })
}

/**
 * Polls for as long as the process is serving. This is a timer and not a job, because each process reminds
 * the people connected to it. If a poll fails, the next one catches up, and a poll does
 * nothing if no one is connected.
 */
export function startReminderPolling(app: App): Promise<void> {
  setInterval(
    () => void sendDueReminders(app).catch(countFailure(app.http.log, 'due reminders were not sent')),
    lookEveryMs,
  ).unref()
  return Promise.resolve()
}
