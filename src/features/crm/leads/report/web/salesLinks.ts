import type { Days } from '#shared/trend.ts'
import type { SalesReportFilters } from '#features/crm/leads/report/contract.ts'
import type { LeadEvent } from '#features/crm/leads/rules.ts'

/** The filters of the report without its period; the person is `assignee` with the caller's ID instead of `me`. */
export interface SalesScope extends Pick<SalesReportFilters, 'lead_for' | 'source_filter'> {
  person: number | 'none' | undefined
  /** Whether the product is the one that the user chose; if not, the list shows all products, filtered by it. */
  isOfChosen?: boolean
}

interface Event {
  status?: number | null
  reason?: number | null
}

/** Returns functions for the addresses of exactly the leads that a number of the report counts. */
export function salesLinks({ lead_for, source_filter, person, isOfChosen = true }: SalesScope) {
  const listOf = (filters: Record<string, string | number | null | undefined>) => {
    const scope = { product_scope: isOfChosen && lead_for !== undefined ? undefined : 'all', lead_for }
    const all = { fromDate: 'all', toDate: 'all', ...scope, source_filter, ...filters }
    const search = Object.entries(all).flatMap(([name, value]) =>
      value === undefined || value === null || (name === 'source_filter' && value === 'all')
        ? []
        : [[name, String(value)]],
    )
    return `/demo-leads?${new URLSearchParams(search).toString()}`
  }
  const now =
    person === undefined ? {} : person === 'none' ? { assigned_filter: 'unassigned' } : { crm_id: person }
  const then = person === undefined ? {} : { event_by: person === 'none' ? 0 : person }
  return {
    received: ({ from, to }: Days) => listOf({ ...now, fromDate: from, toDate: to }),
    event: (event: LeadEvent, { from, to }: Days, { status, reason }: Event = {}) =>
      listOf({
        ...then,
        event,
        event_status: status,
        event_from: from,
        event_to: to,
        ...(reason === undefined ? {} : { event_reason: reason ?? 0 }),
      }),
    /** Of a currency: the won leads of the period, or those that are open now. */
    won: (days: Days, status: number | null, currency: string) =>
      listOf({
        ...then,
        event: 'reached',
        event_status: status,
        event_from: days.from,
        event_to: days.to,
        currency,
      }),
    open: (currency: string) => listOf({ ...now, outcome_filter: 'open', currency }),
    /** Those that came in during the period and have had a status until now. */
    cohort: ({ from, to }: Days, status: number) =>
      listOf({ ...now, fromDate: from, toDate: to, event: 'reached', event_status: status }),
    now: (status: number) => listOf({ ...now, status }),
  }
}
export type SalesLinks = ReturnType<typeof salesLinks>
