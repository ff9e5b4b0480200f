import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { plainDay, recordId } from '#shared/schemas.ts'
import { periodId, Trend, type Days, type Period } from '#shared/trend.ts'

const FollowUp = z.object({
  lead_id: z.number().int(),
  companyName: z.string(),
  contactName: z.string(),
  followup_date: z.string(),
  status: z.number().int(),
  lead_for: z.number().int(),
  assigned_name: z.string().nullable(),
})

export const mostUntouched = 1000

export const LeadNumbers = z.object({
  /** Open leads that nothing happened to in the period, up to `mostUntouched`. */
  untouched: z.number().int(),
  overdue: z.object({
    total: z.number().int(),
    first: z.array(FollowUp),
    /** How many each assignee has, most first; those without an assignee have the ID 0. */
    by: z.array(z.object({ id: z.number().int(), name: z.string(), total: z.number().int() })),
  }),
  today: z.object({ total: z.number().int(), first: z.array(FollowUp) }),
  /** Follow-ups in the next seven days. */
  next: z.object({ total: z.number().int(), first: z.array(FollowUp) }),
  /** Leads created in the period. */
  created: Trend,
  /** Leads that were won in the period, if a status stands for that. */
  won: Trend.extend({
    status: z.number().int(),
    /** Leads that were won or rejected in the period. */
    closed: z.number().int(),
  }).nullable(),
  /** Mondays of the weeks of the period and of at least eleven weeks, oldest first. */
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

/** Filters of the lists that have exactly the leads of a number. */
export const leadsCounted = {
  /** In the follow-up queue, of one assignee; 0 for those without one. */
  overdueOf: (id: number) => ({
    tab: 'overdue' as const,
    ...(id === 0
      ? { assigned_filter: 'unassigned' as const }
      : { assigned_filter: 'all' as const, crm_id: id }),
  }),
  created: ({ from, to }: Days) => ({ fromDate: from, toDate: to }),
  won: (status: number, { from, to }: Days) => ({
    status,
    fromDate: 'all',
    toDate: 'all',
    status_from: from,
    status_to: to,
  }),
  untouched: ({ length }: Pick<Period, 'length'>) => ({
    outcome_filter: 'open' as const,
    untouched_days: length,
    fromDate: 'all',
    toDate: 'all',
  }),
  /** Won or rejected. */
  closed: ({ from, to }: Days) => ({
    outcome_filter: 'closed' as const,
    fromDate: 'all',
    toDate: 'all',
    status_from: from,
    status_to: to,
  }),
}

export const leadNumbers = {
  show: endpoint({
    method: 'GET',
    path: '/admin/users/lead-numbers',
    shows: ['leads'],
    summary:
      'Get due follow-ups, new and won leads of a period, open leads without activity in it, and lead counts by status and week, for one product or all of the caller’s products.',
    access: 'lead_list',
    product: ['query.lead_for'],
    query: z.object({ lead_for: recordId.optional(), today: plainDay.optional(), period: periodId }),
    response: LeadNumbers,
  }),
}
