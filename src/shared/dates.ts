/** A calendar day as `YYYY-MM-DD`, never shifted by a time zone. */
export type PlainDate = string

const twoDigits = (n: number) => String(n).padStart(2, '0')

/** The calendar day that a clock on the wall shows; built without a conversion to UTC (docs/spec-gaps.md G77). */
export function plainDate(date: Date): PlainDate {
  return `${String(date.getFullYear()).padStart(4, '0')}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

/** The years that a day may lie in: sums with days stay within what JavaScript and PostgreSQL can write. */
export const [firstYear, lastYear] = [1900, 2199]

/** Whether a text is a day that exists, of the years 1900 to 2199: `2026-02-30` is not. */
export function isPlainDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (year < firstYear || year > lastYear) return false
  const date = new Date(Date.UTC(2000, 0, 1))
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** The day so many days after another one (before it, when negative). */
export function addDays(day: PlainDate, days: number): PlainDate {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** How many days lie between two: negative when the second is the earlier one. */
export function daysBetween(first: PlainDate, second: PlainDate): number {
  return (Date.parse(`${second}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / 86_400_000
}

/** The first and the last day of the month that a day lies in. */
export function monthOf(day: PlainDate): { first: PlainDate; last: PlainDate } {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return { first: `${day.slice(0, 8)}01`, last: `${day.slice(0, 8)}${twoDigits(last)}` }
}
