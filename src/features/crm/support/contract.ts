import { z } from 'zod'
import { anyOf, endpoint } from '#shared/endpoint.ts'
import { code, emptyIsNull, instant, oneOf, plainDay, recordId, text } from '#shared/schemas.ts'
import { recordFile } from '#shared/files.ts'
import { CountFilter, pageNumber, totalIsCapped } from '#shared/page.ts'
import { detailsOf, inputsOf, repliesOf } from '#shared/field.ts'
import { ActReply, changedReply, listReply, editBaseFields, recordIds } from '#shared/record.contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { clockKindNames, priorityCode, queues } from '#features/crm/support/rules.ts'
import { counted } from '#features/crm/support/counted.contract.ts'
import {
  id,
  idOrZero,
  int,
  files,
  ticket,
  ofTicket,
  TicketTarget,
} from '#features/crm/support/parts.contract.ts'
import { TicketComment } from '#features/crm/support/ticket-comment.contract.ts'
import { TicketForward } from '#features/crm/support/ticket-forward.contract.ts'
import { Rating } from '#features/crm/support/ratings.contract.ts'
import { NewTicket } from '#features/crm/support/new-ticket.contract.ts'
import { disciplineNames } from '#features/tasks/tasks/rules.ts'

export const ticketsPerPage = 20
export const ticketSorts = [
  'last_message_at',
  'id',
  'title',
  'status',
  'priority',
  'category',
  'delivery_date',
  'target_due_at',
] as const
/** Text quoted verbatim from A §8. */
export const replySent = 'Message has been sent successfully'

/**
 * `search`: part of the title, or the ticket number; `status` and `category`: exact match; `category_search`:
 * part of the category's name; `organization`: the organization's tickets, or 0 for tickets without an
 * organization; `assignee`: the tickets of an admin user, `me` for the caller's, or `none` for unassigned ones;
 * `tag`: tickets with this tag.
 */
