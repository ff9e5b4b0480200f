import { sql } from 'kysely'
import { addDays, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { openStatuses, ownDate } from '#features/tasks/tasks/rules.ts'
import type { Workload } from '#features/tasks/tasks/workload.contract.ts'
import type { Db } from '#server/db/db.ts'

const mostPeople = 100

/** Counts the tasks of these products that the viewer's list has, by assignee and due date. */
export async function findWorkload(
  db: Db,
  viewer: Viewer,
  products: readonly number[],
  today: PlainDate,
): Promise<Workload> {
  const day = sql.ref(`t.${ownDate(viewer.role_id)}`)
  const { rows } = await sql<
    Workload['people'][number]
  >`select s.id, s.name, w.overdue, w.week, w.later from (
      select t.assigned_to,
        count(*) filter (where ${day} < ${today}::date)::int as overdue,
        count(*) filter (where ${day} between ${today}::date and ${addDays(today, 6)}::date)::int as week,
        count(*) filter (where ${day} is null or ${day} > ${addDays(today, 6)}::date)::int as later
      from tasks t where t.deleted_at is null and t.discipline = 'development' and t.assigned_to is not null
        and t.product_id = any(${products}::int[]) and t.status = any(${openStatuses}::int[]) group by 1
    ) w join staff s on s.id = w.assigned_to
    order by w.overdue desc, w.overdue + w.week + w.later desc, s.name, s.id limit ${mostPeople}`.execute(db)
  return { people: rows }
}
