import type { Attachment, Email } from 'postal-mime'
import { isAddress } from '#shared/recipients.ts'
import { truncate } from '#shared/truncate.ts'
import type { EmailKind, EmailReport, ReportedRecipient } from '#server/inbound/email.ts'

/** Returns what kind of email this is, by its headers (RFC 3834, RFC 2919) and its report. */
export function kindOf(email: Email, report: EmailReport | null): EmailKind {
  if (report) return report.recipients.some(({ kind }) => kind === 'complaint') ? 'complaint' : 'bounce'
  const header = (name: string) =>
    email.headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase()
  if (isOfMailServer(email)) return 'bounce'
  const precedence = header('precedence') ?? ''
  if (isAnswerOfMachine(header('auto-submitted') ?? '', precedence)) return 'auto_reply'
  // Read receipts.
  if (/report-type\s*=\s*"?disposition-notification/i.test(typeOf(email))) return 'auto_reply'
  for (const name of ['x-autoreply', 'x-autorespond', 'x-auto-reply-from'])
    if (header(name) !== undefined) return 'auto_reply'
  // Exchange marks its out-of-office replies as generated, and asks not to answer them.
  if (
    header('auto-submitted')?.startsWith('auto-generated') &&
    header('x-auto-response-suppress') !== undefined
  )
    return 'auto_reply'
  if (header('list-id') !== undefined || header('list-unsubscribe') !== undefined) return 'list'
  return isOfList(precedence) ? 'list' : 'message'
}

/** Returns whether an email went to a mailing list or many people, by its header Precedence. */
export const isOfList = (precedence: string): boolean => /^\s*(?:list|bulk|junk)\s*$/i.test(precedence)

/**
 * Returns whether an email is an answer by a machine, such as an out-of-office reply (RFC 3834). Emails that
 * machines only pass on or fill in (group addresses, forms on web sites, shops) are not.
 */
export const isAnswerOfMachine = (autoSubmitted: string, precedence: string): boolean =>
  /^\s*auto-replied\b/i.test(autoSubmitted) || /^\s*auto_reply\b/i.test(precedence)

/** Reports of mail servers without a machine-readable part (older Exchange, qmail). */
function isOfMailServer({ headers }: Email): boolean {
  const header = (name: string) => headers.find(({ key }) => key === name)?.value.trim()
  const from = header('from') ?? ''
  return (
    /\bmailer-daemon@/i.test(from) ||
    (/\bpostmaster@/i.test(from) &&
      (header('return-path') === '<>' || header('x-failed-recipients') !== undefined))
  )
}

const typeOf = ({ headers }: Email) => headers.find(({ key }) => key === 'content-type')?.value ?? ''
const textOf = ({ content }: Attachment) =>
  typeof content === 'string' ? content : new TextDecoder().decode(content)

/** Returns what a mail server or a recipient's provider reports; null if the email is no report. */
export function reportOf(email: Email): EmailReport | null {
  const part = (...types: string[]) => email.attachments.find(({ mimeType }) => types.includes(mimeType))
  const isReport = /multipart\/report/i.test(typeOf(email))
  const complaint = part('message/feedback-report')
  const status = part('message/delivery-status', 'message/global-delivery-status')
  if (!isReport || (!complaint && !status)) return reportOfHeaders(email)
  const returned = part('message/rfc822', 'text/rfc822-headers', 'message/rfc822-headers', 'message/global')
  const head = returned ? (textOf(returned).split(/\r?\n\r?\n/, 1)[0] ?? '').slice(0, 200_000) : ''
  const message_id = /^message-id:\s*(<[^<>\s]+>)/im.exec(head)?.[1] ?? ''
  const recipients = complaint ? complaintsIn(textOf(complaint), head) : failuresIn(textOf(status!))
  return { message_id, recipients }
}

/** Returns the failed recipients that some mail servers name in a header (Exim, Gmail). */
function reportOfHeaders(email: Email): EmailReport | null {
  if (!isOfMailServer(email)) return null
  const failed = email.headers.find(({ key }) => key === 'x-failed-recipients')?.value ?? ''
  const error =
    /\b5\d\d[ -][^\r\n]{1,300}/.exec(email.text ?? '')?.[0] ?? 'The mail server returned the email.'
  const recipients = addressesIn(failed).map((address): ReportedRecipient => ({
    address,
    kind: 'hard',
    error,
  }))
  const references = email.references ?? email.inReplyTo ?? ''
  return { message_id: /<[^<>\s]+>/.exec(references)?.[0] ?? '', recipients }
}

/** Returns the recipients in the fields of a delivery report, one group of fields per recipient (RFC 3464). */
function failuresIn(report: string): ReportedRecipient[] {
  return report.split(/\r?\n\r?\n/).flatMap((group): ReportedRecipient[] => {
    const field = fieldsIn(group)
    const [address] = addressesIn(field('original-recipient') || field('final-recipient'))
    const [final = address] = addressesIn(field('final-recipient'))
    const action = field('action').toLowerCase()
    if (address === undefined || !['failed', 'delayed'].includes(action)) return []
    const status = /\d\.\d{1,3}\.\d{1,3}/.exec(field('status'))?.[0] ?? ''
    const diagnosis = field('diagnostic-code').replace(/^\s*smtp\s*;\s*/i, '')
    const error = truncate(diagnosis || `${status} ${action}`, 1000)
    const kind = isPermanent(action, status, error) ? 'hard' : 'soft'
    return [...new Set([address, final!])].map((one) => ({ address: one, kind, error }))
  })
}

/** A full mailbox and a delay can pass; any other permanent status means that the address doesn't work. */
const isPermanent = (action: string, status: string, error: string) =>
  action === 'failed' &&
  status !== '5.2.2' &&
  (status.startsWith('5') || (status === '' && /\b5\d\d\b/.test(error)))

function complaintsIn(report: string, head: string): ReportedRecipient[] {
  const field = fieldsIn(report)
  const type = field('feedback-type').toLowerCase() || 'abuse'
  if (type === 'not-spam') return []
  const addresses = addressesIn(field('original-rcpt-to') || /^to:\s*([^\r\n]+)/im.exec(head)?.[1] || '')
  return addresses.map((address) => ({ address, kind: 'complaint', error: `Complaint: ${type}` }))
}

/** Returns a function for the value of a field; empty if the group doesn't have it. */
function fieldsIn(group: string): (name: string) => string {
  const fields = new Map(
    group
      .replaceAll(/\r?\n[ \t]+/g, ' ')
      .split(/\r?\n/)
      .flatMap((one) => {
        const [, name, value] = /^([\w-]{1,60}):\s*(.*)$/.exec(one) ?? []
        return name === undefined ? [] : [[name.toLowerCase(), value!.trim()] as const]
      }),
  )
  return (name) => fields.get(name) ?? ''
}

/** Returns the addresses in a field such as `rfc822; <zoe@tamsel.example>`, in lowercase. */
const addressesIn = (value: string): string[] =>
  (value.match(/[^\s<>,;]+@[^\s<>,;]+/g) ?? []).map((one) => one.toLowerCase()).filter(isAddress)
