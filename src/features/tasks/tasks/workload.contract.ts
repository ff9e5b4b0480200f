import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { plainDay, recordId } from '#shared/schemas.ts'

const count = z.number().int()

export const Workload = z.object({
  /** By the due date that matters to the caller's role; most overdue tasks first. */
  people: z.array(
    z.object({
      /** 0: tasks without an assignee, as in the list's filter. */
      id: count,
      name: z.string(),
      overdue: count,
      /** Due today or in the six days after it. */
      week: count,
      /** Due after that, or without a due date. */
      later: count,
    }),
  ),
})
export type Workload = z.output<typeof Workload>

export const workload = {
  show: endpoint({
    method: 'GET',
    path: '/common/task/workload',
    shows: ['task'],
    summary:
      'Count the open development tasks of each assignee, and of those without one, by due date: overdue, in the next seven days, and later, for one product or all of the caller’s products. Up to 100 people.',
    access: 'task_list',
    product: ['query.product_id'],
    query: z.object({ product_id: recordId.optional(), today: plainDay.optional() }),
    response: Workload,
  }),
}
