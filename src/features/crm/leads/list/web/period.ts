import { dayText, addDays, monthOf, type PlainDate } from '#shared/dates.ts'

/**
 * Range of the lead date. `all` leaves a side unbounded; if neither side is set, the current month applies (A
 * §9).
 */
export interface Period {
  /** A date or `all`. */
  fromDate?: string | undefined
  toDate?: string | undefined
}

/** Returns the periods to choose from, based on the viewer's calendar. */
export function periods(today: PlainDate): { id: string; label: string; period: Period }[] {
  const lastMonth = monthOf(addDays(monthOf(today).first, -1))
  return [
    { id: 'month', label: 'This month', period: { fromDate: undefined, toDate: undefined } },
    { id: 'last-month', label: 'Last month', period: { fromDate: lastMonth.first, toDate: lastMonth.last } },
    { id: 'ninety-days', label: 'Last 90 days', period: { fromDate: addDays(today, -89), toDate: today } },
    {
      id: 'year',
      label: 'This year',
      period: { fromDate: `${today.slice(0, 4)}-01-01`, toDate: `${today.slice(0, 4)}-12-31` },
    },
    { id: 'all', label: 'All time', period: { fromDate: 'all', toDate: 'all' } },
  ]
}

/** Returns the ID of the period with these dates; `custom` if there is none. */
export function periodId({ fromDate, toDate }: Period, today: PlainDate): string {
  return (
    periods(today).find(({ period }) => period.fromDate === fromDate && period.toDate === toDate)?.id ??
    'custom'
  )
}

/** Returns the first and last day of a period; undefined for an unbounded side. */
export function daysOf(
  { fromDate, toDate }: Period,
  today: PlainDate,
): { from: PlainDate | undefined; to: PlainDate | undefined } {
  if (fromDate === undefined && toDate === undefined) {
    const { first, last } = monthOf(today)
    return { from: first, to: last }
  }
  const day = (side: string | undefined) => (side === 'all' ? undefined : side)
  return { from: day(fromDate), to: day(toDate) }
}

/** Formats a range, such as `1 Nov 2026 – 30 Nov 2026`, `from 1 Nov 2026`, or `until 30 Nov 2026`. */
export function rangeText(from: PlainDate | undefined, to: PlainDate | undefined): string {
  if (from && to) return from === to ? dayText(from) : `${dayText(from)} – ${dayText(to)}`
  return from ? `from ${dayText(from)}` : to ? `until ${dayText(to)}` : 'any'
}
