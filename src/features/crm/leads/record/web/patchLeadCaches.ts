import type { QueryClient } from '@tanstack/react-query'
import { leads, type LeadRow } from '#features/crm/leads/contract.ts'
import { patchCachedReplies } from '#web/api/useSend.ts'

/**
 * The follow-up queue returns the same rows. Its contract isn't imported here, because it is loaded with the
 * queue's page.
 */
const queue = { ...leads.list, path: '/admin/users/get-demo-leads' } as const

/** Endpoints to refetch after a change made here, because this tab doesn't receive the live event. */
export const leadQueries = [
  leads.list,
  queue,
  leads.show,
  { path: '/admin/users/lead-board' },
  { path: '/admin/users/lead-summary' },
  { path: '/admin/users/hidden-follow-ups' },
  { path: '/admin/users/lead-reminders' },
  { path: '/admin/users/lead-numbers' },
] as const

/**
 * Endpoints to refetch after a bulk change of leads. Their contracts aren't imported here, because they are
 * loaded with their pages.
 */
export const leadQueriesAfterBulk = [
  ...leadQueries,
  { path: '/admin/users/lead-operations' },
  { path: '/admin/users/lead-operations/{id}' },
  { path: '/admin/users/lead-duplicates' },
  { path: '/admin/users/duplicate-leads' },
  { path: '/admin/records/{type}/trash' },
] as const

/**
 * Shows a lead's change optimistically in every list and on the lead's page; returns a function that rolls it
 * back.
 */
export function patchLeadCaches(queries: QueryClient, id: number, change: Partial<LeadRow>): () => void {
  const apply = <Row extends LeadRow>(lead: Row): Row => (lead.lead_id === id ? { ...lead, ...change } : lead)
  const lists = [leads.list, queue].map((list) =>
    patchCachedReplies(queries, list, (reply) => ({
      ...reply,
      data: { ...reply.data, leads: reply.data.leads.map(apply) },
    })),
  )
  const details = patchCachedReplies(queries, leads.show, (reply) => ({ ...reply, data: apply(reply.data) }))
  return () => {
    for (const putBack of lists) putBack()
    details()
  }
}
