import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { inputsOf } from '#shared/field.ts'
import { recordId } from '#shared/schemas.ts'
import { ActReply } from '#shared/record.contract.ts'
import { TicketRow } from '#features/crm/support/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { ofTicket, ticket } from '#features/crm/support/parts.contract.ts'

const { title, category, assignee_id } = ticketFields

/** Number of tickets that become one in one operation: a page of the list. */
export const mostMerged = 20

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
      'Merge a ticket, and others with it, into another one, which gets their messages, comments, tags, and followers. If one of them can’t be merged, none is; the reply names each of these with the reason (409, or 404 if one doesn’t exist).',
    act: 'Merged',
    access: ofTicket,
    params: ticket,
    body: z.object({
      into: recordId,
      /** Further tickets to merge into the same one. */
      others: z
        .array(recordId)
        .max(mostMerged - 2, `Choose up to ${mostMerged} tickets.`)
        .optional(),
    }),
    response: ActReply,
  }),
  split: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{ticket}/split',
    summary:
      'Move messages of a ticket, with their files and notes, to a new ticket. Its requester is the same, or the one other person who wrote all of the customers’ messages that move. At least one message must stay.',
    act: 'Split',
    record: 'ticket',
    notFields: ['message_ids'],
    access: ofTicket,
    params: ticket,
    body: TicketSplit,
    response: ActReply.extend({ data: TicketRow }),
  }),
}
