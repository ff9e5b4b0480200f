import { z } from 'zod'
import { addDays, daysBetween, mondayOf, type PlainDate } from '#shared/dates.ts'

/** Periods that the numbers of the dashboard can cover, up to and including today. */
export const periodNames = {
  '2': 'Since yesterday',
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '90': 'Last 90 days',
  quarter: 'This quarter',
} as const
export type PeriodId = keyof typeof periodNames
export const periodIds = Object.keys(periodNames) as [PeriodId, ...PeriodId[]]
export const defaultPeriod = '30' satisfies PeriodId
export const periodId = z.enum(periodIds).default(defaultPeriod)

/** Most parts in which a trend shows its period. */
const mostParts = 10
/** Least number of weeks that a chart covers; the last one is the current week. */
const leastWeeks = 11

export interface Days {
  from: PlainDate
  to: PlainDate
}

/** The days of a period, and as many days before them. */
export interface Period extends Days {
  before: Days
  /** Number of days. */
  length: number
}

/** A number over a period. */
export const Trend = z.object({
  total: z.number().int(),
  /** The number over as many days before the period. */
  before: z.number().int(),
  /** The same number in equal parts of the period, oldest first. */
  parts: z.array(z.number().int()),
})
export type Trend = z.output<typeof Trend>

/** Returns the days of a period that ends today. */
export function periodOf(id: PeriodId, today: PlainDate): Period {
  const from = id === 'quarter' ? quarterStart(today) : addDays(today, 1 - Number(id))
  const length = daysBetween(from, today) + 1
  return { from, to: today, length, before: { from: addDays(from, -length), to: addDays(from, -1) } }
}

function quarterStart(day: PlainDate): PlainDate {
  const month = Number(day.slice(5, 7))
  return `${day.slice(0, 5)}${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`
}

/** Describes the period of a number, such as `in 30 days`. */
export const periodText = (id: PeriodId): string =>
  id === 'quarter' || id === '2' ? uncapitalized(periodNames[id]) : `in ${id} days`

const uncapitalized = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** Describes the time before a period, such as `30 days ago`. */
export const agoText = ({ length }: Period): string => (length === 1 ? 'a day ago' : `${length} days ago`)

type CountOfDay = { day: PlainDate; count: number }

/** Returns in how many parts a trend shows its period. */
export const partsIn = ({ length }: Pick<Period, 'length'>): number => Math.min(mostParts, length)

/** Returns the trend of things that happened on the given days. */
export function trendOf(days: readonly CountOfDay[], { from, to, length, before }: Period): Trend {
  const parts = Array.from({ length: partsIn({ length }) }, () => 0)
  let earlier = 0
  for (const { day, count } of days) {
    if (day >= from && day <= to)
      parts[Math.floor((daysBetween(from, day) * parts.length) / length)]! += count
    else if (day >= before.from && day <= before.to) earlier += count
  }
  return { total: parts.reduce((sum, count) => sum + count, 0), before: earlier, parts }
}

/**
 * Returns the trend of a number that is `total` now and that changed on the given days: before the period, and at the
 * end of each of its parts.
 */
export function levelOf(total: number, changes: readonly CountOfDay[], period: Period): Trend {
  const { parts } = trendOf(changes, period)
  let before = total
  const ends = parts.toReversed().map((change) => {
    const end = before
    before -= change
    return end
  })
  return { total, before, parts: ends.toReversed() }
}

/** Returns the Mondays of a chart's weeks, oldest first: the weeks of the period, but at least eleven. */
export function weeksOf({ from, to }: Days): PlainDate[] {
  const monday = mondayOf(to)
  const count = Math.max(leastWeeks, daysBetween(mondayOf(from), monday) / 7 + 1)
  return Array.from({ length: count }, (_, index) => addDays(monday, 7 * (index + 1 - count)))
}

/** Returns the days of a week that begins on a Monday. */
export const weekFrom = (monday: PlainDate): Days => ({ from: monday, to: addDays(monday, 6) })

/** Returns the days that a trend and a chart of the period need, up to the end of the current week. */
export function daysOf(period: Period): Days {
  const weeks = weeksOf(period)
  const { from } = period.before
  return { from: weeks[0]! < from ? weeks[0]! : from, to: weekFrom(weeks.at(-1)!).to }
}

/** Returns the number per week of things that happened on the given days. */
export function countsPerWeek(days: readonly CountOfDay[], weeks: readonly PlainDate[]): number[] {
  const counts = weeks.map(() => 0)
  for (const { day, count } of days) {
    const index = weeks.indexOf(mondayOf(day))
    if (index >= 0) counts[index]! += count
  }
  return counts
}
