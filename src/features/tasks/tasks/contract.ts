import { z } from 'zod'
import { anyOf, endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import { inputsOf, repliesOf } from '#shared/field.ts'
import {
  emptyIsAbsent,
  emptyIsNull,
  instant,
  oneOf,
  plainDay,
  recordId,
  requiredText,
  text,
  wholeNumber,
} from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply, editBaseFields } from '#shared/record.contract.ts'
import { priority, several, taskFields } from '#features/tasks/tasks/fields.ts'
import { formBody } from '#features/tasks/tasks/form-body.contract.ts'
import { TaskActivity } from '#features/tasks/tasks/activity.contract.ts'
import { TaskIssue } from '#features/tasks/tasks/issues.contract.ts'
import { TaskReport } from '#features/tasks/tasks/reports.contract.ts'
import {
  bellRoles,
  dateFields,
  disciplineNames,
  disciplineOf,
  moveTypeIds,
  type DisciplineName,
} from '#features/tasks/tasks/rules.ts'

export const tasksPerPage = 20
export const taskSorts = [
  'created',
  'priority',
  'due_date',
  'dev_due_date',
  'adh_due_date',
  'req_due_date',
  'status',
  'title',
] as const

const status = oneOf(0, 1, 2, 3, 4, 5, 6, 7)
const zeroOrOne = oneOf(0, 1)

/**
 * Filters of a task list, sent in the body, the URL, or both. `status`: one or several codes; `delivered`: a
 * delivered group (B §4); `assigned_to`: a person's ID, or 0 for no one; `notified`: 1 if the customer was
 * notified, 0 if not; `date`: the date field used by `from`, `to`, `undated`, and sorting by `due_date`,
 * which defaults to the date field of the viewer's role; `undated`: 1 for tasks without that date;
 * `status_from` and `status_to`: the day since which a task has its status.
 */
const filters = {
  product_id: emptyIsAbsent(recordId),
  search: emptyIsAbsent(text(200)),
  status: emptyIsAbsent(several(status, 8)),
  delivered: emptyIsAbsent(z.enum(['delivered', 'not-delivered'])),
  priority: emptyIsAbsent(priority),
  assigned_to: emptyIsAbsent(wholeNumber(0, 2_147_483_647)),
  organization_id: emptyIsAbsent(recordId),
  task_type_id: emptyIsAbsent(recordId),
  notified: emptyIsAbsent(zeroOrOne),
  date: emptyIsAbsent(z.enum(dateFields)),
  from: emptyIsAbsent(plainDay),
  to: emptyIsAbsent(plainDay),
  undated: emptyIsAbsent(zeroOrOne),
  created_from: emptyIsAbsent(plainDay),
  created_to: emptyIsAbsent(plainDay),
  status_from: emptyIsAbsent(plainDay),
  status_to: emptyIsAbsent(plainDay),
  column: emptyIsAbsent(z.enum(taskSorts)),
  direction: emptyIsAbsent(z.enum(['asc', 'desc'])),
}
export const TaskQuery = z.object({
  ...filters,
  page: emptyIsAbsent(pageNumber),
  per_page: emptyIsAbsent(wholeNumber(1, 1000)),
  /**
   * Limits the number of tasks returned for each day between `from` and `to`, and also returns each day's
   * count.
   */
  a_day: emptyIsAbsent(wholeNumber(1, 1000)),
  sortingBy: emptyIsAbsent(z.enum(taskSorts)),
})
export type TaskQuery = z.output<typeof TaskQuery>

