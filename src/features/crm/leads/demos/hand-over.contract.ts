import { z } from 'zod'
import { Demo } from '#features/crm/leads/demos/contract.ts'
import { endpoint } from '#shared/endpoint.ts'
import { changedReply } from '#shared/record.contract.ts'
import { recordId } from '#shared/schemas.ts'

/* Apart from the other calls of sessions, because only its dialog needs it. */

export const HandOver = z.object({
  demoId: recordId,
  /** The new host. */
  host_id: recordId,
  /** The host whose place the new one takes; by default, the caller or the only one. */
  from: recordId.optional(),
})

export const handOver = {
  save: endpoint({
    method: 'POST',
    path: '/admin/users/hand-over-session',
    summary:
      'Hand a requested or scheduled session over to another host, who is notified. Returns 422 at `from` if it has several hosts and doesn’t say whose place the new one takes.',
    act: 'Handed a session over',
    access: 'lead_edit',
    body: HandOver,
    response: changedReply(Demo),
  }),
}
