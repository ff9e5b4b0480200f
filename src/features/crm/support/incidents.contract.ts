import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { code, recordId, richText } from '#shared/schemas.ts'
import { TicketRow } from '#features/crm/support/contract.ts'
import { TicketCommentInput } from '#features/crm/support/conversation.contract.ts'
import { formFileIds, id, int, ofTicket, ticket } from '#features/crm/support/parts.contract.ts'

/* Incidents: a ticket to which others are linked, answered together. Tickets are linked by `desk.changeMany`. */

/** Number of tickets that one answer reaches. */
export const mostAnswered = 100

/** Why a ticket of an incident gets no answer: its requester can't be reached, or it is resolved or closed. */
const NoAnswer = z.enum(['banned', 'no address', 'bounced', 'solved'])

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

/** The tickets to answer: of an incident, its own ticket and linked ones. */
const chosen = z
  .array(recordId)
  .min(1, 'Choose at least one ticket.')
  .max(mostAnswered, `Choose up to ${mostAnswered} tickets.`)

const text = richText(200_000).refine(({ unclean }) => unclean.trim() !== '', 'This field is required.')

/** An answer to several tickets: of an incident, or any. */
export const IncidentAnswer = z.object({
  message: text,
  /** Texts of single tickets, which they get instead of the message. */
  texts: z
    .array(z.object({ ticket_id: recordId, message: text }))
    .max(mostAnswered)
    .refine(
      (all) => new Set(all.map(({ ticket_id }) => ticket_id)).size === all.length,
      'Send one text per ticket.',
    )
    .optional(),
  file_ids: formFileIds,
  ticket_ids: chosen,
  /** Status to set on the tickets that are answered. */
  status: code.optional(),
  saved_reply_ids: z.array(id).max(20).optional(),
})

const LeftOut = z.object({ id: int, title: z.string(), why: z.string() })

/** The replies of an answer to several tickets, and those that it was not for. */
export const SentAnswers = z.object({
  message: z.string(),
  data: z.object({
    sent: z.array(z.object({ id: int, message_id: int, mail_id: int })),
    /** How long sending the emails can be undone. */
    undo_seconds: int,
  }),
  left_out: z.array(LeftOut),
})

/** An answer to several tickets, as one of them would get it. */
export const AnswerToPreview = IncidentAnswer.pick({ message: true, status: true }).extend({
  ticket_id: recordId,
})
export const AnswerPreview = z.object({
  data: z.object({ to: z.string(), subject: z.string(), html: z.string() }),
})

/** An internal note on tickets of an incident. */
export const IncidentNote = TicketCommentInput.pick({ support_comment: true }).extend({ ticket_ids: chosen })

export const incidents = {
  show: endpoint({
    method: 'GET',
    path: '/admin/support/ticket/{ticket}/incident',
    shows: ['ticket'],
    summary:
      'Get the incident that a ticket is, or that it is linked to, with the linked tickets and whether an answer to all reaches them.',
    access: ofTicket,
    params: ticket,
    response: z.object({
      data: z.object({
        /** Null if the caller can’t see it. */
        head: IncidentTicket.extend({
          in_trash: z.boolean(),
          category: int,
          incident_note: z.string(),
          version: int,
        }).nullable(),
        linked: z.array(IncidentTicket),
      }),
    }),
  }),
  suggestions: endpoint({
    method: 'GET',
    path: '/admin/support/ticket/{ticket}/incident-suggestions',
    shows: ['ticket'],
    summary:
      'List open tickets that look like a ticket and could be linked to it, and incidents that it could be part of. Returns up to 5 of each.',
    access: ofTicket,
    params: ticket,
    response: z.object({ data: z.object({ tickets: z.array(TicketRow), incidents: z.array(TicketRow) }) }),
  }),
  preview: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/support/ticket/{ticket}/incident-preview',
    summary:
      'Preview the email of an answer to all to one ticket of an incident, exactly as its requester will receive it.',
    access: ofTicket,
    params: ticket,
    maxBytes: 1_000_000,
    body: AnswerToPreview,
    response: AnswerPreview,
  }),
  note: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{ticket}/incident-note',
    summary:
      'Add an internal note to tickets of an incident. Tickets that are no longer part of it are left out and named.',
    act: 'Commented',
    access: ofTicket,
    params: ticket,
    body: IncidentNote,
    response: z.object({ message: z.string(), left_out: z.array(LeftOut) }),
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
    response: SentAnswers,
  }),
}
