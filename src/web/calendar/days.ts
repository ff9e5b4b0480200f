import { addDays, mondayOf, monthOf, months, type PlainDate } from '#shared/dates.ts'

export const daysFrom = (first: PlainDate, count: number): PlainDate[] =>
  Array.from({ length: count }, (_, index) => addDays(first, index))

/** Returns the days of all weeks that overlap a month, from Monday to Sunday. */
export function daysOfMonth(day: PlainDate): PlainDate[] {
  const { first, last } = monthOf(day)
  const start = mondayOf(first)
  const days = daysFrom(start, 42)
  return days.slice(0, days[35]! > last ? (days[28]! > last ? 28 : 35) : 42)
}

export const isWeekend = (day: PlainDate): boolean =>
  [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())

export const monthName = (day: PlainDate): string =>
  `${months[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`

const inBritish = (day: PlainDate, style: 'short' | 'long') =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    weekday: style,
    day: 'numeric',
    month: style,
    timeZone: 'UTC',
  })
/** Formats a day as `Mon 16 Mar`. */
export const shortDay = (day: PlainDate): string => inBritish(day, 'short')
/** Formats a day as `Monday 16 March`. */
export const longDay = (day: PlainDate): string => inBritish(day, 'long')
