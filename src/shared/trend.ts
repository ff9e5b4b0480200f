import { z } from 'zod'
import { addDays, daysBetween, mondayOf, type PlainDate } from '#shared/dates.ts'

/** Number of days that a trend covers, up to and including today. */
export const trendDays = 30
/** Number of weeks that a chart on the dashboard covers; the last one is the current week. */
export const trendWeeks = 11
const daysPerPart = 3

/** A number over the last 30 days. */
export const Trend = z.object({
  total: z.number().int(),
  /** The number over the 30 days before them. */
  before: z.number().int(),
  /** The same number in steps of three days, oldest first. */
  parts: z.array(z.number().int()),
})
export type Trend = z.output<typeof Trend>

/** Returns the first day of the last 30 days. */
export const firstOfTrend = (today: PlainDate): PlainDate => addDays(today, 1 - trendDays)

/** Returns the trend of things that happened on the given days. */
export function trendOf(days: readonly { day: PlainDate; count: number }[], today: PlainDate): Trend {
  const parts = Array.from({ length: trendDays / daysPerPart }, () => 0)
  let before = 0
  for (const { day, count } of days) {
    const index = Math.floor(daysBetween(firstOfTrend(today), day) / daysPerPart)
    if (index >= 0 && index < parts.length) parts[index]! += count
    else if (index < 0 && day >= addDays(firstOfTrend(today), -trendDays)) before += count
  }
  return { total: parts.reduce((sum, count) => sum + count, 0), before, parts }
}

/** Returns the Mondays of the last weeks, oldest first; the last one is the current week's. */
export function weeksUntil(today: PlainDate): PlainDate[] {
  const monday = mondayOf(today)
  return Array.from({ length: trendWeeks }, (_, index) => addDays(monday, 7 * (index + 1 - trendWeeks)))
}

/** Returns the number per week of things that happened on the given days. */
export function countsPerWeek(
  days: readonly { day: PlainDate; count: number }[],
  weeks: readonly PlainDate[],
): number[] {
  const counts = weeks.map(() => 0)
  for (const { day, count } of days) {
    const index = weeks.indexOf(mondayOf(day))
    if (index >= 0) counts[index]! += count
  }
  return counts
}