/** Filters in a list's URL. */
export const TaskFilters = z.object({
  ...filters,
  page: pageNumber.default(1),
  search: text(200).default(''),
  column: z.enum(taskSorts).default('created'),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
export type TaskFilters = z.output<typeof TaskFilters>

export const TaskRow = z.object({
  ...repliesOf(taskFields),
  discipline: z.enum(disciplineNames),
  product_id: z.number().int(),
  task_type: z.string().nullable(),
  organization: z.array(z.object({ id: z.number().int(), name: z.string() })),
  task_due_date_time: z.string().nullable(),
  task_req_due_date_time: z.string().nullable(),
  /** Number of times a due date was changed; null if the viewer cannot see the history. */
  moves: z.number().int().nullable(),
  updated_at: instant,
  version: z.number().int(),
})
export type TaskRow = z.output<typeof TaskRow>

const attachment = z.object({ name: z.string(), path: z.string() })
const TaskTicket = z.object({
  id: z.number().int(),
  messages: z.array(
    z.object({
      sent_by_admin: z.boolean(),
      message: z.string(),
      created_at: instant,
      attachments: z.array(attachment),
    }),
  ),
})
export type TaskTicket = z.output<typeof TaskTicket>

/** A task with the data for the tabs that the viewer can see; data for hidden tabs is omitted. */
export const Task = TaskRow.extend({
  description: z.string(),
  created_by_name: z.string().nullable(),
  /** The task's attachments; `GET /api/files/refs` returns their URLs. */
  file_ids: z.array(z.number().int()),
  ticket: TaskTicket.nullish(),
  activity: z.array(TaskActivity).optional(),
  reports: z.array(TaskReport).optional(),
  qa_issue: z.array(TaskIssue).optional(),
})
export type Task = z.output<typeof Task>

const values = z.object(inputsOf(taskFields))

export const NewTaskValues = values
  .partial()
  .required({ title: true })
  .extend({ product_id: recordId, assigned_to: emptyIsNull(recordId).optional() })
export type NewTaskValues = z.output<typeof NewTaskValues>
/** Only the fields that are sent are changed. An existing date can be changed only with extend-due-date. */
export const TaskChange = values.partial().extend(editBaseFields)
export const DateMove = z.object({
  due_date: plainDay,
  comment: requiredText(2000),
  type: emptyIsAbsent(oneOf(...moveTypeIds)),
})
export const StatusChange = z.object({ status, comment: text(2000).default('') })

const params = z.object({ id: recordId })
const taskReply = changedReply(Task)

/**
 * Builds a discipline's endpoints (B §7). Both disciplines have the same shapes, with separate paths and
 * permissions.
 */
export const taskEndpoints = (name: DisciplineName) => ({
  ...recordEndpoints(name),
  ...actionEndpoints(name),
})

/** Builds the endpoints of a discipline that list, show, and edit its tasks. */
function recordEndpoints(name: DisciplineName) {
  const { path, word, list, add, edit, view } = disciplineOf(name)
  const product = ['query.product_id', 'body.product_id'] as const
  return {
    list: endpoint({
      method: 'POST',
      reads: true,
      path,
      shows: [disciplineOf(name).type],
      summary: `List the ${word} tasks that match the filters in the body or query. Read-only, even though the method is POST (docs/spec-gaps.md G156).`,
      access: list,
      product,
      query: TaskQuery,
      body: TaskQuery,
      response: listReply(TaskRow).extend({
        /**
         * For the Delivered and Not Delivered groups: the number of tasks in PR Review, which belong to
         * neither group.
         */
        in_pr_review: z.number().int().nullable(),
        /** With `a_day`: the number of tasks on each day that has tasks. */
        days: z.array(z.object({ day: z.string(), total: z.number().int() })).nullable(),
      }),
    }),
    export: endpoint({
      method: 'GET',
      path: `${path}/export`,
      summary: `Export the ${word} tasks that match the filters as CSV.`,
      access: list,
      product: ['query.product_id'],
      query: TaskQuery,
    }),
    save: endpoint({
      method: 'POST',
      path: `${path}/save`,
      summary: `Create a ${word} task.`,
      act: 'Created',
      access: add,
      product: ['body.product_id'],
      record: disciplineOf(name).type,
      notFields: ['product_id'],
      body: formBody(NewTaskValues),
      maxBytes: 1_500_000,
      response: z.object({ message: z.string(), data: Task }),
    }),
    editForm: endpoint({
      method: 'GET',
      path: `${path}/edit/{id}`,
      shows: [disciplineOf(name).type],
      summary: `Get a ${word} task for editing.`,
      access: edit,
      params,
      response: z.object({ data: Task }),
    }),
    show: endpoint({
      method: 'GET',
      path: `${path}/{id}`,
      shows: [disciplineOf(name).type],
      summary: `Get a ${word} task.`,
      access: view,
      params,
      response: z.object({ data: Task }),
    }),
    update: endpoint({
      method: 'POST',
      path: `${path}/{id}`,
      summary: `Update the given fields of a ${word} task. Returns 409 with the current task if the version is out of date.`,
      act: 'Edited',
      access: edit,
      params,
      record: disciplineOf(name).type,
      body: formBody(TaskChange),
      maxBytes: 1_500_000,
      response: taskReply,
    }),
  }
}

/** Builds the endpoints of a discipline that remove, assign, and move its tasks and show their activity. */
function actionEndpoints(name: DisciplineName) {
  const { path, word, edit, assign, history, remove, changeStatus } = disciplineOf(name)
  return {
    remove: endpoint({
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: `Move a ${word} task to trash. Its activity is kept.`,
      act: 'Moved to trash',
      access: remove,
      params,
      response: ActReply,
    }),
    assign: endpoint({
      method: 'POST',
      path: `${path}/assign/{id}`,
      summary: `Assign or unassign a ${word} task. Assigning a Pending task makes it Assigned.`,
      act: 'Assigned',
      access: assign,
      params,
      body: formBody(z.object({ assigned_to: emptyIsNull(recordId) })),
      response: taskReply,
    }),
    extendDueDate: endpoint({
      method: 'POST',
      path: `${path}/extend-due-date/{id}`,
      summary: `Change a due date of a ${word} task and record the reason. type is 5 (due date), 7 (developer due date), or 8 (adh due date) and defaults to the caller’s own due date.`,
      act: 'Changed due date',
      access: edit,
      params,
      body: formBody(DateMove),
      response: taskReply,
    }),
    changeStatus: endpoint({
      method: 'POST',
      path: `${path}/change-status/{id}`,
      summary: `Change the status of a ${word} task. On Hold requires a comment.`,
      act: 'Changed status',
      access: changeStatus,
      params,
      body: formBody(StatusChange),
      response: taskReply,
    }),
    notificationStatus: endpoint({
      method: 'POST',
      path: `${path}/notification-status/{id}`,
      summary: `Mark the customer of a ${word} task as notified.`,
      act: 'Marked customer as notified',
      access: 'view_task_notify',
      params,
      response: taskReply,
    }),
    activity: endpoint({
      method: 'GET',
      path: `${path}/activity/{id}`,
      shows: [disciplineOf(name).type],
      summary: `List the activity of a ${word} task, optionally of one type. If the caller can’t see the Activity tab, only due date changes are listed.`,
      access: history,
      params,
      query: z.object({ type: wholeNumber(1, 11).optional() }),
      response: z.object({ data: z.array(TaskActivity) }),
    }),
  }
}
export const tasks = {
  development: taskEndpoints('development'),
  designer: taskEndpoints('designer'),
} as const satisfies Record<DisciplineName, ReturnType<typeof taskEndpoints>>

const eitherView = anyOf(...disciplineNames.map((name) => disciplineOf(name).view))

const bell: DecidedAccess = {
  says: 'view_task_is_notified, as Super Admin, Admin, or Support',
  permissions: ['view_task_is_notified'],
  allows: (viewer) => bellRoles.includes(viewer.role_id) && viewer.permissions.has('view_task_is_notified'),
}

/** Endpoints for tasks of either discipline. Access depends on the permission of the task's discipline. */
export const anyTask = {
  view: endpoint({
    method: 'GET',
    path: '/admin/users/view-task/{id}',
    shows: ['task', 'designer_task', 'mails'],
    summary: 'Get a development or designer task as shown in Task Details.',
    access: eitherView,
    params,
    response: z.object({ data: Task }),
  }),
  currentDueDate: endpoint({
    method: 'GET',
    path: '/admin/users/get-current-due-date/{id}',
    shows: ['task', 'designer_task'],
    summary: 'Get the due dates the caller can see on a task and how many times they’ve changed.',
    calledBy: 'clients of B §7',
    access: eitherView,
    params,
    response: z.object({
      due_date: z.string().nullable(),
      dev_due_date: z.string().nullable(),
      adh_due_date: z.string().nullable(),
      req_due_date: z.string().nullable(),
      moves: z.number().int().nullable(),
    }),
  }),
  unnotified: endpoint({
    method: 'GET',
    path: '/admin/support/unnotified-task-count',
    shows: ['task', 'designer_task'],
    summary:
      'List delivered tasks whose customers haven’t been notified, by due date (docs/spec-gaps.md G120).',
    access: bell,
    response: z.object({
      task_count: z.number().int(),
      tasks: z.array(
        z.object({
          id: z.number().int(),
          title: z.string(),
          created_at: instant,
          due_date: z.string().nullable(),
          discipline: z.enum(disciplineNames),
          /** Names of the organizations whose users haven't been notified. */
          organizations: z.string(),
          /** Whether a ticket is linked to the task, so that its requester can be sent a message. */
          has_ticket: z.boolean(),
        }),
      ),
    }),
  }),
}
