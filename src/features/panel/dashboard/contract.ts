import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, plainDay, recordId } from '#shared/fields.ts'

const FollowUp = z.object({
  lead_id: z.number().int(),
  companyName: z.string(),
  contactName: z.string(),
  followup_date: z.string(),
  status: z.number().int(),
  lead_for: z.number().int(),
  assigned_name: z.string().nullable(),
})

const AuditEntry = z.object({
  id: z.number().int(),
  at: instant,
  who: z.string(),
  /** What was done, to be read after the name: `Sets the status of a lead`. */
  act: z.string(),
  /** `role 9`; of what has a name, its name. */
  target: z.string().nullable(),
  /** The lead that it was done to, where the caller may open it. */
  lead_id: z.number().int().nullable(),
})

export const Dashboard = z.object({
  /** Absent without lead_list. */
  leads: z
    .object({
      overdue: z.object({ total: z.number().int(), first: z.array(FollowUp) }),
      today: z.object({ total: z.number().int(), first: z.array(FollowUp) }),
      /** The next seven days. */
      next: z.object({ total: z.number().int(), first: z.array(FollowUp) }),
      by_status: z.array(z.object({ status: z.number().int(), name: z.string(), tone: z.string(), count: z.number().int() })),
      /** The last twelve months, oldest first, as YYYY-MM. */
      by_month: z.array(z.object({ month: z.string(), count: z.number().int() })),
    })
    .optional(),
  /** Only for roles 0 and 1. */
  audit: z.array(AuditEntry).optional(),
})
export type Dashboard = z.output<typeof Dashboard>

export const dashboard = {
  show: endpoint({
    method: 'GET',
    path: '/admin/dashboard',
    summary: 'What the signed-in person may see of today, for one product or all of his.',
    access: 'signed-in',
    product: ['query.lead_for'],
    query: z.object({ lead_for: recordId.optional(), today: plainDay.optional() }),
    response: Dashboard,
  }),
}
