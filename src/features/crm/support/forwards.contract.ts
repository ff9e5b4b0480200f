import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { mostPeople } from '#shared/record-mail.contract.ts'
import { mailAddress, richText } from '#shared/schemas.ts'
import { formFileIds, id, int, listOf, ofTicket } from '#features/crm/support/parts.contract.ts'

export const NewTicketForward = z.object({
  to: z.preprocess(
    listOf,
    z
      .array(mailAddress, 'Enter at least one recipient.')
      .min(1, 'Enter at least one recipient.')
      .max(mostPeople),
  ),
  content: richText(100_000),
  /** Files of the message to send with it; none if absent. */
  file_ids: formFileIds,
})

export const ticketForwards = {
  forward: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{ticket}/messages/{message}/forward',
    summary:
      'Forward a message of a ticket by email, with the chosen files of the message. It isn’t an answer: clocks and the status don’t change. Answers of its recipients arrive on the ticket.',
    act: 'Forwarded a message',
    access: ofTicket,
    params: z.object({ ticket: id, message: id }),
    body: NewTicketForward,
    response: z.object({
      message: z.string(),
      data: z.object({
        id: int,
        mail_id: int,
        /** How long sending the email can be undone. */
        undo_seconds: int,
      }),
    }),
  }),
}
