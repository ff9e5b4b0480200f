import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, oneOf, recordId, requiredText } from '#shared/schemas.ts'
import { formBody } from '#features/tasks/tasks/form-body.contract.ts'

export const TaskIssue = z.object({
  id: z.number().int(),
  task_issue: z.string(),
  status: z.number().int(),
  created_at: instant,
})
export type TaskIssue = z.output<typeof TaskIssue>

export const NewIssueBody = z.object({
  task_id: recordId,
  task_issue: requiredText(5000),
  /** Mentioned admin users, who are notified. */
  tag_user: z.array(recordId).max(50).optional(),
})
/** ID of an issue's element in Task Details, which notices lead to. */
export const issueAnchor = (id: number | ''): string => `issue-${id}`
const IssuesReply = z.object({ message: z.string(), qa_issue: z.array(TaskIssue) })
export const issues = {
  add: endpoint({
    method: 'POST',
    path: '/common/task/task-issue',
    summary: 'Add an issue to a task. Only Super Admin, Admin, QA, and ADH Helper can do this.',
    act: 'Added an issue',
    access: 'task_issue',
    body: formBody(NewIssueBody),
    response: IssuesReply,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/common/task/update-task-issue-status',
    summary: 'Resolve (1) or reopen (0) an issue.',
    act: 'Changed issue status',
    access: 'task_issue',
    body: formBody(z.object({ id: recordId, status: oneOf(0, 1), task_id: recordId.optional() })),
    response: IssuesReply,
  }),
}
