import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { plainDay } from '#shared/schemas.ts'
import { Trend } from '#shared/trend.ts'

const count = z.number().int()

export const TicketNumbers = z.object({
  /** Tickets created in the last 30 days. */
  created: Trend,
  /**
   * Median number of seconds until the first answer to a ticket that was created in the last 30 days, or in
   * the 30 days before them; null if none of them has an answer.
   */
  first_response: z.object({ seconds: count.nullable(), before: count.nullable() }),
  /** Mondays of the last eleven weeks, oldest first. */
  weeks: z.array(z.string()),
  /** Tickets created in each of the weeks. */
  opened: z.array(count),
  /** Tickets whose first answer was sent in each of the weeks. */
  answered: z.array(count),
})
export type TicketNumbers = z.output<typeof TicketNumbers>

export const ticketNumbers = {
  show: endpoint({
    method: 'GET',
    path: '/admin/support/ticket-numbers',
    summary: 'Get new and answered tickets by week, and the median time until the first answer.',
    access: 'all_tickets_list',
    query: z.object({ today: plainDay.optional() }),
    response: TicketNumbers,
  }),
}
