import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { inputsOf, repliesOf } from '#shared/field.ts'
import { code, oneOf, plainDay, recordId, text } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply, recordIds, editBaseFields } from '#shared/record.contract.ts'
import { quickTaskFields } from '#features/crm/quick-tasks/fields.ts'
import { entities } from '#features/crm/quick-tasks/rules.ts'

export const quickTasksPerPage = 20
export const quickSorts = ['due_date', 'title', 'priority', 'status', 'id'] as const

/** The JSON in `filters`; unknown keys are rejected. */
const ExtraFilters = z.strictObject({
  /**
   * overdue: open and due before today; today: due today; week: due today or in the next six days; none: no
   * due date.
   */
  due: z.enum(['overdue', 'today', 'week', 'none']).optional(),
  person: recordId.optional(),
  creator: recordId.optional(),
  /** Today's date for the viewer; defaults to the server's date. */
  today: plainDay.optional(),
})
export type ExtraFilters = z.output<typeof ExtraFilters>

const filtersText = z
  .string()
  .max(1000, 'Use 1,000 characters or fewer.')
  .transform((value, context) => {
    try {
      return JSON.parse(value) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'Enter valid JSON.' })
      return z.NEVER
    }
  })
  .pipe(ExtraFilters)

/** Value of `entity`: quick tasks about a type of record (`lead`) or about a single record (`lead:482`). */
const entityFilter = z
  .string()
  .regex(
    new RegExp(`^(${entities.join('|')})(:[1-9]\\d{0,8})?$`),
    `Use a record type such as lead, or a single record such as lead:482. Other types: ${entities.slice(1).join(', ')}.`,
  )

export const QuickTaskQuery = z.object({
  page: pageNumber.default(1),
  status: oneOf(0, 1).optional(),
  search: text(200).default(''),
  type: code.optional(),
  entity: entityFilter.optional(),
  filters: filtersText.optional(),
  column: z.enum(quickSorts).default('due_date'),
  direction: z.enum(['asc', 'desc']).default('asc'),
})
export type QuickTaskQuery = z.output<typeof QuickTaskQuery>

export const QuickTask = z.object({
  ...repliesOf(quickTaskFields),
  person_name: z.string(),
  creator_name: z.string(),
  version: z.number().int(),
})
export type QuickTask = z.output<typeof QuickTask>

const fields = z.object(inputsOf(quickTaskFields))
/** Unpacks fields that are sent as JSON in `formData`; other input is returned unchanged. */
const unwrapFormData = (input: unknown): unknown => {
  const packed = (input as { formData?: unknown } | null)?.formData
  if (typeof packed !== 'string') return typeof packed === 'object' && packed !== null ? packed : input
  try {
    return JSON.parse(packed) as unknown
  } catch {
    return input
  }
}
export const NewQuickTask = z.preprocess(unwrapFormData, fields.partial().required({ title: true }))
export const QuickTaskChange = z.preprocess(unwrapFormData, fields.partial().extend(editBaseFields))

const params = z.object({ id: recordId })
const path = '/common/quick-task'

export const quickTasks = {
  list: endpoint({
    method: 'GET',
    path,
    shows: ['quick_task'],
    summary:
      'List quick tasks the caller created or is assigned to, 20 per page. Super Admins and Admins see everyone’s.',
    access: 'signed-in',
    query: QuickTaskQuery,
    response: listReply(QuickTask),
  }),
  create: endpoint({
    method: 'POST',
    path,
    summary: 'Create a quick task. It’s assigned to the caller unless another assignee is given.',
    act: 'Created',
    access: 'signed-in',
    record: 'quick_task',
    body: NewQuickTask,
    response: z.object({ message: z.string(), data: QuickTask }),
  }),
  show: endpoint({
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Get a quick task.',
    calledBy: 'clients of B §7',
    access: 'signed-in',
    params,
    response: z.object({ data: QuickTask }),
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/{id}`,
    summary:
      'Update the given fields of a quick task. Only its creator, Super Admins, and Admins can do this.',
    act: 'Edited',
    access: 'signed-in',
    params,
    record: 'quick_task',
    body: QuickTaskChange,
    response: changedReply(QuickTask),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Move a quick task to trash. Only its creator, Super Admins, and Admins can do this.',
    act: 'Moved to trash',
    calledBy: 'clients of B §7',
    access: 'signed-in',
    params,
    response: ActReply,
  }),
  markCompleted: endpoint({
    method: 'PUT',
    path: `${path}/mark-completed/{id}`,
    summary: 'Mark a quick task as done (1) or open (0). Anyone who can see it can do this.',
    act: 'Changed status',
    access: 'signed-in',
    params,
    body: z.object({ status: oneOf(0, 1).default(1) }),
    response: changedReply(QuickTask),
  }),
  changeMany: endpoint({
    method: 'POST',
    path: `${path}/many`,
    summary:
      'Mark several quick tasks as done or open, or change their due date, in one operation that can be undone. Skips tasks the caller can’t see.',
    act: 'Edited in bulk',
    access: 'signed-in',
    body: z
      .object({ ids: recordIds, status: oneOf(0, 1).optional(), due_date: plainDay.optional() })
      .refine(({ status, due_date }) => (status === undefined) !== (due_date === undefined), {
        path: ['status'],
        message: 'Send either a status or a due date.',
      }),
    response: ActReply,
  }),
  snooze: endpoint({
    method: 'POST',
    path: `${path}/snooze/{id}`,
    summary: 'Change the due date of a quick task. Anyone who can see it can do this.',
    act: 'Snoozed',
    access: 'signed-in',
    params,
    body: z.object({ due_date: plainDay }),
    response: changedReply(QuickTask),
  }),
}
