import { sql } from 'kysely'
import { addDays, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { ownDate } from '#features/tasks/tasks/rules.ts'
import type { Workload } from '#features/tasks/tasks/workload.contract.ts'
import type { Db } from '#server/db/db.ts'
import { compactKeptCounts } from '#server/db/kept-counts.ts'

const mostPeople = 100

/**
 * Counts the open tasks of these products that the viewer's list has, by assignee (0: those without one) and due date, from
 * the counts that the database maintains (migration 0257).
 */
export async function findWorkload(
  db: Db,
  viewer: Viewer,
  products: readonly number[],
  today: PlainDate,
): Promise<Workload> {
  const { rows } = await sql<
    Workload['people'][number]
  >`select w.assigned_to as id, coalesce(s.name, 'Unassigned') as name, w.overdue, w.week, w.later from (
      select c.assigned_to,
        coalesce(sum(c.change) filter (where c.day < ${today}::date), 0)::int as overdue,
        coalesce(sum(c.change) filter (where c.day between ${today}::date and ${addDays(today, 6)}::date), 0)::int as week,
        coalesce(sum(c.change) filter (where c.day > ${addDays(today, 6)}::date), 0)::int as later
      from open_task_counts c
      where c.date_field = ${ownDate(viewer.role_id)} and c.product_id = any(${products}::int[])
      group by 1 having sum(c.change) > 0
    ) w left join staff s on s.id = w.assigned_to
    order by w.overdue desc, w.overdue + w.week + w.later desc, s.name, w.assigned_to limit ${mostPeople}`.execute(
    db,
  )
  return { people: rows }
}

export const compactOpenTasks = (db: Db): Promise<void> =>
  compactKeptCounts(db, 'open_task_counts', ['date_field', 'product_id', 'assigned_to', 'day'])
