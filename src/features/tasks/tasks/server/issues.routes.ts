import { issueAnchor, issues } from '#features/tasks/tasks/issues.contract.ts'
import { activityTypes, maySetIssue, mayWriteIssues } from '#features/tasks/tasks/rules.ts'
import { addActivity } from '#features/tasks/tasks/server/activity.queries.ts'
import { findIssues } from '#features/tasks/tasks/server/issues.queries.ts'
import { taskKind } from '#features/tasks/tasks/server/tasks.queries.ts'
import { notAllowed, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { tellTagged } from '#server/record/mentions.ts'
import { lockRecord } from '#server/record/record.ts'
import { liveName } from '#server/record/rows.ts'

const kind = taskKind('development')

const addIssue: Handler<typeof issues.add> = async ({ body: { task_id, task_issue, tag_user } }, context) => {
  const { app, db, viewer, audit, changed } = context
  if (!mayWriteIssues(viewer.role_id))
    throw notAllowed('Only Super Admin, Admin, QA, and ADH Helper can add issues.')
  await lockRecord(db, kind, task_id, viewer)
  const { id } = await db
    .insertInto('task_issues')
    .values({ task_id, task_issue, created_by: viewer.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addActivity(db, {
    task_id,
    type: activityTypes.addIssue,
    created_by: viewer.id,
    comment: task_issue,
  })
  await tellTagged(app, context, {
    kind,
    id: task_id,
    anchor: issueAnchor(id),
    tag_user,
    words: task_issue,
  })
  audit({ target: kind.type, id: task_id, after: { issue: task_issue } })
  changed(liveName(kind), [task_id])
  return { message: 'Issue added.', qa_issue: await findIssues(db, task_id) }
}

const setIssueStatus: Handler<typeof issues.setStatus> = async (
  { body: { id, status, task_id } },
  { app, db, viewer, audit, changed },
) => {
  const issue = await db.selectFrom('task_issues').selectAll().where('id', '=', id).executeTakeFirst()
  if (!issue || (task_id !== undefined && issue.task_id !== task_id)) throw notFound('Issue not found.')
  await lockRecord(db, kind, issue.task_id, viewer)
  if (!maySetIssue(viewer.role_id, status))
    throw notAllowed(status === 1 ? 'Your role can’t resolve issues.' : undefined)
  const { numUpdatedRows } = await db
    .updateTable('task_issues')
    .set({ status, updated_at: app.clock.now().toISOString() })
    .where('id', '=', id)
    .where('status', '<>', status)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) {
    if (status === 0)
      await addActivity(db, {
        task_id: issue.task_id,
        type: activityTypes.addIssue,
        created_by: viewer.id,
        comment: `Reopened: ${issue.task_issue}`,
      })
    const words = (one: number) => ({ issue: `${issue.task_issue} (${one === 1 ? 'resolved' : 'open'})` })
    audit({ target: kind.type, id: issue.task_id, before: words(issue.status), after: words(status) })
    changed(liveName(kind), [issue.task_id])
  }
  // This text is quoted verbatim, even though the status of an issue changed (B §2).
  return { message: 'Task status updated successfully!', qa_issue: await findIssues(db, issue.task_id) }
}

/** Registers the endpoints for issues, which only development tasks have (B §7). */
export function taskIssueRoutes(app: App): void {
  implement(app, issues.add, addIssue)
  implement(app, issues.setStatus, setIssueStatus)
}
