import { sql } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { countsPerWeek, daysOf, trendOf, weeksOf, type Period } from '#shared/trend.ts'
import type { TaskQuery } from '#features/tasks/tasks/contract.ts'
import { tasksCounted, type TaskNumbers } from '#features/tasks/tasks/numbers.contract.ts'
import type { DisciplineName } from '#features/tasks/tasks/rules.ts'
import { matching, statusSetAt } from '#features/tasks/tasks/server/tasks.queries.ts'
import type { Db } from '#server/db/db.ts'
import { dayOf } from '#server/record/list.ts'

interface Asked {
  discipline: DisciplineName
  product_id: number | undefined
  period: Period
}

/** Returns the statistics of the tasks that the viewer's list has. */
export async function findTaskNumbers(
  db: Db,
  { discipline, product_id, period }: Asked,
  viewer: Viewer,
): Promise<TaskNumbers> {
  const weeks = weeksOf(period)
  const listed = (filters: TaskQuery) => matching(discipline, { product_id, ...filters }, viewer)
  const count = async (filters: TaskQuery) =>
    (
      await sql<{
        total: number
      }>`select count(*)::int as total from tasks t where ${listed(filters)}`.execute(db)
    ).rows[0]!.total
  const [{ rows: days }, overdue, week, in_review] = await Promise.all([
    sql<{ day: PlainDate; count: number }>`select ${dayOf(statusSetAt, viewer)} as day, count(*)::int as count
      from tasks t where ${listed(tasksCounted.delivered(daysOf(period)))} group by 1`.execute(db),
    count(tasksCounted.overdue(viewer.id, period.to)),
    count(tasksCounted.week(viewer.id, period.to)),
    count(tasksCounted.in_review(viewer.id)),
  ])
  return {
    delivered: trendOf(days, period),
    weeks,
    delivered_per_week: countsPerWeek(days, weeks),
    own: { overdue, week, in_review },
  }
}
