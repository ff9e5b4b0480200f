import { addDays, daysBetween, monthOf, type PlainDate } from '#shared/dates.ts'

/** Page size of the report (A §9). */
export const linesPerPage = 300
/** Maximum number of people with their own color in the chart. */
export const mostInChart = 8
/** Maximum number of days in a report: three years. */
export const longestDays = 1096

/**
 * Returns a report's first and last day: the current month if neither is given. Without an end date, the
 * report ends today or on its start date, whichever is later; without a start date, it begins in the month of
 * its end date.
 */
export function reportDays(
  { startDate, endDate }: { startDate?: string | undefined; endDate?: string | undefined },
  today: PlainDate,
): { from: PlainDate; to: PlainDate } {
  if (startDate === undefined && endDate === undefined)
    return { from: monthOf(today).first, to: monthOf(today).last }
  const to = endDate ?? (startDate! > today ? startDate! : today)
  return { from: startDate ?? monthOf(to).first, to }
}

/** Returns why a report for these days is rejected; undefined if it is allowed. */
export function whyNotReport({ from, to }: { from: PlainDate; to: PlainDate }): string | undefined {
  if (from > to) return 'Choose an end date on or after the start date.'
  return daysBetween(from, to) >= longestDays ? 'Choose a range of up to three years.' : undefined
}

/** Returns the weekdays in a range, excluding holidays and including the last day. */
export function workingDays(from: PlainDate, to: PlainDate, holidays: ReadonlySet<PlainDate>): PlainDate[] {
  const days: PlainDate[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
    if (weekday !== 0 && weekday !== 6 && !holidays.has(day)) days.push(day)
  }
  return days
}
