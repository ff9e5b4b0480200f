import { addDays, monthOf, type PlainDate } from '#shared/dates.ts'

/** Returns the Monday of a day's week, independent of any time zone. */
export const mondayOf = (day: PlainDate): PlainDate =>
  addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))

export const daysFrom = (first: PlainDate, count: number): PlainDate[] =>
  Array.from({ length: count }, (_, index) => addDays(first, index))

/** Returns the days of all weeks that overlap a month, from Monday to Sunday. */
export function daysOfMonth(day: PlainDate): PlainDate[] {
  const { first, last } = monthOf(day)
  const start = mondayOf(first)
  const days = daysFrom(start, 42)
  return days.slice(0, days[35]! > last ? (days[28]! > last ? 28 : 35) : 42)
}

/** Returns the same day in another month, or that month's last day if the month is too short. */
export function addMonths(day: PlainDate, months: number): PlainDate {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const at = year * 12 + month - 1 + months
  const first = `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01`
  return addDays(first, Math.min(date, Number(monthOf(first).last.slice(8))) - 1)
}

export const isWeekend = (day: PlainDate): boolean =>
  [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = [
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
]
export const weekday = (day: PlainDate): string => weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()]!
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
