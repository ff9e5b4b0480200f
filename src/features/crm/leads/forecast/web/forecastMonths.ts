import { addDays, monthText, type PlainDate } from '#shared/dates.ts'
import type { LeadForecast, Sums } from '#features/crm/leads/forecast/contract.ts'

/** A row of the forecast: a month, all months before the current one, or the leads without an expected close. */
export interface ShownMonth extends Sums {
  name: string
  /** Name on the axis of the chart. */
  short: string
  from: PlainDate | null
  /** The last day; null for leads without an expected close. */
  to: PlainDate | null
}

const none: Sums = { count: 0, sum: 0, weighted: 0 }
/** At most this many months are shown without a gap; later ones follow on their own. */
const mostInRow = 12

const nextMonth = (month: PlainDate): PlainDate => `${addDays(month, 31).slice(0, 7)}-01`

/** Returns the months from one to another, but at least the first. */
function rowOfMonths(first: PlainDate, last: PlainDate): PlainDate[] {
  const row = [first]
  while (row.length < mostInRow && nextMonth(row.at(-1)!) <= last) row.push(nextMonth(row.at(-1)!))
  return row
}

/** Returns the rows of a forecast: overdue ones, the months from the current one on, and those without a date. */
export function monthsToShow(
  found: LeadForecast['currencies'][number]['months'],
  current: PlainDate,
): ShownMonth[] {
  const sumsOf = (month: string | null) => {
    const { count, sum, weighted } = found.find((one) => one.month === month) ?? none
    return { count, sum, weighted }
  }
  const known = found.flatMap(({ month }) => (month === null ? [] : [month]))
  const overdue = known.filter((month) => month < current).map(sumsOf)
  const coming = rowOfMonths(current, known.at(-1) ?? current)
  const later = known.filter((month) => month > coming.at(-1)!)
  const undated = sumsOf(null)
  return [
    ...(overdue.length
      ? [{ name: 'Overdue', short: 'Overdue', from: null, to: addDays(current, -1), ...addAll(overdue) }]
      : []),
    ...[...coming, ...later].map((month) => ({
      name: monthText(month),
      short: `${monthText(month).slice(0, 3)} ${month.slice(2, 4)}`,
      from: month,
      to: addDays(nextMonth(month), -1),
      ...sumsOf(month),
    })),
    ...(undated.count ? [{ name: 'No date', short: 'No date', from: null, to: null, ...undated }] : []),
  ]
}

const addAll = (all: readonly Sums[]): Sums => {
  const total = (field: keyof Sums) => Math.round(all.reduce((sum, one) => sum + one[field], 0) * 100) / 100
  return { count: total('count'), sum: total('sum'), weighted: total('weighted') }
}
