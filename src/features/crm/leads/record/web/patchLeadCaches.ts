import type { QueryClient } from '@tanstack/react-query'
import { leads, type LeadRow } from '#features/crm/leads/contract.ts'
import { patchCachedReplies } from '#web/api/useSend.ts'

/**
 * The follow-up queue returns the same rows. Its contract isn't imported here, because it is loaded with the
 * queue's page.
 */
const queue = { ...leads.list, path: '/admin/users/get-demo-leads' } as const

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
