import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { code, recordId, richText } from '#shared/schemas.ts'
import { TicketRow } from '#features/crm/support/contract.ts'
import { formFileIds, id, int, ofTicket, ticket } from '#features/crm/support/parts.contract.ts'

/* Incidents: a ticket to which others are linked, answered together. Tickets are linked by `desk.changeMany`. */

/** Number of tickets that one answer reaches. */
export const mostAnswered = 100

/** Why a ticket of an incident gets no answer: its requester can't be reached, or it is resolved or closed. */
const NoAnswer = z.enum(['banned', 'no address', 'solved'])

/** A ticket of an incident, as a recipient of an answer to all. */
export const IncidentTicket = z.object({
  id: int,
  title: z.string(),
  /** 0: none. */
  org_id: int,
  status: int,
  requester: z.string(),
  organization: z.string().nullable(),
  email: z.string().nullable(),
  /** Null if it gets an answer. Solved tickets get one if they are chosen. */
  why: NoAnswer.nullable(),
})
export type IncidentTicket = z.output<typeof IncidentTicket>

export const IncidentAnswer = z.object({
  message: richText(200_000).refine(({ unclean }) => unclean.trim() !== '', 'This field is required.'),
  file_ids: formFileIds,
  /** The incident’s own ticket and linked ones. */
  ticket_ids: z
    .array(recordId)
    .min(1, 'Choose at least one ticket.')
    .max(mostAnswered, `Choose up to ${mostAnswered} tickets.`),
  /** Status to set on the tickets that are answered. */
  status: code.optional(),
  saved_reply_ids: z.array(id).max(20).optional(),
})

export const incidents = {
  show: endpoint({
    method: 'GET',
    path: '/admin/support/ticket/{ticket}/incident',
    summary:
      'Get the incident that a ticket is, or that it is linked to, with the linked tickets and whether an answer to all reaches them.',
    access: ofTicket,
    params: ticket,
    response: z.object({
      data: z.object({
        /** Null if the caller can’t see it. */
        head: IncidentTicket.extend({ in_trash: z.boolean() }).nullable(),
        linked: z.array(IncidentTicket),
      }),
    }),
  }),
  suggestions: endpoint({
    method: 'GET',
    path: '/admin/support/ticket/{ticket}/incident-suggestions',
    summary:
      'List open tickets that look like a ticket and could be linked to it, and incidents that it could be part of. Returns up to 5 of each.',
    access: ofTicket,
    params: ticket,
    response: z.object({ data: z.object({ tickets: z.array(TicketRow), incidents: z.array(TicketRow) }) }),
  }),
  answer: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{ticket}/incident-answer',
    summary:
      'Send one answer to tickets of an incident, each as its own reply with its values of the variables of saved replies. Tickets that it can’t reach are left out and named.',
    act: 'Replied',
    access: ofTicket,
    params: ticket,
    maxBytes: 1_000_000,
    body: IncidentAnswer,
    response: z.object({
      message: z.string(),
      data: z.object({
        sent: z.array(z.object({ id: int, message_id: int, mail_id: int })),
        /** How long sending the emails can be undone. */
        undo_seconds: int,
      }),
      left_out: z.array(z.object({ id: int, title: z.string(), why: z.string() })),
    }),
  }),
}
