import { addDays, monthOf, type PlainDate } from '#shared/dates.ts'

/** Pure rules for leads, shared by the server and the browser (docs/product.md#leads). */

/**
 * Setting this status is a rejection and requires a message. Reference data can rename this status but not
 * change its ID.
 */
export const rejectedStatus = 8

/** Events that the sales report counts, each lead once per event and status: the first time. */
export const leadEvents = {
  reached: 'Got its status',
  contacted: 'Contacted',
  contacted_in_a_day: 'Contacted within a day',
  demo: 'First demo completed',
} as const
/** The outcome of a call in which both spoke to each other (calls/rules.ts). */
export const reachedOutcome = 1

/** What people do for leads, which the sales report counts each time, with a lead once per activity. */
export const leadActivities = {
  call: 'Called',
  call_reached: 'Called and reached',
  call_missed: 'Called, not reached',
  email: 'Emailed',
  session: 'Session completed',
  note: 'Note added',
} as const
export type LeadActivity = keyof typeof leadActivities
export const leadActivityNames = Object.keys(leadActivities) as LeadActivity[]

export type LeadEvent = keyof typeof leadEvents | LeadActivity

/** The values of a lead that is not rejected. */
export const withoutReason = { reject_msg: null, reject_reason_id: null } as const

/** How often the amount of a lead is billed. */
export const billings = { once: 'Once', monthly: 'Monthly', yearly: 'Yearly' } as const

/** Payments in the first year, by which amounts with different billings are added. */
export const paymentsInFirstYear = { once: 1, monthly: 12, yearly: 1 } as const satisfies Record<
  keyof typeof billings,
  number
>

export const leadTypes = { 1: 'Outbound', 2: 'Inbound' } as const

/** Demo statuses of a lead. */
export const demoStates = { 0: 'No demo', 1: 'Requested', 2: 'Scheduled', 3: 'Completed' } as const

/** Codes for `followup_filter`. 10 is the seed's default and does not filter (docs/spec-gaps.md G108). */
export const followupFilters = {
  10: 'All follow-ups',
  0: 'No follow-up date',
  1: 'Overdue',
  2: 'Today',
  3: 'Tomorrow',
  4: 'Next 7 days',
} as const
export type FollowupFilter = 0 | 1 | 2 | 3 | 4 | 10

/**
 * Returns the first and last follow-up day that match a `followup_filter` code; undefined for an unbounded
 * side, `none` for leads without a date.
 */
export function followupRange(
  filter: FollowupFilter,
  today: PlainDate,
): { from?: PlainDate; to?: PlainDate } | 'none' {
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

/** Returns the lead list's default date range: the current month (A §9). */
export const defaultDates = (today: PlainDate): { fromDate: PlainDate; toDate: PlainDate } => {
  const { first, last } = monthOf(today)
  return { fromDate: first, toDate: last }
}

/**
 * Returns the lead list's date range; a side that is `all` is unbounded and left out. The current month
 * applies only if neither side is given: a single date means everything before or after it.
 */
export function leadDates(
  chosen: { fromDate?: string | undefined; toDate?: string | undefined },
  today: PlainDate,
): { from?: PlainDate; to?: PlainDate } {
  const { fromDate = 'all', toDate = 'all' } =
    chosen.fromDate === undefined && chosen.toDate === undefined ? defaultDates(today) : chosen
  return { ...(fromDate === 'all' ? {} : { from: fromDate }), ...(toDate === 'all' ? {} : { to: toDate }) }
}

/**
 * Returns why a lead with this status cannot be rejected; undefined if it can. The server and the button use
 * the same text.
 */
export function whyNotReject(status: number): string | undefined {
  return status === rejectedStatus ? 'This lead is already rejected.' : undefined
}

/** Returns why a status cannot be set directly; undefined if it can. */
export function whyNotSet(status: number): string | undefined {
  return status === rejectedStatus
    ? 'You can’t set this status directly. Reject the lead instead and give a reason.'
    : undefined
}

/** Returns why a file cannot be imported with this mapping; undefined if it can. */
export function whyNotImport(columns: readonly string[]): string | undefined {
  const fields = columns.filter((target) => target !== 'detail' && target !== 'skip')
  // The number of a lead says which one it is.
  if (!fields.includes('companyName') && !fields.includes('number'))
    return 'Map one column to the company name.'
  if (new Set(fields).size < fields.length)
    return 'Two columns can’t map to the same field. Keep one of them as an imported detail.'
  return fields.includes('contactName') && (fields.includes('first_name') || fields.includes('last_name'))
    ? 'Map either the contact name, or the first and the last name.'
    : undefined
}
