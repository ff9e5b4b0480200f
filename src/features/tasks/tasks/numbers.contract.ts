import { z } from 'zod'
import { addDays, type PlainDate } from '#shared/dates.ts'
import { endpoint } from '#shared/endpoint.ts'
import { plainDay, recordId } from '#shared/schemas.ts'
import { periodId, Trend, type Days } from '#shared/trend.ts'
import {
  delivered,
  disciplineOf,
  inReview,
  openStatuses,
  type DisciplineName,
} from '#features/tasks/tasks/rules.ts'

const count = z.number().int()

export const TaskNumbers = z.object({
  /** Tasks that have been delivered since a day of the period. */
  delivered: Trend,
  /** Mondays of the weeks of the period and of at least eleven weeks, oldest first. */
  weeks: z.array(z.string()),
  /** Tasks that have been delivered since each of the weeks. */
  delivered_per_week: z.array(count),
  /** The caller's own open tasks, by the due date that matters to their role. */
  own: z.object({
    overdue: count,
    /** Due today or in the six days after it. */
    week: count,
    in_review: count,
  }),
})
export type TaskNumbers = z.output<typeof TaskNumbers>

/** Filters of the lists that have exactly the tasks of a number. */
export const tasksCounted = {
  delivered: ({ from, to }: Days) => ({ status: [delivered], status_from: from, status_to: to }),
  overdue: (assigned_to: number, today: PlainDate) => ({
    assigned_to,
    status: openStatuses,
    to: addDays(today, -1),
  }),
  week: (assigned_to: number, today: PlainDate) => ({
    assigned_to,
    status: openStatuses,
    from: today,
    to: addDays(today, 6),
  }),
  in_review: (assigned_to: number) => ({ assigned_to, status: [inReview] }),
}

const numbersOf = (name: DisciplineName) => {
  const { type, path, word, list } = disciplineOf(name)
  return endpoint({
    method: 'GET',
    path: `${path}/numbers`,
    shows: [type],
    summary: `Get the ${word} tasks delivered in a period and by week, and the number of the caller’s own open ones, for one product or all of the caller’s products.`,
    access: list,
    product: ['query.product_id'],
    query: z.object({ product_id: recordId.optional(), today: plainDay.optional(), period: periodId }),
    response: TaskNumbers,
  })
}

export const taskNumbers = {
  development: numbersOf('development'),
  designer: numbersOf('designer'),
} as const satisfies Record<DisciplineName, ReturnType<typeof numbersOf>>