export const TicketFilters = z.object({
  page: pageNumber.default(1),
  status: code.optional(),
  search: text(200).default(''),
  category: code.optional(),
  organization: idOrZero.optional(),
  assignee: z.union([z.enum(['me', 'none']), recordId]).optional(),
  priority: priorityCode.optional(),
  tag: recordId.optional(),
  /** A queue of the caller. */
  queue: z.enum(queues).optional(),
  /** Only these. */
  ids: recordIds.optional(),
  /** 1: only open tickets whose delivery date has passed. */
  overdue: oneOf(1).optional(),
  /** Tickets whose service target is missed, or ends within 24 hours. */
  target: z.enum(['overdue', 'soon']).optional(),
  category_search: text(200).default(''),
  unread: oneOf(0, 1).optional(),
  /** 1: only tickets whose last reply was not delivered. */
  email_failed: oneOf(1).optional(),
  /** Incidents, or tickets that are linked to one. */
  incident: z.enum(['heads', 'linked']).optional(),
  created_from: plainDay.optional(),
  created_to: plainDay.optional(),
  ...counted,
  column: z.enum(ticketSorts).default('last_message_at'),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
export type TicketFilters = z.output<typeof TicketFilters>
export const TicketRow = z.object({
  ...repliesOf(ticketFields),
  /** 0: none yet. */
  org_id: int,
  organization: z.string().nullable(),
  /** ID of the customer user who opened the ticket; 0 if the requester is not a customer user. */
  user_id: int,
  /** Name of the assignee; null if the ticket is unassigned. */
  assignee: z.string().nullable(),
  /** The admin user who filed the request; null if a customer or an email opened the ticket. */
  staff_id: int.nullable(),
  /** ID of the ticket's card on the board, or 0 if it has none. */
  card_id: int,
  /** 1 if the ticket has a card on the board. */
  add_trello: oneOf(0, 1),
  unread: z.boolean(),
  /** Whether the caller has not read the last message, or marked the ticket as unread. */
  is_new: z.boolean(),
  /** When the ticket returns to the caller’s queues; null if it isn’t snoozed or waits for the customer. */
  snoozed_until: instant.nullable(),
  is_snoozed: z.boolean(),
  is_followed: z.boolean(),
  /** Who wrote last: an admin user of the desk, or the customer. */
  last_by_admin: z.boolean(),
  /** Name of the author of the last message (`You` for the caller), and its first words. */
  last_who: z.string(),
  last_words: z.string(),
  /** Whether the email of the last reply was not delivered. */
  email_failed: z.boolean(),
  /** The incident that the ticket is linked to; null if there is none, and for the caller's own requests. */
  incident_id: int.nullable(),
  /** Number of tickets that are linked to this one, which is an incident if there are any. */
  linked_count: int,
  /** The running service target that ends first; null if there is none. */
  target_kind: z.enum(clockKindNames).nullable(),
  /** Seconds left of a target that is paused. */
  target_seconds_left: int.nullable(),
  version: int,
})
export type TicketRow = z.output<typeof TicketRow>

export const TicketMessage = z.object({
  id: int,
  sent_by_admin: z.boolean(),
  who: z.string(),
  /** Who wrote the message; `other` is someone else who sent an email about the ticket. */
  author: z.enum(['requester', 'other', 'staff']),
  /** Role of the admin user who wrote it; null for other authors. */
  author_role: int.nullable(),
  /** ID of the customer user who wrote the message; null for other authors. */
  user_id: int.nullable(),
  /** Address that another sender wrote from; null for the requester and for admin users. */
  author_email: z.string().nullable(),
  /** Whether a colleague can say that the requester wrote it, from another address of theirs. */
  can_be_requesters: z.boolean(),
  /**
   * Other people who received the message: of an email from outside, everyone in To and Cc besides the panel's own
   * addresses; of a reply, those in Cc.
   */
  others: z.array(z.string()),
  /** Whether the sender of an email is verified, and was banned when it arrived. */
  sender: z.object({ verified: z.boolean(), banned: z.boolean() }).nullable(),
  /** The admin user who entered the requester’s message, for example after a call. */
  recorded_by: z.string().nullable(),
  /** HTML. If `is_foreign` is set, it was written outside the panel and must be shown only in a frame. */
  message: z.string(),
  is_foreign: z.boolean(),
  created_at: instant,
  user_logo: z.string().nullable(),
  attachments: z.array(recordFile.extend({ path: z.string() })),
  /** Reasons why files in the email were not saved, one sentence per file. */
  refused_files: z.array(z.string()),
  /** How satisfied the customer was with the reply; null if they did not say. */
  rating: Rating.nullable(),
  /** The email that delivers the message to the requester. */
  mail: z
    .object({
      id: int,
      state: z.string(),
      /** Number of seconds that the author has left to undo the reply; null if it can't be undone. */
      undo_seconds: int.nullable(),
      /** Changes that the reply made to the ticket when it was sent. */
      sent_with: z.object({
        status: int.optional(),
        customer_feedback: z.boolean().optional(),
        list_id: int.optional(),
      }),
      error: z.string().nullable(),
    })
    .nullable(),
})
export type TicketMessage = z.output<typeof TicketMessage>

export const Ticket = TicketRow.extend({
  ...detailsOf(ticketFields),
  /** The ticket's first message. */
  message: z.string(),
  unique_folder: z.string(),
  /** The ticket that this one was merged into. */
  merged_into: int.nullable(),
  /** Where replies go; null if the requester has no address or is banned. */
  requester_email: z.string().nullable(),
  /** Who gets a copy of a reply unless its author removes them; empty for the caller's own requests. */
  reply_cc: z.array(z.string()),
  requester_banned: z.boolean(),
  requester_phone: z.string(),
  is_own: z.boolean(),
  /** ID of the last message that the viewer had already read; null if there is none. */
  read_to: int.nullable(),
  user_logo: z.string().nullable(),
  attachment: z.array(recordFile.extend({ path: z.string() })),
  messages: z.array(TicketMessage),
  comments: z.array(TicketComment),
  forwards: z.array(TicketForward),
  tasks: z.array(
    z.object({
      id: int,
      title: z.string(),
      status: int,
      status_name: z.string(),
      status_tone: z.string(),
      discipline: z.enum(disciplineNames),
      /** Null if the task has none, or the caller can’t see it. */
      due_date: z.string().nullable(),
    }),
  ),
  /** The last service target of each kind; empty for the caller's own requests. */
  targets: z.array(TicketTarget),
  /** Staff who have read the ticket, and up to which message. */
  readers: z.array(z.object({ name: z.string(), message_id: int, read_at: instant })),
})
export type Ticket = z.output<typeof Ticket>

const ReplySender = z.object({
  /** As in the From header. */
  from: z.string(),
  /** Whether the ticket belongs to a single product, which its emails are from. */
  has_product: z.boolean(),
  /** Shown above the reply; can be empty. */
  heading: z.string(),
  /** Added below the reply, unless its text has it. */
  signature: z.string(),
})
export type ReplySender = z.output<typeof ReplySender>

const storage = { storage_url_attachments: z.string(), storage_url_profile_images: z.string() }
export const TicketReply = z.object({ data: Ticket, ...storage })

export const TicketChange = z.object(inputsOf(ticketFields)).partial().extend(editBaseFields)

const viewTicketAccess = anyOf('all_tickets_view', 'support_view')
export const TicketChanged = changedReply(TicketRow)

export const tickets = {
  list: endpoint({
    method: 'GET',
    path: '/admin/support/ticket',
    shows: ['ticket', 'task', 'designer_task'],
    summary: 'List tickets with filters, most recent message first, 20 per page.',
    access: 'all_tickets_list',
    query: TicketFilters.extend({ count: CountFilter }),
    response: listReply(TicketRow).extend({ total_is_capped: totalIsCapped }),
  }),
  export: endpoint({
    method: 'GET',
    path: '/admin/support/ticket/export',
    summary: 'Export tickets that match the filters as CSV.',
    access: 'all_tickets_list',
    query: TicketFilters,
  }),
  search: endpoint({
    method: 'GET',
    path: '/admin/support/search',
    summary: 'Search tickets by title or number. Returns up to 10.',
    access: 'all_tickets_list',
    query: z.object({ q: text(200).default('') }),
    response: z.object({ data: z.array(TicketRow) }),
  }),
  ofUser: endpoint({
    method: 'GET',
    path: '/admin/support/user-tickets/{id}',
    shows: ['ticket'],
    summary: 'List the tickets that a customer user opened, most recent message first, up to 20.',
    access: 'all_tickets_list',
    params: z.object({ id }),
    response: z.object({
      data: z.array(TicketRow),
      total: int,
      /** Number of tickets that are neither resolved nor closed. */
      open: int,
    }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/support/ticket/{id}',
    shows: ['ticket', 'mails', 'task', 'designer_task'],
    summary:
      'Get a ticket with its conversation, without marking it as read. Requires all_tickets_view, unless the caller is the ticket’s requester.',
    access: viewTicketAccess,
    params: z.object({ id }),
    response: TicketReply.extend({
      /** Whether emails are sent; without an SMTP server, replies wait. */
      is_on: z.boolean(),
      /** Whether the caller’s reply assigns the ticket to them unless they choose otherwise. */
      reply_assigns: z.boolean(),
      /** The sender of the caller's reply, as the requester sees it; null if the caller can't reply. */
      sender: ReplySender.nullable(),
    }),
  }),
  getTicket: endpoint({
    method: 'GET',
    writes: true,
    path: '/admin/support/get-ticket/{id}/{org}',
    summary:
      'Get a ticket with its conversation and mark it as read. Returns 404 if the ticket doesn’t belong to the organization.',
    act: 'Opened',
    access: viewTicketAccess,
    params: z.object({ id, org: idOrZero }),
    response: TicketReply,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/admin/support/ticket/{id}',
    summary: 'Move a ticket to trash. Only Super Admins, Admins, and the ticket’s requester can do this.',
    act: 'Moved to trash',
    access: 'all_tickets_delete',
    params: z.object({ id }),
    response: ActReply,
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/support/ticket',
    summary:
      'Create a ticket for the caller, or on behalf of a customer user or someone without an account (requires all_tickets_view). With to_customer, its message is sent to that person.',
    act: 'Created',
    access: 'support_view',
    files,
    maxBytes: 1_000_000,
    record: 'ticket',
    notFields: [
      'message',
      'org_id',
      'user_id',
      'to_customer',
      'sender_name',
      'sender_phone',
      'sender_email',
      'file_ids',
    ],
    body: NewTicket,
    response: z.object({ message: z.string(), data: TicketRow }),
  }),
  update: endpoint({
    method: 'POST',
    path: '/admin/support/ticket/{id}/update',
    summary:
      'Update the given fields of a ticket. Returns 409 with the current ticket if the version is out of date.',
    act: 'Edited',
    access: ofTicket,
    params: z.object({ id }),
    record: 'ticket',
    body: TicketChange,
    response: TicketChanged,
  }),
  changeStatus: endpoint({
    method: 'POST',
    path: '/admin/support/change-ticket-status/{ticket}/{status}',
    summary: 'Set the status of a ticket.',
    act: 'Changed status',
    access: ofTicket,
    params: z.object({ ticket: id, status: code }),
    response: TicketChanged,
  }),
  changeDeliveryDate: endpoint({
    method: 'POST',
    path: '/admin/support/change-ticket-delivery-date/{ticket}',
    summary: 'Set or clear the delivery date of a ticket.',
    act: 'Changed delivery date',
    access: ofTicket,
    params: ticket,
    body: z.object({ delivery_date: emptyIsNull(plainDay) }),
    response: TicketChanged,
  }),
  inDevelopment: endpoint({
    method: 'POST',
    path: '/admin/support/ticket-indevelopment/{ticket}',
    summary: 'Move a ticket to development. Changes its status and, the first time, creates a task.',
    act: 'Moved to development',
    access: ofTicket,
    params: ticket,
    response: TicketChanged.extend({ task_id: int, created: z.boolean() }),
  }),
  unread: endpoint({
    method: 'GET',
    path: '/admin/support/unread-tickets-count',
    shows: ['ticket'],
    summary: 'Count tickets with unread customer messages, and list the newest 50.',
    access: 'all_tickets_list',
    response: z.object({
      ticket_count: int,
      unread_tickets: z.array(
        z.object({
          id: int,
          title: z.string(),
          created_at: instant,
          st_id: int,
          organization_id: int,
          /** Who wrote the unread message. */
          who: z.string(),
          organization: z.string().nullable(),
          /** The first words of the message. */
          words: z.string(),
        }),
      ),
    }),
  }),
  requesters: endpoint({
    method: 'GET',
    path: '/admin/support/requesters',
    summary: 'List an organization’s users for whom a ticket can be created.',
    access: ofTicket,
    query: z.object({ org_id: id }),
    response: z.object({ data: z.array(z.object({ id: int, name: z.string() })) }),
  }),
}
