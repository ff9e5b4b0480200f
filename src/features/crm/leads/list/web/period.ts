import { dayText, addDays, monthOf, type PlainDate } from '#shared/dates.ts'

/**
 * Range of the lead date. `all` leaves a side unbounded; if neither side is set, the current month applies in the
 * list (A §9), all time on the board.
 */
export interface Period {
  /** A date or `all`. */
  fromDate?: string | undefined
  toDate?: string | undefined
}

const unset = { fromDate: undefined, toDate: undefined } as const
const allTime = { fromDate: 'all', toDate: 'all' } as const
export type LeadLayout = 'list' | 'board'

/** Returns the period of the board. */
export const boardPeriod = ({ fromDate, toDate }: Period): Period =>
  fromDate === undefined && toDate === undefined ? allTime : { fromDate, toDate }

/** Returns the periods to choose from, based on the viewer's calendar. */
export function periods(
  today: PlainDate,
  layout: LeadLayout,
): { id: string; label: string; period: Period }[] {
  const { first, last } = monthOf(today)
  const lastMonth = monthOf(addDays(first, -1))
  return [
    {
      id: 'month',
      label: 'This month',
      period: layout === 'list' ? unset : { fromDate: first, toDate: last },
    },
    { id: 'last-month', label: 'Last month', period: { fromDate: lastMonth.first, toDate: lastMonth.last } },
    { id: 'ninety-days', label: 'Last 90 days', period: { fromDate: addDays(today, -89), toDate: today } },
    {
      id: 'year',
      label: 'This year',
      period: { fromDate: `${today.slice(0, 4)}-01-01`, toDate: `${today.slice(0, 4)}-12-31` },
    },
    { id: 'all', label: 'All time', period: allTime },
  ]
}

/** Returns the ID of the period with these dates; `custom` if there is none. */
export function periodId(chosen: Period, today: PlainDate, layout: LeadLayout): string {
  const wanted = daysOf(chosen, today, layout)
  const found = periods(today, layout).find(({ period }) => {
    const { from, to } = daysOf(period, today, layout)
    return from === wanted.from && to === wanted.to
  })
  return found?.id ?? 'custom'
}

/** Returns the first and last day of a period; undefined for an unbounded side. */
export function daysOf(
  { fromDate, toDate }: Period,
  today: PlainDate,
  layout: LeadLayout,
): { from: PlainDate | undefined; to: PlainDate | undefined } {
  if (layout === 'list' && fromDate === undefined && toDate === undefined) {
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
