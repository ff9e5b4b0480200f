import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { pageNumber } from '#shared/page.ts'
import { ReceivedRow } from '#shared/received-mails.ts'
import { recordIds } from '#shared/record.contract.ts'
import { repliedTypes } from '#shared/records.ts'
import { instant, messageReply, recordId, requiredText, text } from '#shared/schemas.ts'

const int = z.number().int()
const one = z.object({ id: recordId })

export const unsortedPerPage = 50
/** The lists of emails that are on no record, or that concern no one. */
export const shelves = {
  unsorted: 'Unsorted',
  filed: 'Filed',
  banned: 'Banned',
  spam: 'Spam',
  done: 'No reply needed',
  automatic: 'Automatic',
} as const
export type Shelf = keyof typeof shelves

export const UnsortedFilters = z.object({
  page: pageNumber.default(1),
  state: z.enum(Object.keys(shelves) as [Shelf, ...Shelf[]]).default('unsorted'),
  search: text(200).default(''),
})
export type UnsortedFilters = z.output<typeof UnsortedFilters>

/** A record under which an email can be filed. */
export const PlaceOption = z.object({
  type: z.enum(repliedTypes),
  id: int,
  name: z.string(),
  /** What tells it from others with this name, such as an address and an organization; can be empty. */
  about: z.string(),
  /** Why it is proposed. */
  why: z.string(),
})
export type PlaceOption = z.output<typeof PlaceOption>

const Filed = z.object({
  message: z.string(),
  record: z.object({ type: z.enum(repliedTypes), id: int }).nullable(),
})

/** Emails that are sorted together: those of a page. */
const settledIds = recordIds.refine(
  (ids) => ids.length <= unsortedPerPage,
  `Select up to ${unsortedPerPage} emails at a time.`,
)
const SettledMany = z.object({
  message: z.string(),
  /** IDs of the emails that were sorted. */
  data: z.array(int),
  /** Emails that stay as they are, each with the reason. */
  left_out: z.array(z.object({ id: int, title: z.string(), why: z.string() })),
})

/** Emails that belong to no record, or that need no answer. */
export const unsorted = {
  list: endpoint({
    method: 'GET',
    path: '/admin/unsorted',
    shows: ['received-mails'],
    summary:
      'List received emails by state, newest first, 50 per page; by default, those that wait to be sorted.',
    access: 'all_tickets_view',
    query: UnsortedFilters,
    response: z.object({
      data: z.array(ReceivedRow),
      total: int,
      per_page: int,
      /** Number of emails that wait to be sorted. */
      waiting: int,
    }),
  }),
  places: endpoint({
    method: 'GET',
    path: '/admin/unsorted/{id}/places',
    shows: ['received-mails'],
    summary:
      'List the records under which an email could be filed: those that its sender suggests or, with `q`, those with these words or this number.',
    access: 'all_tickets_view',
    params: one,
    query: z.object({ q: text(100).default('') }),
    response: z.object({ data: z.array(PlaceOption) }),
  }),
  file: endpoint({
    method: 'POST',
    path: '/admin/unsorted/{id}/file',
    summary:
      'File a received email under a record, or under a new ticket or lead. If it names its author, as the user of a new ticket or the user under whom it is filed, its address is remembered as another one of theirs.',
    act: 'Filed an email',
    access: 'all_tickets_view',
    params: one,
    body: z.object({
      type: z.enum(repliedTypes),
      /** A new record if absent. */
      record_id: recordId.optional(),
      /** Product of a new lead. */
      lead_for: recordId.optional(),
      /** The customer user who wrote the email: the requester of a new ticket. */
      user_id: recordId.optional(),
    }),
    product: ['body.lead_for'],
    response: Filed,
  }),
  settle: endpoint({
    method: 'POST',
    path: '/admin/unsorted/{id}/settle',
    summary: 'Mark a received email as spam, or as one that needs no reply.',
    act: 'Sorted an email',
    access: 'all_tickets_view',
    params: one,
    body: z.object({ state: z.enum(['spam', 'done']) }),
    response: messageReply,
  }),
  settleMany: endpoint({
    method: 'POST',
    path: '/admin/unsorted/settle-many',
    summary: `Mark up to ${unsortedPerPage} emails of Unsorted as spam, or as ones that need no reply. Those that someone has sorted are left out and named.`,
    act: 'Sorted emails',
    access: 'all_tickets_view',
    body: z.object({ ids: settledIds, state: z.enum(['spam', 'done']) }),
    response: SettledMany,
  }),
  fileMany: endpoint({
    method: 'POST',
    path: '/admin/unsorted/file-many',
    summary: `Create a ticket for each of up to ${unsortedPerPage} emails of Unsorted. Those that someone has sorted are left out and named.`,
    act: 'Filed emails',
    access: 'all_tickets_view',
    body: z.object({ ids: settledIds }),
    response: SettledMany,
  }),
  blocked: endpoint({
    method: 'GET',
    path: '/admin/unsorted/blocked',
    shows: ['received-mails'],
    summary: 'List the blocked senders, those that were blocked last first.',
    access: 'all_tickets_view',
    response: z.object({
      data: z.array(
        z.object({ address: z.string(), blocked_at: instant, blocked_by: z.string().nullable() }),
      ),
    }),
  }),
  block: endpoint({
    method: 'POST',
    path: '/admin/unsorted/{id}/block',
    summary:
      'Block the sender of an email: it is marked as spam, and so are new emails from there that answer nothing. Returns 409 for the address of a customer user.',
    act: 'Blocked a sender',
    access: 'all_tickets_view',
    params: one,
    response: messageReply,
  }),
  unblock: endpoint({
    method: 'POST',
    path: '/admin/unsorted/unblock',
    summary:
      'Unblock a sender and, with `return_id`, return the email with which it was blocked to Unsorted.',
    act: 'Unblocked a sender',
    access: 'all_tickets_view',
    body: z.object({ address: requiredText(254), return_id: recordId.optional() }),
    response: messageReply,
  }),
  undoMany: endpoint({
    method: 'POST',
    path: '/admin/unsorted/undo-many',
    summary: `Return up to ${unsortedPerPage} sorted emails to Unsorted. Records that were created for them are moved to the trash.`,
    act: 'Returned emails to Unsorted',
    access: 'all_tickets_view',
    body: z.object({ ids: settledIds }),
    response: SettledMany,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/admin/unsorted/{id}/undo',
    summary: 'Return a sorted email to Unsorted. A record that was created for it is moved to the trash.',
    act: 'Returned an email to Unsorted',
    access: 'all_tickets_view',
    params: one,
    response: messageReply,
  }),
}

export const inboundEmail = {
  receive: endpoint({
    method: 'POST',
    path: '/inbound/email',
    summary:
      'Receive a raw email (message/rfc822) from a mail gateway, up to 50 MB, authenticated by the shared secret in X-Inbound-Secret. Each Message-ID is filed once.',
    act: 'Received',
    calledBy: 'mail gateways',
    access: 'public',
    inboundSecret: true,
    maxBytes: 50_000_000,
    // The email as it is.
    body: z.unknown(),
    response: z.object({ message: z.string(), id: int, state: z.string() }),
  }),
}
