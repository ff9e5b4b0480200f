import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { emptyIsAbsent, plainDay, recordId, requiredText } from '#shared/schemas.ts'
import { person } from '#features/tasks/tasks/fields.ts'
import { formBody } from '#features/tasks/tasks/form-body.contract.ts'

/** `task_details` is a list of titles and hours as a JSON string (B §3). */
export const TaskReport = z.object({ report_date: z.string(), task_details: z.string(), user: person })
export type TaskReport = z.output<typeof TaskReport>

const line = z.object({
  title: requiredText(300),
  hours: z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,2}(\.\d{1,2})?$/.test(value) ? Number(value) : value),
    z.number('Enter a number.').gt(0, 'Enter a number greater than 0.').lte(24, 'Enter 24 or less.'),
  ),
})
/** Accepts a list, or the same list as a JSON string. */
const lines = z.preprocess((value) => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}, z.array(line, 'Send a list of entries, each with a title and hours.').max(50))

const ReportsReply = z.object({ reports: z.array(TaskReport) })

export const HoursBody = z.object({
  task_id: recordId,
  report_date: emptyIsAbsent(plainDay),
  task_details: lines,
})
/** Only development tasks have hour reports (B §7). */
export const reports = {
  save: endpoint({
    method: 'POST',
    path: '/common/task/developer-report',
    summary: 'Save the caller’s hours on a task for a day, replacing that day’s entries.',
    act: 'Reported hours',
    access: 'view_task_tab_report',
    body: formBody(HoursBody),
    response: z.object({ message: z.string(), reports: z.array(TaskReport) }),
  }),
  today: endpoint({
    method: 'GET',
    path: '/common/task/today-report/{taskId}/{date}',
    shows: ['task', 'designer_task'],
    alsoAt: ['/common/task/today-report/{taskId}'],
    summary: 'List the caller’s hours on a task for a day, today by default.',
    calledBy: 'clients of B §7',
    access: 'view_task_tab_report',
    params: z.object({ taskId: recordId, date: plainDay.optional() }),
    response: ReportsReply,
  }),
  history: endpoint({
    method: 'GET',
    path: '/common/task/report-history/{taskId}/{date}',
    shows: ['task', 'designer_task'],
    summary: 'List the caller’s hours on a task up to and including a given day, latest first.',
    calledBy: 'clients of B §7',
    access: 'view_task_tab_report',
    params: z.object({ taskId: recordId, date: plainDay }),
    response: ReportsReply,
  }),
}
