import { sql } from 'kysely'
import { dayText, plainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { progress, type ProgressFilters, type Sum } from '#features/tasks/progress/contract.ts'
import { reportDays, whyNotReport } from '#features/tasks/progress/rules.ts'
import {
  allLines,
  allTaskSums,
  findChart,
  findGaps,
  findNames,
  findProgress,
  findSums,
  findTeams,
  reportsHours,
} from '#features/tasks/progress/server/progress.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, invalid } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { removeAwayDay } from '#server/record/away.ts'
import { replyCsv, type HeadPart } from '#server/record/list.ts'

type Filters = Pick<
  ProgressFilters,
  'startDate' | 'endDate' | 'team_id' | 'user_id' | 'task_id' | 'search' | 'product_id'
>

/**
 * Returns the report's days and the names of the records that the filters refer to.
 * @throws HttpError 422 for an invalid range or an unknown team, person, or task.
 */
async function resolveFilters(db: Db, filters: Filters, viewer: Viewer, now: Date) {
  const days = reportDays(filters, plainDate(now))
  const why = whyNotReport(days)
  if (why) throw invalid('endDate', why)
  const names = await findNames(db, filters, viewer)
  if (filters.team_id !== undefined && names.team === null)
    throw invalid('team_id', 'This team doesn’t exist.')
  if (filters.user_id !== undefined && names.person === null)
    throw invalid('user_id', 'This person doesn’t exist.')
  if (filters.task_id !== undefined && names.task === null)
    throw invalid('task_id', 'This task doesn’t exist.')
  return { days, names }
}

const listProgress: Handler<typeof progress.list> = async ({ query }, { db, viewer, clock }) => {
  const { days } = await resolveFilters(db, query, viewer, clock.now())
  return { ...(await findProgress(db, query, days, viewer)), ...days }
}

const exportProgress: Handler<typeof progress.export> = async (
  { query },
  { app, db, viewer, clock, reply },
) => {
  const { days, names } = await resolveFilters(db, query, viewer, clock.now())
  const sums = await findSums(db, query, days, viewer, false)
  const filters = {
    Team: names.team,
    Person: names.person,
    Task: names.task,
    Product: names.product,
    Search: query.search || null,
  }
  const rowsOf = (title: string, group: readonly Sum[]) =>
    group.map(({ name, hours }) => [title, name, hours])
  const head: HeadPart[] = [
    ['Progress report', `${days.from} to ${days.to}`, `Time zone ${query.zone}`],
    ['Total hours', sums.hours],
    ...Object.entries(filters).filter(([, name]) => name !== null),
    ...rowsOf('By person', sums.by_person),
    ...rowsOf('By product', sums.by_product),
    { query: allTaskSums(db, query, days, viewer), line: ({ name, hours }) => ['By task', name, hours] },
    ...rowsOf('By day', sums.by_day),
  ]
  const columns = {
    Day: (line: { day: string }) => line.day,
    Person: (line: { person: string }) => line.person,
    Task: (line: { task: string }) => line.task,
    Title: (line: { title: string }) => line.title,
    Hours: (line: { hours: number }) => line.hours,
    Product: (line: { product: string }) => line.product,
  }
  return replyCsv(
    app.pool,
    reply,
    `progress-${days.from}-${days.to}.csv`,
    allLines(db, query, days, viewer),
    columns,
    head,
  )
}

const showChart: Handler<typeof progress.chart> = async ({ query }, { db, viewer, clock }) =>
  findChart(db, query, (await resolveFilters(db, query, viewer, clock.now())).days, viewer)

const listGaps: Handler<typeof progress.gaps> = async ({ query }, { db, viewer, clock }) =>
  findGaps(
    db,
    query,
    (await resolveFilters(db, query, viewer, clock.now())).days,
    viewer,
    plainDate(clock.now()),
  )

const markAway: Handler<typeof progress.away> = async (
  { body: { staff_id, day, away } },
  { db, viewer, audit },
) => {
  await demandPerson(db, staff_id, viewer)
  if (away)
    await db
      .insertInto('staff_away')
      .values({ staff_id, day, marked_by: viewer.id })
      .onConflict((on) => on.doNothing())
      .execute()
  else await removeAwayDay(db, staff_id, day)
  audit({ target: 'staff', id: staff_id, after: { day, away } })
  return { message: away ? 'Marked as away.' : 'No longer marked as away.' }
}

const sendReminder: Handler<typeof progress.remind> = async (
  { body: { staff_id, days } },
  { app, db, viewer, clock, audit },
) => {
  const { email, first_name } = await demandPerson(db, staff_id, viewer)
  const made = await db
    .insertInto('progress_reminders')
    .values({ staff_id, day: plainDate(clock.now()), reminded_by: viewer.id })
    .onConflict((on) => on.doNothing())
    .returning('staff_id')
    .executeTakeFirst()
  if (!made) throw conflict(`${first_name} has already been reminded today.`)
  const about = { staff_id: viewer.id }
  const values = { first_name, days: days.map(dayText).join(', ') }
  await app.mail.queue(db, {
    kind: 'progress-reminder',
    to: [email],
    ...(await app.mail.write(db, 'progress-reminder', values, about)),
    ...about,
  })
  audit({ target: 'staff', id: staff_id, after: { reminded_of: days } })
  return {
    message: app.mail.isOn
      ? `Reminder sent to ${first_name}.`
      : `Your reminder to ${first_name} is in the outbox. It will be sent once email is set up.`,
  }
}

export function progressRoutes(app: App): void {
  implement(app, progress.list, listProgress)
  implement(app, progress.export, exportProgress)
  implement(app, progress.chart, showChart)
  implement(app, progress.gaps, listGaps)
  implement(app, progress.teams, async (_input, { db }) => ({ data: await findTeams(db) }))
  implement(app, progress.away, markAway)
  implement(app, progress.remind, sendReminder)
}

/**
 * Returns an admin user to remind or mark as away.
 * @throws HttpError 422 if the user is banned, shares no product with the viewer, or doesn't report hours.
 */
async function demandPerson(
  db: Db,
  id: number,
  { products }: Viewer,
): Promise<{ email: string; first_name: string }> {
  const person = await db
    .selectFrom('staff as s')
    .select(['email', 'first_name', reportsHours.as('reports')])
    .where('id', '=', id)
    .where('banned_at', 'is', null)
    .where(
      sql<boolean>`exists (select from staff_products p where p.staff_id = s.id and p.product_id = any(${products}::int[]))`,
    )
    .executeTakeFirst()
  if (!person) throw invalid('staff_id', 'This admin user doesn’t exist.')
  if (!person.reports) throw invalid('staff_id', `${person.first_name} doesn’t report hours.`)
  return person
}
