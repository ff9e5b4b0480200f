import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { richText } from '#shared/schemas.ts'
import { listReply } from '#shared/record.contract.ts'
import { id, idOrZero, int, files, formFileIds } from '#features/crm/support/parts.contract.ts'
import { TicketFilters, TicketRow, TicketReply } from '#features/crm/support/contract.ts'

export const RequestFilters = TicketFilters.pick({
  page: true,
  status: true,
  search: true,
  column: true,
  direction: true,
})

export const RequestReplyBody = z.object({
  message: richText(200_000).refine(({ unclean }) => unclean.trim() !== '', 'This field is required.'),
  file_ids: formFileIds,
})

export const requests = {
  list: endpoint({
    method: 'GET',
    path: '/admin/support/requests',
    shows: ['ticket', 'request'],
    summary: 'List the caller’s support requests, 20 per page.',
    access: 'support_view',
    query: RequestFilters,
    response: listReply(TicketRow),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/support/requests/{id}/{org}',
    shows: ['ticket', 'request'],
    summary:
      'Get one of the caller’s support requests. Returns 404 if the request doesn’t belong to the organization.',
    access: 'support_view',
    params: z.object({ id, org: idOrZero }),
    response: TicketReply,
  }),
  reply: endpoint({
    method: 'POST',
    path: '/admin/support/requests/{id}/reply',
    summary:
      'Reply to one of the caller’s support requests. A waiting, resolved, or closed request is reopened.',
    act: 'Replied to a request',
    access: 'support_view',
    params: z.object({ id }),
    files,
    maxBytes: 1_000_000,
    body: RequestReplyBody,
    response: z.object({ message: z.string(), data: z.object({ message_id: int }) }),
  }),
}
