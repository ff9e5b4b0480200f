import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { LeadFilters } from '#features/crm/leads/contract.ts'

export const leadSummary = {
  show: endpoint({
    method: 'GET',
    path: '/admin/users/lead-summary',
    shows: ['leads'],
    summary: 'Count the leads that match the filters of the lead list, and add their amounts by currency.',
    access: 'lead_list',
    product: ['query.lead_for'],
    query: LeadFilters.omit({ page: true, column: true, direction: true }),
    response: z.object({
      total: z.number().int(),
      /** The amounts of the first year by currency, the largest first, with the number of leads that have one. */
      data: z.array(z.object({ currency: z.string(), sum: z.number(), leads: z.number().int() })),
    }),
  }),
}
