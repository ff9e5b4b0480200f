import { createReadStream } from 'node:fs'
import { createTransport, type Transporter } from 'nodemailer'
import { escapeHtml } from '#server/html/html.ts'
import { fillPlaceholders } from '#shared/placeholders.ts'
import { unsubscribePlace } from '#server/mail/frame.ts'
import type { Settings } from '#server/settings/settings.ts'

/** An email being delivered to one recipient. */
export interface Outgoing {
  /** ID of the recipient. */
  id: number
  mail_id: number
  address: string
  name: string | null
  attempts: number
  subject: string
  html: string
  text: string
  from: string | null
  /** Name of the sender; empty for the name in MAIL_FROM. */
  sender_name: string
  /** Address of the sender; empty for the address in MAIL_FROM. */
  sender_address: string
  /** All recipients, if each of them sees the others. */
  everyone: { address: string; is_cc: boolean }[] | null
  reply_to: string | null
  in_reply_to: string | null
  references: string | null
  message_id: string
  calendar: string | null
  unsubscribable: boolean
  /** Whether the panel answers on its own. */
  is_automatic: boolean
  /** Whether replies arrive on the record, if an address for incoming email is set. */
  takes_replies: boolean
}

export interface Attached {
  filename: string
  contentType: string
  /** Path on the local disk. */
  path: string
  /** Content-ID of an image that the text shows. */
  cid?: string
  contentDisposition?: 'inline'
}

export type Outcome = {
  from: string
  error?: string
  serverIsAway?: boolean
  /** Whether the server says that the address doesn't exist. */
  isBounce?: boolean
} & ({ state: 'sent' | 'failed' | 'canceled' | 'unsubscribed' } | { state: 'waiting'; seconds: number })

/**
 * Number of connections for bulk emails: few enough for the server to handle alongside those for individual
 * emails.
 */
export const bulkConnections = 2

interface Options {
  settings: Pick<Settings, 'smtpUrl' | 'mailFrom' | 'publicUrl'>
  log: { warn: (details: object, text: string) => void }
}

/**
 * Delivers emails to the SMTP server: individual ones immediately, and bulk ones over a few connections that
 * stay open.
 */
