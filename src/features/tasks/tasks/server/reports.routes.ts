import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { reports } from '#features/tasks/tasks/reports.contract.ts'
import { activityTypes, mostHoursADay } from '#features/tasks/tasks/rules.ts'
import { addActivity } from '#features/tasks/tasks/server/activity.queries.ts'
import { findReports } from '#features/tasks/tasks/server/reports.queries.ts'
import { taskKind } from '#features/tasks/tasks/server/tasks.queries.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { getRecord, lockRecord } from '#server/record/record.ts'
import { liveName } from '#server/record/rows.ts'

const kind = taskKind('development')

const today = (app: App) => app.clock.now().toISOString().slice(0, 10)

/**
 * Returns the current date in the time zone that is furthest ahead. Hours cannot be reported for a day that
 * has not begun anywhere.
 */
const latestDay = (app: App) =>
  new Date(app.clock.now().getTime() + 14 * 3_600_000).toISOString().slice(0, 10)

const saveHours: Handler<typeof reports.save> = async (
  { body: { task_id, task_details, ...sent } },
  { app, db, viewer, audit, changed },
) => {
  const { report_date = today(app) } = sent
  if (report_date > latestDay(app)) throw invalid('report_date', 'Choose today or an earlier date.')
  await lockRecord(db, kind, task_id, viewer)
  await demandHoursLeft(db, viewer, {
    task_id,
    report_date,
    hours: task_details.reduce((sum, { hours }) => sum + hours, 0),
  })
  const before = await db
    .deleteFrom('task_reports')
    .where('task_id', '=', task_id)
    .where('staff_id', '=', viewer.id)
    .where('report_date', '=', report_date)
    .returning(['title', 'hours'])
    .execute()
  if (task_details.length) {
    const { product_id } = await db
      .selectFrom('tasks')
      .select('product_id')
      .where('id', '=', task_id)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('task_reports')
      .values(
        task_details.map((line) => ({ ...line, task_id, product_id, report_date, staff_id: viewer.id })),
      )
      .execute()
  }
  const inWords = (lines: readonly { title: string; hours: number }[]) =>
    lines.map(({ title, hours }) => `${title}: ${hours}`)
  audit({
    target: kind.type,
    id: task_id,
    before: { hours_reported: inWords(before) },
    after: { hours_reported: inWords(task_details) },
  })
  await addActivity(db, {
    task_id,
    type: activityTypes.developerReport,
    created_by: viewer.id,
    due_date: report_date,
  })
  changed(liveName(kind), [task_id])
  return {
    message: 'Hours saved.',
    reports: await findReports(db, { task_id, staff_id: viewer.id, day: report_date }),
  }
}

const listHoursOfDay: Handler<typeof reports.today> = async (
  { params: { taskId, date } },
  { app, db, viewer },
) => {
  const day = date ?? today(app)
  await getRecord(db, kind, taskId, viewer)
  return { reports: await findReports(db, { task_id: taskId, staff_id: viewer.id, day }) }
}

const listHours: Handler<typeof reports.history> = async ({ params: { taskId, date } }, { db, viewer }) => {
  await getRecord(db, kind, taskId, viewer)
  return { reports: await findReports(db, { task_id: taskId, staff_id: viewer.id, until: date }) }
}

/** Registers the endpoints for hours, which only development tasks have (B §7). */
export function taskReportRoutes(app: App): void {
  implement(app, reports.save, saveHours)
  implement(app, reports.today, listHoursOfDay)
  implement(app, reports.history, listHours)
}

/**
 * Serializes a person's reports.
 * @throws HttpError 422 if the reported hours would exceed the length of the day.
 */
async function demandHoursLeft(
  db: Db,
  viewer: Viewer,
  { task_id, report_date, hours }: { task_id: number; report_date: string; hours: number },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('task_reports'), ${viewer.id})`.execute(db)
  const { rows } = await sql<{ hours: number }>`select coalesce(sum(hours), 0) as hours from task_reports
    where staff_id = ${viewer.id} and report_date = ${report_date}::date and task_id <> ${task_id}`.execute(
    db,
  )
  const elsewhere = rows[0]!.hours
  if (elsewhere + hours > mostHoursADay)
    throw invalid(
      'task_details',
      elsewhere
        ? `You can report up to 24 hours a day. You’ve already reported ${elsewhere} on other tasks.`
        : 'You can report up to 24 hours a day.',
    )
}
