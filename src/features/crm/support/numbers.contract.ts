import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { plainDay } from '#shared/schemas.ts'
import { periodId, Trend, type Days } from '#shared/trend.ts'

const count = z.number().int()

export const mostOverdue = 1000

export const TicketNumbers = z.object({
  /** Tickets created in the period. */
  created: Trend,
  /** Tickets that are neither resolved nor closed: now, before the period, and at the end of each of its parts. */
  open: Trend.extend({
    /** How many each assignee has, most first; those without an assignee have the ID 0. */
    by: z.array(z.object({ id: count, name: z.string(), total: count })),
  }),
  /** Open tickets whose service target is missed now, up to `mostOverdue`. */
  overdue: count,
  /**
   * Tickets whose first answer was in the period, and the median number of seconds until it, also of the days
   * before the period and of its equal parts, oldest first; null if there are none.
   */
  first_response: z.object({
    answered: count,
    seconds: count.nullable(),
    before: count.nullable(),
    parts: z.array(count.nullable()),
  }),
  /** Mondays of the weeks of the period and of at least eleven weeks, oldest first. */
  weeks: z.array(z.string()),
  /** Tickets created in each of the weeks. */
  opened: z.array(count),
  /** Tickets that were resolved or closed in each of the weeks, each at most once a week. */
  closed: z.array(count),
})
export type TicketNumbers = z.output<typeof TicketNumbers>

/** Filters of the lists that have exactly the tickets of a number. */
export const ticketsCounted = {
  created: ({ from, to }: Days) => ({ created_from: from, created_to: to }),
  open: { search: 'is:open' },
  /** Of one assignee; 0 for those without one. */
  openOf: (id: number) => ({ search: 'is:open', assignee: id === 0 ? ('none' as const) : id }),
  overdue: { target: 'overdue' } as const,
  answered: ({ from, to }: Days) => ({ event: 'answered', event_from: from, event_to: to }) as const,
  closed: ({ from, to }: Days) => ({ event: 'solved', event_from: from, event_to: to }) as const,
}

export const ticketNumbers = {
  show: endpoint({
    method: 'GET',
    path: '/admin/support/ticket-numbers',
    shows: ['ticket'],
    summary:
      'Get new and open tickets of a period, open ones by assignee, the median time until the first answer, and tickets opened and closed by week.',
    access: 'all_tickets_list',
    query: z.object({ today: plainDay.optional(), period: periodId }),
    response: TicketNumbers,
  }),
}
