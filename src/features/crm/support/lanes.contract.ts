import { z } from 'zod'
import { cardsPerPage, laneOf, lanePages } from '#shared/board.contract.ts'
import { endpoint } from '#shared/endpoint.ts'
import { TicketFilters, TicketRow } from '#features/crm/support/contract.ts'
import { int } from '#features/crm/support/parts.contract.ts'

/** The filters of the ticket list. Cards are in the order in which they were placed. */
const BoardFilters = TicketFilters.omit({ page: true, column: true, direction: true }).extend({
  pages: lanePages,
})
export type BoardFilters = z.output<typeof BoardFilters>

export const ticketBoard = {
  show: endpoint({
    method: 'GET',
    path: '/admin/support/board',
    shows: ['ticket'],
    summary: `Get the board’s lists with the cards of tickets that match the filters, ${cardsPerPage} per list and page.`,
    access: 'all_tickets_list',
    query: BoardFilters,
    response: z.object({
      data: z.array(laneOf(TicketRow)),
      /** Tickets that match the filters but have no card; they are the lane 0. */
      others: laneOf(TicketRow),
      /** Number of tickets that match the filters, as in the list. */
      total: int,
    }),
  }),
}
