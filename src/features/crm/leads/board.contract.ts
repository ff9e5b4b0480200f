import { z } from 'zod'
import { cardsPerPage, laneOf, lanePages } from '#shared/board.contract.ts'
import { endpoint } from '#shared/endpoint.ts'
import { LeadFilters, LeadRow } from '#features/crm/leads/contract.ts'

/** The filters and the order of the lead list. */
export const LeadBoardFilters = LeadFilters.omit({ page: true }).extend({ pages: lanePages })
export type LeadBoardFilters = z.output<typeof LeadBoardFilters>

const LeadLane = laneOf(LeadRow).extend({
  tone: z.string(),
  /** Whether leads in this status need no more work: they are won or rejected. */
  is_closed: z.boolean(),
  /** Number of leads whose follow-up date has passed. */
  overdue: z.number().int(),
  /** How likely a lead in this status is won, in percent. */
  probability: z.number().int(),
  /** The amounts of all its leads by currency, the largest first; `weighted` is the sum times the probability. */
  amounts: z.array(z.object({ currency: z.string(), sum: z.number(), weighted: z.number() })),
})

export const leadBoard = {
  show: endpoint({
    method: 'GET',
    path: '/admin/users/lead-board',
    shows: ['leads'],
    summary: `List leads by status with the filters of the lead list, ${cardsPerPage} per status and page.`,
    access: 'lead_list',
    product: ['query.lead_for'],
    query: LeadBoardFilters,
    response: z.object({ data: z.array(LeadLane), total: z.number().int() }),
  }),
}