export class Transport {
  readonly #options: Options
  #single: Transporter | undefined
  #pool: Transporter | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Delivers an email.
   * @param seconds until the next attempt; undefined if this is the last one.
   */
  async deliver(
    mail: Outgoing,
    { bulk, attached, unsubscribe, replyTo, seconds }: DeliveryOptions,
  ): Promise<Outcome> {
    const { settings, log } = this.#options
    const transport = bulk
      ? (this.#pool ??= this.#open({ pool: true, maxConnections: bulkConnections }))
      : (this.#single ??= this.#open({}))
    const from = mail.from ?? senderOf(settings, { name: mail.sender_name, address: mail.sender_address })
    try {
      await transport.sendMail({
        from,
        ...addressed(mail),
        envelope: { from: returnAddress(from, replyTo), to: mail.address },
        ...replyHeader(mail, replyTo),
        ...(mail.in_reply_to ? { inReplyTo: mail.in_reply_to } : {}),
        ...(mail.references ? { references: mail.references } : {}),
        ...written(mail, unsubscribe),
        ...(mail.is_automatic ? { headers: { 'Auto-Submitted': 'auto-replied' } } : {}),
        messageId: mail.message_id,
        ...(mail.calendar ? { icalEvent: eventOf(mail.calendar) } : {}),
        // One stream per email: attachments of bulk emails are read separately for each recipient, so that
        // none is held in memory.
        attachments: attached.map(({ path, ...said }) => ({ ...said, content: createReadStream(path) })),
      })
      return { state: 'sent', from }
    } catch (error) {
      const { message, code, responseCode } = error as Error & { code?: string; responseCode?: number }
      log.warn({ err: error, mail_id: mail.mail_id }, 'an email was not sent')
      // Only the server's own words are shown to users.
      const response = message.replace(/^Can't send mail - all recipients were rejected: /, '')
      // The server permanently rejects this address or text, whereas a rejected sign-in can still be fixed.
      const isOfThisMail = code === 'EENVELOPE' || code === 'EMESSAGE'
      if (seconds === undefined || (isOfThisMail && (responseCode ?? 500) >= 500))
        return {
          state: 'failed',
          from,
          error: response,
          isBounce: code === 'EENVELOPE' && isUnknown(response),
        }
      return { state: 'waiting', from, error: response, seconds, serverIsAway: !isOfThisMail }
    }
  }

  #open(more: object): Transporter {
    return createTransport({
      url: this.#options.settings.smtpUrl!,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...more,
    } as Parameters<typeof createTransport>[0])
  }

  close(): void {
    this.#single?.close()
    this.#pool?.close()
  }
}

/** Email clients show a calendar file as an invitation only with its method in the content type. */
const eventOf = (content: string) => ({
  method: /METHOD:CANCEL/.test(content) ? 'CANCEL' : 'REQUEST',
  filename: 'session.ics',
  content,
})

const defaultSender = ({ mailFrom, publicUrl }: Options['settings']) =>
  mailFrom ?? `Admin Panel <no-reply@${hostOf(publicUrl)}>`

/** Returns the address in MAIL_FROM, or an address of the panel's host. */
export const addressIn = (settings: Options['settings']): string => {
  const sender = defaultSender(settings)
  return /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender
}

/** Returns the sender as in the From header; an empty name or address is the one of MAIL_FROM. */
export function senderOf(
  settings: Options['settings'],
  { name, address }: { name: string; address: string },
): string {
  if (name === '' && address === '') return defaultSender(settings)
  const from = address === '' ? addressIn(settings) : address
  return name === '' ? from : `"${name.replaceAll(/["\\]/g, '\\$&')}" <${from}>`
}

/** Returns the addresses in the email's headers, and the recipient that it is delivered to. */
function addressed({ address, everyone }: Outgoing) {
  if (!everyone) return { to: address }
  const of = (wanted: boolean) => everyone.filter(({ is_cc }) => is_cc === wanted).map((one) => one.address)
  return { to: of(false), cc: of(true) }
}

/** Returns whether a server's words say that an address doesn't exist, rather than that it refuses the sender. */
const isUnknown = (response: string) =>
  /\b5\.1\.[0-36]\b/.test(response) || (/\b55[013]\b/.test(response) && !/\b5\.[2-7]\.\d/.test(response))

const addressOf = (sender: string) => /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender
const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** Returns where mail servers send delivery reports: to the record too, unless that would be another domain. */
const returnAddress = (from: string, replyTo: string | undefined) =>
  replyTo !== undefined && domainOf(replyTo) === domainOf(addressOf(from)) ? replyTo : addressOf(from)

const replyHeader = ({ reply_to, sender_name }: Outgoing, replyTo: string | undefined) => {
  if (replyTo !== undefined) return { replyTo: { name: sender_name, address: replyTo } }
  return reply_to ? { replyTo: reply_to } : {}
}

export interface DeliveryOptions {
  bulk: boolean
  attached: Attached[]
  /** Unsubscribe link, if there is one. */
  unsubscribe: string | undefined
  /** Address with a token, at which the recipient's reply arrives on the record, if there is one. */
  replyTo: string | undefined
  seconds: number | undefined
}

export const hostOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname

/** Returns an email's subject and body for one recipient. */
function written({ subject, text, html, name }: Outgoing, unsubscribe: string | undefined) {
  // The name comes last, so that braces in it stay as they are.
  const fill = (words: string, write: (value: string) => string) => {
    const linked =
      unsubscribe === undefined ? words : words.replaceAll(unsubscribePlace, () => write(unsubscribe))
    return name === null ? linked : fillPlaceholders(linked, write(name))
  }
  return {
    subject: fill(subject, (value) => value.replaceAll(/\s+/g, ' ').trim()),
    text: fill(text, (value) => value),
    html: fill(html, escapeHtml),
    ...(unsubscribe === undefined
      ? {}
      : {
          headers: {
            'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
            'List-Unsubscribe-Post': { prepared: true, value: 'List-Unsubscribe=One-Click' },
          },
        }),
  }
}
