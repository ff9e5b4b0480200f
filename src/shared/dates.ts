/** A calendar day as `YYYY-MM-DD`, never shifted by a time zone. */
export type PlainDate = string

const twoDigits = (n: number) => String(n).padStart(2, '0')

/** Returns the calendar day in local time, without converting to UTC (docs/spec-gaps.md G77). */
export function plainDate(date: Date): PlainDate {
  return `${String(date.getFullYear()).padStart(4, '0')}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

export const weekdays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const
export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** Returns the name of a day's month with its year, such as `November 2026`. */
export const monthText = (day: PlainDate): string =>
  `${months[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`

/** Returns the name of a day's weekday, such as `Tuesday`. */
export const weekday = (day: PlainDate): string => weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()]!

/** Formats a calendar day, independent of any time zone, such as `20 Nov 2026`. */
export function dayText(day: PlainDate): string {
  const [year, month, date] = day.split('-')
  return `${Number(date)} ${months[Number(month) - 1]?.slice(0, 3)} ${year}`
}

/** Range of valid years; keeps date calculations within what JavaScript and PostgreSQL can represent. */
export const [firstYear, lastYear] = [1900, 2199]

/** Returns whether a string is a valid date from 1900 through 2199; `2026-02-30` is not. */
export function isPlainDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (year < firstYear || year > lastYear) return false
  const date = new Date(Date.UTC(2000, 0, 1))
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/**
 * Returns the day that is the given number of days after another day, or before it if the number is negative.
 */
export function addDays(day: PlainDate, days: number): PlainDate {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** Returns the number of days from the first day to the second; negative if the second is earlier. */
export function daysBetween(first: PlainDate, second: PlainDate): number {
  return (Date.parse(`${second}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / 86_400_000
}

/** Returns the Monday of a day's week, independent of any time zone. */
export const mondayOf = (day: PlainDate): PlainDate =>
  addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))

/** Returns the first and last day of the month that a day belongs to. */
export function monthOf(day: PlainDate): { first: PlainDate; last: PlainDate } {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return { first: `${day.slice(0, 8)}01`, last: `${day.slice(0, 8)}${twoDigits(last)}` }
}

/** Returns the same day in another month, or that month's last day if the month is too short. */
export function addMonths(day: PlainDate, months: number): PlainDate {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const at = year * 12 + month - 1 + months
  const first = `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01`
  return addDays(first, Math.min(date, Number(monthOf(first).last.slice(8))) - 1)
}
