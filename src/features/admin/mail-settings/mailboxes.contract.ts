import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import {
  instant,
  mailAddress,
  messageReply,
  oneOf,
  recordId,
  requiredText,
  text,
  yesNo,
} from '#shared/schemas.ts'

const int = z.number().int()

/** A mailbox as it is shown. Its secrets are in no reply. */
export const MailboxRow = z.object({
  id: int,
  address: z.string(),
  host: z.string(),
  port: int,
  username: z.string(),
  folder: z.string(),
  sign_in: z.enum(['password', 'oauth2']),
  token_url: z.string(),
  client_id: z.string(),
  /** Where its password comes from; null if it is missing. */
  secret_from: z.enum(['database', 'environment']).nullable(),
  unknown_becomes: z.enum(['unsorted', 'ticket']),
  is_on: z.boolean(),
  state: z.enum(['waiting', 'connected', 'failed']),
  /** The mail server's message. */
  error: z.string(),
  state_at: instant,
  last_received_at: instant.nullable(),
  /** Number of emails received in the last 24 hours. */
  received_today: int,
  version: int,
})
export type MailboxRow = z.output<typeof MailboxRow>

const host = requiredText(253).regex(
  /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i,
  'Enter a host name, such as imap.example.com.',
)

export const MailboxInput = z.object({
  address: mailAddress,
  host,
  port: oneOf(993, 143),
  username: requiredText(254),
  folder: requiredText(200),
  sign_in: z.enum(['password', 'oauth2']),
  /** Empty to keep the password, or to take it from the environment. */
  password: text(1000).default(''),
  token_url: text(500).default(''),
  client_id: text(300).default(''),
  client_secret: text(1000).default(''),
  refresh_token: text(4000).default(''),
  unknown_becomes: z.enum(['unsorted', 'ticket']),
  is_on: yesNo,
})
export type MailboxInput = z.output<typeof MailboxInput>

const Saved = z.object({ message: z.string(), data: MailboxRow })

export const mailboxes = {
  list: endpoint({
    method: 'GET',
    path: '/admin/settings/mailboxes',
    shows: ['settings'],
    summary: 'List the mailboxes that are read over IMAP, with their state.',
    access: adminsOnly,
    response: z.object({
      data: z.array(MailboxRow),
      /** Whether passwords can be stored, because SECRETS_KEY is set. */
      can_store: z.boolean(),
      /** Address at which replies arrive; null if none is set. */
      inbound_address: z.string().nullable(),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/settings/mailboxes',
    summary: 'Add a mailbox that is read over IMAP. Its password is encrypted.',
    act: 'Added a mailbox',
    access: adminsOnly,
    body: MailboxInput,
    response: Saved,
  }),
  change: endpoint({
    method: 'POST',
    path: '/admin/settings/mailboxes/{id}',
    summary: 'Change a mailbox. Empty secrets are kept.',
    act: 'Changed a mailbox',
    access: adminsOnly,
    params: z.object({ id: recordId }),
    body: MailboxInput.extend({ version: int }),
    response: Saved,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/admin/settings/mailboxes/{id}/remove',
    summary: 'Remove a mailbox. Its emails stay where they are filed.',
    act: 'Removed a mailbox',
    access: adminsOnly,
    params: z.object({ id: recordId }),
    response: messageReply,
  }),
}
