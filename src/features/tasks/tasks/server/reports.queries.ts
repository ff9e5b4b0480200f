import { sql } from 'kysely'
import type { TaskReport } from '#features/tasks/tasks/reports.contract.ts'
import type { Db } from '#server/db/db.ts'

interface Wanted {
  task_id: number
  staff_id?: number
  day?: string
  until?: string
}

/** Returns the hours reported on a task, one row per day and person, latest day first. */
export async function findReports(db: Db, { task_id, staff_id, day, until }: Wanted): Promise<TaskReport[]> {
  const { rows } = await sql<{
    report_date: string
    lines: { title: string; hours: number }[]
    user: TaskReport['user']
  }>`
    select r.report_date, json_agg(json_build_object('title', r.title, 'hours', r.hours) order by r.id) as lines,
      json_build_object('id', s.id, 'first_name', s.first_name, 'last_name', s.last_name) as "user"
    from task_reports r join staff s on s.id = r.staff_id
    where r.task_id = ${task_id} and ${staff_id === undefined ? sql`true` : sql`r.staff_id = ${staff_id}`}
      and ${day === undefined ? sql`true` : sql`r.report_date = ${day}::date`} and ${until === undefined ? sql`true` : sql`r.report_date <= ${until}::date`}
    group by r.report_date, s.id order by r.report_date desc, s.id limit 500`.execute(db)
  return rows.map(({ report_date, lines, user }) => ({
    report_date,
    task_details: JSON.stringify(lines),
    user,
  }))
}
