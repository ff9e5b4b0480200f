import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { inputsOf } from '#shared/field.ts'
import { recordId } from '#shared/schemas.ts'
import { ActReply } from '#shared/record.contract.ts'
import { TicketRow } from '#features/crm/support/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { ofTicket, ticket } from '#features/crm/support/parts.contract.ts'

const { title, category, assignee_id } = ticketFields

export const TicketSplit = z.object({
  ...inputsOf({ title, category, assignee_id }),
  message_ids: z.array(recordId).min(1, 'Choose at least one message.').max(500),
})

/** Merging tickets, and splitting them. */
export const ticketMerge = {
  similar: endpoint({
    method: 'GET',
    path: '/admin/support/ticket/{ticket}/similar',
    shows: ['ticket'],
    summary:
      'List other tickets of the same requester or organization, open ones first, that could be merged with this one. Returns up to 8.',
    access: ofTicket,
    params: ticket,
    response: z.object({ data: z.array(TicketRow) }),
  }),
  merge: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{ticket}/merge',
    summary:
      'Merge a ticket into another one, which gets its messages, comments, tags, and followers. Returns 409 if one of them was merged in the meantime.',
    act: 'Merged',
    access: ofTicket,
    params: ticket,
    body: z.object({ into: recordId }),
    response: ActReply,
  }),
  split: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{ticket}/split',
    summary:
      'Move messages of a ticket, with their files and notes, to a new ticket of the same requester. At least one message must stay.',
    act: 'Split',
    record: 'ticket',
    notFields: ['message_ids'],
    access: ofTicket,
    params: ticket,
    body: TicketSplit,
    response: ActReply.extend({ data: TicketRow }),
  }),
}
