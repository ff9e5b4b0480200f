import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { recordFile } from '#shared/files.ts'
import { instant, recordId, text } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { isRecordType, liveNameOf } from '#shared/records.ts'

/* Emails that arrived. Those on a record can be read by everyone who can read the record. */

/** Number of files that are saved with an email; those beyond are named. */
export const mostFilesOfEmail = 50

export const receivedKinds = {
  message: 'Message',
  list: 'Mailing list',
  auto_reply: 'Automatic reply',
  bounce: 'Delivery report',
  complaint: 'Complaint',
  loop: 'Our own email',
} as const
export type ReceivedKind = keyof typeof receivedKinds
export const receivedStates = {
  unsorted: 'Unsorted',
  filed: 'Filed',
  banned: 'Banned',
  spam: 'Spam',
  done: 'No reply needed',
  automatic: 'Automatic',
} as const
export type ReceivedState = keyof typeof receivedStates
const keysOf = <Key extends string>(of: Record<Key, unknown>) => z.enum(Object.keys(of) as [Key, ...Key[]])
export const receivedKind = keysOf(receivedKinds)
export const receivedState = keysOf(receivedStates)

const int = z.number().int()

export const ReceivedRow = z.object({
  id: int,
  kind: receivedKind,
  state: receivedState,
  from_name: z.string(),
  from_address: z.string(),
  subject: z.string(),
  /** The first words of the text. */
  excerpt: z.string(),
  /** Whether a reply token or our own mail server shows that the sender is real. */
  verified: z.boolean(),
  /** The rule that marked it as spam, and what it met; empty if none did. */
  spam_reason: z.string(),
  files: int,
  received_at: instant,
  record_type: z.string().nullable(),
  record_id: int.nullable(),
  /** Name of the record; null if the viewer can't see it. */
  record_name: z.string().nullable(),
})
export type ReceivedRow = z.output<typeof ReceivedRow>

export const ReceivedMail = ReceivedRow.extend({
  to_addresses: z.array(z.string()),
  cc_addresses: z.array(z.string()),
  text: z.string(),
  /** The sender's own HTML, only for a sandboxed frame; empty if there is none. */
  html: z.string(),
  message_id: z.string(),
  verified_by: z.enum(['token', 'dmarc', 'dkim', 'spf']).nullable(),
  filed_by: z.enum(['token', 'references', 'subject', 'address', 'gateway', 'staff']).nullable(),
  /** The admin user who filed it. */
  filed_by_name: z.string().nullable(),
  written_at: instant.nullable(),
  /** Why parts of it are missing. */
  problems: z.array(z.string()),
  attachments: z.array(recordFile),
  /** Number of images on other servers. */
  remote_images: int,
})
export type ReceivedMail = z.output<typeof ReceivedMail>

/** An email in search results: one that was sent or received. */
export const FoundMail = z.object({
  way: z.enum(['sent', 'received']),
  id: int,
  /** The sender of a received email, or the recipients of a sent one. */
  who: z.string(),
  subject: z.string(),
  at: instant,
  record_type: z.string(),
  record_id: int,
  record_name: z.string(),
})
export type FoundMail = z.output<typeof FoundMail>

const one = z.object({ id: recordId })
const says = 'anyone who can view the email’s record, or for those on no record with all_tickets_view'

export const receivedMails = {
  ofRecord: endpoint({
    method: 'GET',
    path: '/admin/received-mails/{type}/{id}',
    shows: ({ params: { type } }) => [
      'received-mails',
      'mails',
      ...(isRecordType(type) ? [liveNameOf(type)] : []),
    ],
    summary:
      'List the emails received on a record, newest first, up to 100. Available to anyone who can view the record.',
    access: 'signed-in',
    params: z.object({ type: z.string().regex(/^[a-z][a-z_-]{0,39}$/), id: recordId }),
    response: z.object({ data: z.array(ReceivedRow) }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/received-mail/{id}',
    shows: ['received-mails'],
    summary: `Get a received email. Available to ${says}.`,
    access: 'signed-in',
    params: one,
    response: z.object({ data: ReceivedMail }),
  }),
  images: endpoint({
    method: 'GET',
    path: '/admin/received-mail/{id}/images',
    summary: `Load the images of a received email from other servers through the panel, up to 30. Available to ${says}.`,
    access: 'signed-in',
    params: one,
    response: z.object({
      data: z.array(z.object({ url: z.string(), data: z.string() })),
      /** Number of images that couldn't be loaded. */
      failed: int,
    }),
  }),
  search: endpoint({
    method: 'GET',
    path: '/admin/mails/search',
    summary:
      'Search sent and received emails of the records that the caller can view, newest first, 20 per page. `from:` and `to:` narrow by address or name.',
    access: 'signed-in',
    query: z.object({ q: text(200).default(''), page: pageNumber.default(1) }),
    response: z.object({ data: z.array(FoundMail), more: z.boolean() }),
  }),
}

export const BouncedAddress = z.object({
  address: z.string(),
  kind: z.enum(['hard', 'soft', 'complaint']),
  /** Nothing more is sent to a marked address. */
  marked: z.boolean(),
  soft_count: int,
  error: z.string(),
  last_at: instant,
})
export type BouncedAddress = z.output<typeof BouncedAddress>

/** Marks on addresses, for the pages that show them. */
export const bounceMarks = {
  of: endpoint({
    method: 'GET',
    path: '/admin/bounces/of',
    shows: ['mails'],
    summary: 'Get whether emails to an address bounced, for the pages that show it.',
    access: 'signed-in',
    query: z.object({ address: text(254) }),
    response: z.object({ data: z.array(BouncedAddress) }),
  }),
}
