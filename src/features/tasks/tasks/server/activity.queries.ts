import { sql } from 'kysely'
import type { TaskActivity } from '#features/tasks/tasks/activity.contract.ts'
import type { Db } from '#server/db/db.ts'

/** An activity entry before it has an ID and a timestamp. */
interface NewActivity {
  task_id: number
  type: number
  created_by: number
  due_date?: string | null
  comment?: string | null
  status?: number | null
  created_at?: string
  assigned_to?: number | null
}

export const addActivity = (db: Db, told: NewActivity) =>
  db.insertInto('task_activities').values(told).execute()

/** Returns a task's activity, newest first, limited to the given types if any. */
export async function findActivity(
  db: Db,
  task_id: number,
  types?: readonly number[],
): Promise<TaskActivity[]> {
  const person = (column: string) =>
    sql.raw(
      `(select json_build_object('id', s.id, 'first_name', s.first_name, 'last_name', s.last_name) from staff s where s.id = ${column})`,
    )
  const { rows } =
    await sql<TaskActivity>`select a.id, a.type, ${person('a.created_by')} as created_by, a.created_at, a.due_date, a.comment, a.status,
      ${person('a.assigned_to')} as assigned_to,
      case when a.type in (5, 7, 8) then (select m.old_date from task_date_moves m where m.task_id = a.task_id and m.type = a.type
        and m.new_date = a.due_date and m.moved_at = a.created_at limit 1) end as old_date
    from task_activities a where a.task_id = ${task_id} and ${types ? sql`a.type = any(${[...types]}::int[])` : sql`true`}
    order by a.id desc limit 500`.execute(db)
  return rows
}
