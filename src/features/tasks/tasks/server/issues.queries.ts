import type { TaskIssue } from '#features/tasks/tasks/issues.contract.ts'
import type { Db } from '#server/db/db.ts'

/** Returns a task's issues in the order in which they were reported. */
export const findIssues = (db: Db, task_id: number): Promise<TaskIssue[]> =>
  db
    .selectFrom('task_issues')
    .select(['id', 'task_issue', 'status', 'created_at'])
    .where('task_id', '=', task_id)
    .orderBy('id')
    .execute()
