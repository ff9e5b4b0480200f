import { z } from 'zod'
import { addDays, daysBetween, isPlainDate, type PlainDate } from '#shared/dates.ts'
import { plainDay } from '#shared/schemas.ts'
import type { Days } from '#shared/trend.ts'

/** A report covers at most this many days, and by default the last ones up to today. */
export const mostDays = 366
export const usualDays = 30

/** Periods that a report can be compared with. */
export const comparisons = {
  before: 'Compared with the days before',
  year: 'Compared with the same days last year',
  none: 'Not compared',
} as const
export type Comparison = keyof typeof comparisons

/** The period includes both days; it defaults to the last 30 days, compared with as many days before them. */
export const reportFilters = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .object({
      from: plainDay.optional(),
      to: plainDay.optional(),
      ...shape,
      compare: z.enum(Object.keys(comparisons) as Comparison[]).optional(),
    })
    .superRefine((filters, { addIssue }) => {
      const { from, to } = filters as Partial<Days>
      if (!from || !to) return
      const refuse = (message: string) => addIssue({ code: 'custom', path: ['to'], message })
      if (from > to) refuse('The last day can’t be before the first one.')
      else if (daysBetween(from, to) >= mostDays) refuse(`Choose at most ${mostDays} days.`)
    })

/** Returns the filters with a complete period: by default, the last 30 days. */
export function withPeriod<Filters extends { from?: PlainDate | undefined; to?: PlainDate | undefined }>(
  filters: Filters,
  today: PlainDate,
): Filters & Days {
  const to = filters.to ?? (filters.from ? addDays(filters.from, usualDays - 1) : today)
  return { ...filters, from: filters.from ?? addDays(to, 1 - usualDays), to }
}

/** Returns the same day of the year before; 28 February for 29 February. */
const yearBefore = (day: PlainDate): PlainDate => {
  const same = `${String(Number(day.slice(0, 4)) - 1).padStart(4, '0')}${day.slice(4)}`
  return isPlainDate(same) ? same : addDays(yearBefore(addDays(day, 1)), -1)
}

/** Returns the period that one is compared with, if any. */
export const periodsBefore: Record<Comparison, (period: Days) => Days | undefined> = {
  before: ({ from, to }) => ({ from: addDays(from, -daysBetween(from, to) - 1), to: addDays(from, -1) }),
  year: ({ from, to }) => ({ from: yearBefore(from), to: yearBefore(to) }),
  none: () => undefined,
}
