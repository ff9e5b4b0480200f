import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, recordId, requiredText, text } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'

export const mailStates = {
  held: 'Scheduled',
  waiting: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Failed',
  stopped: 'Stopped',
  canceled: 'Canceled',
  unsubscribed: 'Unsubscribed',
} as const
export type MailState = keyof typeof mailStates
export const mailTones: Record<MailState, string> = {
  held: 'blue',
  waiting: 'yellow',
  sending: 'blue',
  sent: 'green',
  failed: 'red',
  stopped: 'gray',
  canceled: 'gray',
  unsubscribed: 'gray',
}
export const mailState = z.enum(Object.keys(mailStates) as [MailState, ...MailState[]])

/** Number of recipients included with an email; `mails.recipients` returns all of them, page by page. */
export const recipientsShown = 20
export const recipientsPerPage = 50

/** Status of an email for one recipient. */
export const Recipient = z.object({
  address: z.string(),
  state: mailState,
  attempts: z.number().int(),
  next_try_at: instant,
  /** The mail server's response to the last attempt, if it failed, and when. */
  last_error: z.string().nullable(),
  last_error_at: instant.nullable(),
  sent_at: instant.nullable(),
})

const count = z.number().int()
/** Number of recipients by status; recipients to whom the email is currently being sent count as waiting. */
export const MailProgress = z.object({
  total: count,
  waiting: count,
  sent: count,
  failed: count,
  stopped: count,
  held: count,
  canceled: count,
  unsubscribed: count,
})
export type MailProgress = z.output<typeof MailProgress>

export const MailRow = z.object({
  id: z.number().int(),
  kind: z.string(),
  subject: z.string(),
  created_at: instant,
  /** Name of the user who sent the email. */
  who: z.string().nullable(),
  /** Type of the record that the email is about. */
  record_type: z.string().nullable(),
  record_id: z.number().int().nullable(),
  /** Whether the email is sent in batches. */
  bulk: z.boolean(),
  called_off: z.boolean(),
  progress: MailProgress,
  /** The email's first recipients that the viewer can see. */
  recipients: z.array(Recipient),
})
export type MailRow = z.output<typeof MailRow>

export const WholeMail = MailRow.extend({
  from: z.string().nullable(),
  reply_to: z.string().nullable(),
  message_id: z.string(),
  html: z.string(),
  text: z.string(),
  attachments: z.array(z.object({ name: z.string(), mime: z.string() })),
  /** Name of the record that the email is about; null if the viewer can't see it. */
  record_name: z.string().nullable(),
  /** Number of recipients that the viewer can't see: users of customers of other products. */
  hidden: count,
  /** Whether the viewer is allowed to pause, resume, retry, and cancel the email. */
  may_steer: z.boolean(),
})
export type WholeMail = z.output<typeof WholeMail>

/** Recipients that an email is not sent to, and why. */
export const LeftOut = z.array(
  z.object({
    who: z.string(),
    why: z.enum(['banned', 'unsubscribed', 'no address', 'no valid address', 'twice']),
  }),
)

const one = z.object({ id: recordId })
const Steered = z.object({ message: z.string(), data: WholeMail })
const says = 'anyone who can view the email’s record'

/**
 * Emails related to any record. Permission to read the record includes permission to read its emails
 * (`app.mail.access.registerReadCheck`); an email's author and roles 0 and 1 can pause, resume, retry, and cancel
 * it, and correct its addresses.
 */
export const mails = {
  ofRecord: endpoint({
    method: 'GET',
    path: '/admin/mails/{type}/{id}',
    shows: ['mails'],
    summary: `List a record’s emails with their status, newest first, up to 100. Available to ${says}.`,
    access: 'signed-in',
    params: z.object({ type: z.string().regex(/^[a-z][a-z_-]{0,39}$/), id: recordId }),
    response: z.object({ data: z.array(MailRow), is_on: z.boolean() }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/mail/{id}',
    shows: ['mails'],
    summary: `Get an email as it was sent, with its sending progress. Available to ${says}.`,
    access: 'signed-in',
    params: one,
    response: z.object({ data: WholeMail, is_on: z.boolean() }),
  }),
  recipients: endpoint({
    method: 'GET',
    path: '/admin/mail/{id}/recipients',
    shows: ['mails'],
    summary: `List an email’s recipients that the caller can see, 50 per page. Available to ${says}.`,
    access: 'signed-in',
    params: one,
    query: z.object({ page: pageNumber.default(1), state: mailState.optional() }),
    response: z.object({ data: z.array(Recipient), total: count, per_page: count }),
  }),
  stop: endpoint({
    method: 'POST',
    path: '/admin/mail/{id}/stop',
    summary: 'Pause an email. The remaining recipients get it only if it’s resumed.',
    act: 'Paused an email',
    access: 'signed-in',
    params: one,
    response: Steered,
  }),
  resume: endpoint({
    method: 'POST',
    path: '/admin/mail/{id}/resume',
    summary: 'Resume a paused email.',
    act: 'Resumed an email',
    access: 'signed-in',
    params: one,
    response: Steered,
  }),
  retry: endpoint({
    method: 'POST',
    path: '/admin/mail/{id}/retry',
    summary: 'Retry an email now for failed recipients and, unless it’s a bulk email, for queued ones.',
    act: 'Retried an email',
    access: 'signed-in',
    params: one,
    response: Steered,
  }),
  correctAddress: endpoint({
    method: 'POST',
    path: '/admin/mail/{id}/correct-address',
    summary: 'Replace the address of a recipient who didn’t get an email, and send it again.',
    act: 'Corrected an address',
    access: 'signed-in',
    params: one,
    body: z.object({ old_address: text(254), new_address: requiredText(254) }),
    response: Steered,
  }),
  callOff: endpoint({
    method: 'POST',
    path: '/admin/mail/{id}/call-off',
    summary: 'Cancel an email that hasn’t started sending.',
    act: 'Canceled an email',
    access: 'signed-in',
    params: one,
    response: Steered,
  }),
}

const link = z.object({ token: z.string().max(100) })
export const unsubscribing = {
  ask: endpoint({
    method: 'GET',
    path: '/unsubscribe/{token}',
    summary: 'Get the unsubscribe confirmation page as HTML.',
    calledBy: 'email clients',
    access: 'public',
    answers: 'html',
    params: link,
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: '/unsubscribe/{token}',
    summary:
      'Unsubscribe a recipient, either from the confirmation page or with one click in an email client (RFC 8058). Returns HTML.',
    act: 'Unsubscribed',
    calledBy: 'email clients',
    access: 'public',
    answers: 'html',
    params: link,
    // Email clients send `List-Unsubscribe=One-Click`, which is ignored.
    body: z.unknown(),
  }),
}
