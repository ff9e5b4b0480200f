import { addDays, monthOf, type PlainDate } from '#shared/dates.ts'

/** Pure rules of leads that server and browser both read (docs/product.md#leads). */

/** The status whose setting is a rejection and carries a message; reference data may rename it, not move it. */
export const rejectedStatus = 8

export const leadTypes = { 1: 'Outbound', 2: 'Inbound' } as const

/** Where a demo of the lead stands. */
export const demoStates = { 0: 'No demo', 1: 'Requested', 2: 'Scheduled', 3: 'Completed' } as const

/** Codes of `followup_filter`; 10 is the seed's default and restricts nothing (docs/spec-gaps.md G108). */
export const followupFilters = { 10: 'All follow-ups', 0: 'No follow-up date', 1: 'Overdue', 2: 'Today', 3: 'Tomorrow', 4: 'Next 7 days' } as const
export type FollowupFilter = 0 | 1 | 2 | 3 | 4 | 10

/** The first and last follow-up day that a code of `followup_filter` keeps; undefined on a side that is open, `none` for no date at all. */
export function followupRange(filter: FollowupFilter, today: PlainDate): { from?: PlainDate; to?: PlainDate } | 'none' {
  switch (filter) {
    case 10:
      return {}
    case 0:
      return 'none'
    case 1:
      return { to: addDays(today, -1) }
    case 2:
      return { from: today, to: today }
    case 3:
      return { from: addDays(today, 1), to: addDays(today, 1) }
    case 4:
      return { from: addDays(today, 1), to: addDays(today, 7) }
  }
}

/** The date range of the lead list when none is chosen: the first and the last day of the current month (A §9). */
export const defaultDates = (today: PlainDate): { fromDate: PlainDate; toDate: PlainDate } => {
  const { first, last } = monthOf(today)
  return { fromDate: first, toDate: last }
}

/**
 * The days between which the list shows leads; `all` on a side is no bound, and a side without one is not in the answer.
 * The current month only when neither side is given: who names one day means everything before or after it.
 */
export function leadDates(chosen: { fromDate?: string | undefined; toDate?: string | undefined }, today: PlainDate): { from?: PlainDate; to?: PlainDate } {
  const { fromDate = 'all', toDate = 'all' } = chosen.fromDate === undefined && chosen.toDate === undefined ? defaultDates(today) : chosen
  return { ...(fromDate === 'all' ? {} : { from: fromDate }), ...(toDate === 'all' ? {} : { to: toDate }) }
}

/** Whether an action fits a lead's status; the reason where it does not, as server and button say it. */
export function whyNotReject(status: number): string | undefined {
  return status === rejectedStatus ? 'This lead is rejected already.' : undefined
}

/** Why a status cannot be set in passing; undefined where it can. */
export function whyNotSet(status: number): string | undefined {
  return status === rejectedStatus ? 'To reject a lead, use the rejection, which asks for the reason.' : undefined
}

/** Why the columns of a file cannot be imported as they are mapped; undefined where they can. */
export function whyNotImport(columns: readonly string[]): string | undefined {
  const fields = columns.filter((target) => target !== 'detail' && target !== 'skip')
  if (!fields.includes('companyName')) return 'One column must be the company name.'
  return new Set(fields).size < fields.length ? 'Two columns cannot be the same field; keep one of them as a detail.' : undefined
}
