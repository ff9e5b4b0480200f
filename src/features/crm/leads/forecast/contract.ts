import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { plainDay, recordId } from '#shared/schemas.ts'

/** Leads and their amounts in the first year; `weighted` is the sum times the probability of each lead's status. */
const Sums = z.object({ count: z.number().int(), sum: z.number(), weighted: z.number() })
export type Sums = z.output<typeof Sums>

export const LeadForecast = z.object({
  /** The first day of the current month. */
  month: z.string(),
  /** Numbers of open leads by currency, the largest sum first; amounts in different currencies are never added. */
  currencies: z.array(
    z.object({
      currency: z.string(),
      open: Sums,
      /** Leads that were won in the current month; their weighted amounts are the same. */
      won: Sums,
      /** By the first day of the month of the expected close, oldest first; null, the last, for none. */
      months: z.array(Sums.extend({ month: z.string().nullable() })),
      /** By assignee, the largest weighted sum first; only the caller, unless the caller is an admin. */
      people: z.array(Sums.extend({ id: z.number().int().nullable(), name: z.string().nullable() })),
      /** All products of the request, also those without such leads. */
      products: z.array(z.object({ id: z.number().int(), name: z.string(), open: Sums, won: Sums })),
    }),
  ),
  /** ID of the status of won leads; null if none stands for that. */
  won_status: z.number().int().nullable(),
  /** Open leads without an amount. */
  without_amount: z.number().int(),
})
export type LeadForecast = z.output<typeof LeadForecast>

export const leadForecast = {
  show: endpoint({
    method: 'GET',
    path: '/admin/users/lead-forecast',
    shows: ['leads'],
    summary:
      'Get the amounts of open leads by currency, month of the expected close, assignee, and product, for one product or all of the caller’s products.',
    access: 'lead_list',
    product: ['query.lead_for'],
    query: z.object({ lead_for: recordId.optional(), today: plainDay.optional() }),
    response: z.object({ data: LeadForecast }),
  }),
}
