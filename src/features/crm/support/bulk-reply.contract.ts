import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { recordIds } from '#shared/record.contract.ts'
import {
  AnswerPreview,
  AnswerToPreview,
  IncidentAnswer,
  IncidentTicket,
  mostAnswered,
  SentAnswers,
} from '#features/crm/support/incidents.contract.ts'
import { ofTicket } from '#features/crm/support/parts.contract.ts'

/* One reply to many selected tickets. */

/** A selected ticket, and why it gets no reply; null if it gets one. */
export const BulkRecipient = IncidentTicket.extend({
  why: z.enum(['banned', 'no address', 'bounced', 'merged', 'in trash']).nullable(),
})
export type BulkRecipient = z.output<typeof BulkRecipient>

export const bulkReply = {
  recipients: endpoint({
    method: 'GET',
    path: '/admin/support/bulk-reply',
    shows: ['ticket'],
    summary:
      'List up to 100 tickets as recipients of one reply, by number, each with the reason if it can’t get one. Tickets that the caller can’t see are left out.',
    access: ofTicket,
    query: z.object({
      ids: recordIds.refine((ids) => ids.length <= mostAnswered, `Choose up to ${mostAnswered} tickets.`),
    }),
    response: z.object({
      data: z.array(BulkRecipient),
      /** Whether emails are sent; without an SMTP server, replies wait. */
      is_on: z.boolean(),
    }),
  }),
  preview: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/support/bulk-reply-preview',
    summary:
      'Preview the email of a reply to many tickets to one of them, exactly as its requester will receive it.',
    access: ofTicket,
    maxBytes: 1_000_000,
    body: AnswerToPreview,
    response: AnswerPreview,
  }),
  answer: endpoint({
    method: 'POST',
    path: '/admin/support/bulk-reply',
    summary:
      'Send one reply to up to 100 tickets, each as its own email with its values of the variables of saved replies. Tickets that it can’t reach, merged ones, and those in the trash are left out and named.',
    act: 'Replied',
    access: ofTicket,
    maxBytes: 1_000_000,
    body: IncidentAnswer,
    response: SentAnswers,
  }),
}
