import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { plainDay, recordId } from '#shared/schemas.ts'
import { Trend } from '#shared/trend.ts'

const FollowUp = z.object({
  lead_id: z.number().int(),
  companyName: z.string(),
  contactName: z.string(),
  followup_date: z.string(),
  status: z.number().int(),
  lead_for: z.number().int(),
  assigned_name: z.string().nullable(),
})

export const LeadNumbers = z.object({
  overdue: z.object({ total: z.number().int(), first: z.array(FollowUp) }),
  today: z.object({ total: z.number().int(), first: z.array(FollowUp) }),
  /** Follow-ups in the next seven days. */
  next: z.object({ total: z.number().int(), first: z.array(FollowUp) }),
  /** Leads created in the last 30 days. */
  created: Trend,
  /** Mondays of the last eleven weeks, oldest first. */
  weeks: z.array(z.string()),
  /** All statuses in the order of their list, each with the number of leads created in each of the weeks. */
  by_status: z.array(
    z.object({
      status: z.number().int(),
      name: z.string(),
      tone: z.string(),
      counts: z.array(z.number().int()),
    }),
  ),
})
export type LeadNumbers = z.output<typeof LeadNumbers>

export const leadNumbers = {
  show: endpoint({
    method: 'GET',
    path: '/admin/users/lead-numbers',
    summary:
      'Get due follow-ups, new leads, and lead counts by status and week, for one product or all of the caller’s products.',
    access: 'lead_list',
    product: ['query.lead_for'],
    query: z.object({ lead_for: recordId.optional(), today: plainDay.optional() }),
    response: LeadNumbers,
  }),
}
