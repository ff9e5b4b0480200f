import { addDays, addMonths, mondayOf, monthOf, type PlainDate } from '#shared/dates.ts'

type DatePreset = readonly [label: string, day: PlainDate]
export type RangePreset = readonly [label: string, from: PlainDate, to: PlainDate]

/** Returns the days that work is usually postponed to. */
export const daysAhead = (today: PlainDate): DatePreset[] => [
  ['Today', today],
  ['Tomorrow', addDays(today, 1)],
  ['In a week', addDays(today, 7)],
  ['In a month', addDays(today, 30)],
]

/** Returns the periods that lists are usually filtered by. */
export function rangePresets(today: PlainDate): RangePreset[] {
  const [month, before] = [monthOf(today), monthOf(addMonths(today, -1))]
  const year = today.slice(0, 4)
  return [
    ['Today', today, today],
    ['Yesterday', addDays(today, -1), addDays(today, -1)],
    ['Last 7 days', addDays(today, -6), today],
    ['Next 7 days', today, addDays(today, 6)],
    ['This month', month.first, month.last],
    ['Last month', before.first, before.last],
    ['This year', `${year}-01-01`, `${year}-12-31`],
  ]
}

/** Returns the periods of reports, up to today, because a report compares a period with one of the same length. */
export function reportPresets(today: PlainDate): RangePreset[] {
  const [monday, { first }] = [mondayOf(today), monthOf(today)]
  const quarter = addMonths(first, -((Number(first.slice(5, 7)) - 1) % 3))
  return [
    ['This week', monday, today],
    ['Last week', addDays(monday, -7), addDays(monday, -1)],
    ['This month', first, today],
    ['Last month', addMonths(first, -1), addDays(first, -1)],
    ['This quarter', quarter, today],
    ['Last quarter', addMonths(quarter, -3), addDays(quarter, -1)],
    ['This year', `${today.slice(0, 4)}-01-01`, today],
    ['Last 30 days', addDays(today, -29), today],
  ]
}
