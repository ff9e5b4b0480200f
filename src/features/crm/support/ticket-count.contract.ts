import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { TicketFilters } from '#features/crm/support/contract.ts'

export const ticketCount = {
  show: endpoint({
    method: 'GET',
    path: '/admin/support/ticket-count',
    shows: ['ticket', 'task', 'designer_task'],
    summary: 'Count the tickets that match the filters of the ticket list, however many they are.',
    access: 'all_tickets_list',
    query: TicketFilters.omit({ page: true, column: true, direction: true }),
    response: z.object({ total: z.number().int() }),
  }),
}
