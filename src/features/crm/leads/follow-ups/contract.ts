import { z } from 'zod'
import { anyOf, endpoint } from '#shared/endpoint.ts'
import { LeadFilters, LeadListReply, LeadRow, sortColumns } from '#features/crm/leads/contract.ts'
import { followUpTabs, mostHidden } from '#features/crm/leads/follow-ups/rules.ts'

/*
 * The follow-up queue: docs/product.md#follow-ups.
 */

/**
 * Filters for the list within a queue tab. Without a sort column, the queue's default order applies. Leads
 * are filtered by lead date only if one is sent.
 */
export const FollowUpFilters = LeadFilters.extend({
  tab: z.enum(followUpTabs).default('overdue'),
  column: z.enum(sortColumns).optional(),
})
export type FollowUpFilters = z.output<typeof FollowUpFilters>

/** A lead of the queue, with what decides whether to call now. */
export const FollowUpRow = LeadRow.extend({
  timezone: z.string(),
  /** The first words of the last note or call; empty for callers without `lead_detail`. */
  last_words: z.string(),
})
export type FollowUpRow = z.output<typeof FollowUpRow>

export const FollowUpReply = LeadListReply.extend({
  data: LeadListReply.shape.data.extend({ leads: z.array(FollowUpRow) }),
  /** Number of leads in each tab, with the same filters. */
  tabs: z.object({ overdue: z.number().int(), today: z.number().int(), next: z.number().int() }),
  /** Number of the caller’s own leads that were due and that they have moved on, won, or rejected today. */
  done: z.number().int(),
})
export type FollowUpReply = z.output<typeof FollowUpReply>

export const followUps = {
  /** `leads.listByTab` in the specification. */
  listByTab: endpoint({
    method: 'GET',
    path: '/admin/users/get-demo-leads',
    shows: ['leads', 'lists', 'lead-tag'],
    summary:
      'List leads whose follow-up is overdue, due today, or due in the next 7 days (`tab`), earliest first, 20 per page.',
    access: anyOf('lead_list', 'onboarding_list'),
    product: ['query.lead_for'],
    query: FollowUpFilters,
    response: FollowUpReply,
  }),
  hidden: endpoint({
    method: 'GET',
    path: '/admin/users/hidden-follow-ups',
    shows: ['leads'],
    summary: `Count the overdue leads that match the list’s filters except the lead date, up to ${mostHidden}.`,
    access: 'lead_list',
    product: ['query.lead_for'],
    query: LeadFilters,
    response: z.object({
      count: z.number().int(),
      /** Whether there are more leads than were counted. */
      more: z.boolean(),
    }),
  }),
}
