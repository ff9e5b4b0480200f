import { isAddress, whyNotAddress } from '#shared/recipients.ts'
import { invalid } from '#server/http/errors.ts'
import type { MailRecord } from '#server/mail/unsubscribe.ts'

export interface MailFile {
  name: string
  mime: string
  /** Its name among the files. */
  stored: string
  /** For an image that the text shows as `cid:…`. */
  content_id?: string | null
}

/**
 * An email to send. The values in `html` are already escaped (html.ts); both texts are put into the frame of
 * the sender.
 */
export interface Mail {
  /** Kind of email, such as `schedule-demo`. */
  kind: string
  /** Recipients; the name replaces `{{name}}` in the subject and the texts. */
  to: readonly (string | { address: string; name?: string | undefined })[]
  /** Further recipients. If present, even if it’s empty, every recipient sees all the others. */
  cc?: readonly string[] | undefined
  /** Must be a single line. */
  subject: string
  html: string
  text: string
  reply_to?: string | undefined
  /** The record that the email is about; anyone who can read the record can also read the email. */
  record?: MailRecord | undefined
  product_id?: number | undefined
  /** ID of the admin user who sends the email; it shows their name, with the address of the sender. */
  staff_id?: number | undefined
  /**
   * Message-ID of the email that this one answers; `references` lists the Message-IDs of the earlier emails
   * in the conversation.
   */
  in_reply_to?: string | undefined
  references?: readonly string[] | undefined
  /**
   * Part of the Message-ID. All emails in a conversation share it. It proves nothing, because a Message-ID can
   * be copied; the token in the Reply-To address does.
   */
  reply_token?: string | undefined
  /** Stored files, under the names that the recipients see. */
  attachments?: readonly MailFile[] | undefined
  /** A calendar file with METHOD:REQUEST or METHOD:CANCEL. */
  calendar?: string | undefined
  /** How long the email is held before it is sent, so that sending can be undone. */
  sendAfterSeconds?: number | undefined
  /** Whether the panel answers on its own, so that the machines of recipients must not answer in turn. */
  is_automatic?: boolean | undefined
  /** Whether recipients can unsubscribe; requires PUBLIC_URL. */
  unsubscribable?: boolean | undefined
  /** Whether it goes to admin users, whose replies don't belong on the record. */
  toStaff?: boolean | undefined
}

/** What an email's text and sender depend on. */
export type Written = Pick<Mail, 'subject' | 'html' | 'text' | 'product_id' | 'staff_id' | 'unsubscribable'>

/**
 * Returns an email's recipients by address. A person in both To and Cc is in To.
 * @throws HttpError 422
 */
export function recipientsOf({ to, cc = [] }: Mail): Map<string, { name: string | null; is_cc: boolean }> {
  const recipients = new Map<string, { name: string | null; is_cc: boolean }>()
  for (const address of cc) recipients.set(address.toLowerCase(), { name: null, is_cc: true })
  for (const one of to) {
    const { address, name } = typeof one === 'string' ? { address: one } : one
    recipients.set(address.toLowerCase(), { name: name ?? null, is_cc: false })
  }
  for (const [address, { is_cc }] of recipients)
    if (!isAddress(address)) throw invalid(is_cc ? 'cc' : 'to', whyNotAddress(address))
  if (to.length === 0) throw invalid('to', 'This email has no recipients.')
  return recipients
}

/**
 * Refuses an email whose headers would have more than one line.
 * @throws HttpError 422
 */
export function checkHead({
  subject,
  reply_to,
  in_reply_to,
  references = [],
  attachments = [],
  to,
}: Mail): void {
  const lines = {
    subject,
    reply_to,
    in_reply_to,
    references: references.join(' '),
    attachments: attachments.map(({ name }) => name).join(''),
  }
  for (const [field, line] of Object.entries(lines))
    if (line !== undefined && /[\r\n\u2028\u2029]/.test(line))
      throw invalid(field, 'This field can’t contain line breaks.')
  if (subject.trim() === '') throw invalid('subject', 'This field is required.')
  if (to.some((one) => typeof one !== 'string' && (one.name?.length ?? 0) > 200))
    throw invalid('to', 'A recipient’s name is too long.')
}
