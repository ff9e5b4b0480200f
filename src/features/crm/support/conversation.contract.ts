import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { changedReply } from '#shared/record.contract.ts'
import { code, emptyIsAbsent, mailAddress, requiredText, richText, text, flag } from '#shared/schemas.ts'
import { mostPeople } from '#shared/record-mail.contract.ts'
import {
  id,
  idOrZero,
  int,
  files,
  listOf,
  formFileIds,
  ofTicket,
} from '#features/crm/support/parts.contract.ts'
import { TicketComment } from '#features/crm/support/ticket-comment.contract.ts'

export const TicketReplyBody = z.object({
  message: richText(200_000).refine(({ unclean }) => unclean.trim() !== '', 'This field is required.'),
  file_ids: formFileIds,
  /** Other people who receive the reply, which decides who is offered for the next one; the requester is in To. */
  cc: z.preprocess(listOf, z.array(mailAddress).max(mostPeople).optional()),
  org_id: emptyIsAbsent(idOrZero),
  user_id: emptyIsAbsent(idOrZero),
  /**
   * ID of the newest message that the author has seen. If there are newer ones, the request fails with 409
   * and returns them.
   */
  last_message_id: emptyIsAbsent(idOrZero),
  /** Ticket status to set along with the reply. */
  status: emptyIsAbsent(code),
  customer_feedback: emptyIsAbsent(flag),
  /**
   * Admin user to assign the ticket to; 0 unassigns it. If it is omitted, a reply to an unassigned ticket assigns it to
   * its author, unless this is turned off in the settings.
   */
  assignee_id: emptyIsAbsent(idOrZero),
  /** 0 creates a card on the board if the ticket has none, as does `add_trello`. */
  card_id: emptyIsAbsent(idOrZero),
  add_trello: emptyIsAbsent(flag),
  /** The saved replies that the message was written with; their uses are counted. */
  saved_reply_ids: z.preprocess(listOf, z.array(id).max(20).optional()),
  list_id: emptyIsAbsent(code),
  list_card_title: emptyIsAbsent(text(300)),
  list_card_desc: emptyIsAbsent(text(5000)),
})

export const TicketCommentInput = z.object({
  support_comment: requiredText(10_000),
  tag_user: z.preprocess(
    (value) => listOf(value === '' || value === null ? undefined : value),
    z.array(id).max(50).optional(),
  ),
})

export const NewTicketComment = TicketCommentInput.extend({
  ticket_id: id,
  file_ids: formFileIds,
  lead_id: emptyIsAbsent(id),
  organization_id: emptyIsAbsent(idOrZero),
  message_id: emptyIsAbsent(idOrZero),
})

const commentPath = '/admin/support/ticket/{ticket}/comments/{id}'
const ofComment = z.object({ ticket: id, id })

export const conversation = {
  sendReply: endpoint({
    method: 'POST',
    path: '/admin/support/sendReply/{id}',
    summary:
      'Reply to a ticket. The reply is emailed if the requester has an email address. Returns 409 with the newer messages if last_message_id isn’t the latest.',
    act: 'Replied',
    access: ofTicket,
    params: z.object({ id }),
    files,
    maxBytes: 1_000_000,
    body: TicketReplyBody,
    response: z.object({
      message: z.string(),
      data: z.object({
        message_id: int,
        mail_id: int.nullable(),
        card_id: int,
        /** How long sending the email can be undone. */
        undo_seconds: int,
      }),
    }),
  }),
  resendReply: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{ticket}/resend/{message}',
    summary:
      'Resend a reply to the requester’s current email address. Returns 409 if its email is still being sent or was canceled.',
    act: 'Resent a reply',
    access: ofTicket,
    params: z.object({ ticket: id, message: id }),
    response: z.object({ message: z.string(), data: z.object({ message_id: int, mail_id: int }) }),
  }),
  comment: endpoint({
    method: 'POST',
    path: '/admin/support/create-ticket/comment',
    summary:
      'Add an internal comment to a ticket. Tagged staff are notified and must have access to the ticket.',
    act: 'Commented',
    access: ofTicket,
    files,
    body: NewTicketComment,
    response: z.object({ message: z.string(), data: TicketComment }),
  }),
  editComment: endpoint({
    method: 'POST',
    path: commentPath,
    summary:
      'Edit an internal comment that the caller wrote. Tagged staff are notified, unless they were tagged in it before.',
    act: 'Edited a note',
    access: ofTicket,
    params: ofComment,
    body: TicketCommentInput,
    response: changedReply(TicketComment),
  }),
  removeComment: endpoint({
    method: 'DELETE',
    path: commentPath,
    summary: 'Delete an internal comment that the caller wrote; roles 0 and 1 can delete any.',
    act: 'Deleted a note',
    access: ofTicket,
    params: ofComment,
    response: changedReply(z.object({ id: int })),
  }),
  taggable: endpoint({
    method: 'GET',
    path: '/admin/support/ticket/{id}/staff',
    summary: 'List staff with access to a ticket. They can be tagged in its comments.',
    access: ofTicket,
    params: z.object({ id }),
    response: z.object({ data: z.array(z.object({ id: int, name: z.string() })) }),
  }),
}
