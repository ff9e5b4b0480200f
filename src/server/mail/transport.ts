import { createReadStream } from 'node:fs'
import { createTransport, type Transporter } from 'nodemailer'
import { escapeHtml } from '#server/html.ts'
import type { Settings } from '#server/settings.ts'

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
  reply_to: string | null
  in_reply_to: string | null
  references: string | null
  message_id: string
  unsubscribable: boolean
}

export interface Attached {
  filename: string
  contentType: string
  /** Path on the local disk. */
  path: string
}

export type Outcome = { from: string; error?: string; serverIsAway?: boolean } & (
  | { state: 'sent' | 'failed' | 'canceled' }
  | { state: 'waiting'; seconds: number }
)

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
  async deliver(mail: Outgoing, { bulk, attached, unsubscribe, seconds }: DeliveryOptions): Promise<Outcome> {
    const { settings, log } = this.#options
    const transport = bulk
      ? (this.#pool ??= this.#open({ pool: true, maxConnections: bulkConnections }))
      : (this.#single ??= this.#open({}))
    const from = mail.from ?? settings.mailFrom ?? `Admin Panel <no-reply@${hostOf(settings.publicUrl)}>`
    try {
      await transport.sendMail({
        from,
        to: mail.address,
        ...(mail.reply_to ? { replyTo: mail.reply_to } : {}),
        ...(mail.in_reply_to ? { inReplyTo: mail.in_reply_to } : {}),
        ...(mail.references ? { references: mail.references } : {}),
        ...written(mail, unsubscribe),
        messageId: mail.message_id,
        // One stream per email: attachments of bulk emails are read separately for each recipient, so that
        // none is held in memory.
        attachments: attached.map(({ path, ...said }) => ({ ...said, content: createReadStream(path) })),
      })
      return { state: 'sent', from }
    } catch (error) {
      const { message, code, responseCode } = error as Error & { code?: string; responseCode?: number }
      log.warn({ err: error, mail_id: mail.mail_id }, 'an email was not sent')
      // The server permanently rejects this address or text, whereas a rejected sign-in can still be fixed.
      const isOfThisMail = code === 'EENVELOPE' || code === 'EMESSAGE'
      if (seconds === undefined || (isOfThisMail && (responseCode ?? 500) >= 500))
        return { state: 'failed', from, error: message }
      return { state: 'waiting', from, error: message, seconds, serverIsAway: !isOfThisMail }
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

export interface DeliveryOptions {
  bulk: boolean
  attached: Attached[]
  /** Unsubscribe link, if there is one. */
  unsubscribe: string | undefined
  seconds: number | undefined
}

export const hostOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname

/** Returns an email's subject and body for one recipient. */
function written({ subject, text, html, name }: Outgoing, unsubscribe: string | undefined) {
  const words =
    name === null
      ? { subject, text, html }
      : {
          subject: fillPlaceholders(subject, name.replaceAll(/\s+/g, ' ').trim()),
          text: fillPlaceholders(text, name),
          html: fillPlaceholders(html, escapeHtml(name)),
        }
  if (unsubscribe === undefined) return words
  const link = `<p><a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p>`
  const end = words.html.lastIndexOf('</body>')
  return {
    subject: words.subject,
    text: `${words.text}\n\nUnsubscribe: ${unsubscribe}\n`,
    html: end === -1 ? words.html + link : words.html.slice(0, end) + link + words.html.slice(end),
    headers: {
      'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
      'List-Unsubscribe-Post': { prepared: true, value: 'List-Unsubscribe=One-Click' },
    },
  }
}
