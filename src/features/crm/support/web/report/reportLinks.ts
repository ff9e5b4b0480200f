import type { ReportFilters } from '#features/crm/support/report.contract.ts'
import type { ClockKind, TicketEvent } from '#features/crm/support/rules.ts'

/** The filters of the report without its period, which the list of tickets has, too. */
type Scope = Pick<ReportFilters, 'category' | 'organization' | 'assignee'>

interface Period {
  from?: string | null | undefined
  to?: string | null | undefined
}

/** Returns functions for the addresses of exactly the tickets that a number of the report counts. */
export function reportLinks({ category, organization, assignee }: Scope) {
  const listOf = (more: Record<string, string | number | null | undefined>) => {
    const search = Object.entries({ category, organization, assignee, ...more }).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    )
    return `/support?${new URLSearchParams(search).toString()}`
  }
  return {
    received: ({ from, to }: Period) => listOf({ created_from: from, created_to: to }),
    receivedAt: ({ from, to }: Period, weekday: number, hours: readonly [first: number, last: number]) =>
      listOf({
        created_from: from,
        created_to: to,
        created_weekday: weekday,
        created_hour_from: hours[0],
        created_hour_to: hours[1],
      }),
    open: ({ from, to }: Period = {}) => listOf({ search: 'is:open', created_from: from, created_to: to }),
    overdue: ({ from, to }: Period) => listOf({ target: 'overdue', created_from: from, created_to: to }),
    event: (event: TicketEvent, { from, to }: Period, by?: number) =>
      listOf({ event, event_from: from, event_to: to, event_by: by }),
    target: (event: TicketEvent, kind: ClockKind, { from, to }: Period) =>
      listOf({ event, event_target: kind, event_from: from, event_to: to }),
  }
}
export type ReportLinks = ReturnType<typeof reportLinks>
