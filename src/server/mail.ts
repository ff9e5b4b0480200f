import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import { createTransport, type Transporter } from 'nodemailer'
import type { Database, Db } from '#server/db/db.ts'
import type { Jobs } from '#server/jobs.ts'
import type { Live } from '#server/live.ts'
import type { Settings } from '#server/settings.ts'

/** A mail to send; the texts are finished, values in `html` are escaped (html.ts). */
export interface Mail {
  /** As `schedule-demo`. */
  kind: string
  to: readonly string[]
  subject: string
  html: string
  text: string
  reply_to?: string | undefined
  lead_id?: number | undefined
  staff_id?: number | undefined
}

const queue = 'mail'
/** An attempt that is older was given up by a process that died; it is made again. */
const givenUpAfter = sql.lit('10 minutes')
const secondsBetweenTries = [30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400]

interface Options {
  db: Db
  jobs: Jobs
  live: Live
  settings: Pick<Settings, 'smtpUrl' | 'mailFrom' | 'publicUrl'>
  log: { warn: (details: object, text: string) => void }
}

/**
 * Mails leave from an outbox: a mail is a row in the transaction of what it tells of, and a job of that transaction hands it to the SMTP server,
 * to each recipient once. State per recipient: waiting → sending → sent, or waiting again (with growing delay), or failed.
 * Only a process that dies between the server's yes and our commit sends twice; the Message-ID is then the same.
 */
export class MailService {
  /** Growing; tests wait less. */
  secondsBetweenTries: readonly number[] = secondsBetweenTries
  readonly #options: Options
  #transport: Transporter | undefined

  constructor(options: Options) {
    this.#options = options
    const { jobs } = options
    // Who has no SMTP server leaves the jobs to a process that has.
    jobs.on(queue, this.isOn ? ({ mail_id }: { mail_id: number }) => this.#deliver(mail_id) : undefined)
    // What waited while there was no SMTP server, and what a crash left behind.
    jobs.onStart(() => this.#takeUp())
  }

  /** Whether mails leave at all; without an SMTP server they wait. */
  get isOn(): boolean {
    return this.#options.settings.smtpUrl !== undefined
  }

  /** Puts a mail into the outbox, within the transaction of what it tells of; answers its id. */
  async queue(db: Transaction<Database>, { to, ...mail }: Mail): Promise<number> {
    const { publicUrl } = this.#options.settings
    const host = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname
    const { id } = await db
      .insertInto('mails')
      .values({ ...mail, message_id: `<${randomUUID()}@${host}>` })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('mail_recipients')
      .values([...new Set(to.map((address) => address.toLowerCase()))].map((address) => ({ mail_id: id, address })))
      .execute()
    await this.#schedule(db, id)
    return id
  }

  /** Lets what failed or waits be tried at once; answers how many recipients that are. */
  async retry(db: Transaction<Database>, mail_id: number): Promise<number> {
    const waiting = await db
      .updateTable('mail_recipients')
      .set({ state: 'waiting', attempts: 0, next_try_at: sql<string>`now()` })
      .where('mail_id', '=', mail_id)
      .where('state', 'in', ['failed', 'waiting'])
      .returning('address')
      .execute()
    if (waiting.length) await this.#schedule(db, mail_id)
    return waiting.length
  }

  #schedule(db: Transaction<Database>, mail_id: number, afterSeconds = 0): Promise<void> {
    return this.#options.jobs.send(db, queue, { mail_id }, { startAfterSeconds: afterSeconds })
  }

  async #takeUp(): Promise<void> {
    if (!this.isOn) return
    await this.#options.db.transaction().execute(async (tx) => {
      const unfinished = await tx
        .selectFrom('mail_recipients')
        .select('mail_id')
        .distinct()
        .where((of) => of.or([of('state', '=', 'waiting').and('next_try_at', '<=', sql<string>`now()`), of('state', '=', 'sending')]))
        .execute()
      for (const { mail_id } of unfinished) await this.#schedule(tx, mail_id)
    })
  }

  /** Hands a mail to the server for each recipient who is due; may run again, or twice at once. */
  async #deliver(mail_id: number): Promise<void> {
    for (;;) {
      const recipient = await this.#claim(mail_id)
      if (!recipient) break
      const outcome = await this.#hand(recipient)
      await insist(() => this.#options.db.transaction().execute((tx) => this.#keep(tx, recipient, outcome)))
      this.#options.live.changed('mails', [mail_id], null)
    }
    await this.#lookAgain(mail_id)
  }

  /** Takes one recipient; nobody else takes him until the attempt is over or counts as given up. */
  async #claim(mail_id: number): Promise<Recipient | undefined> {
    const { rows } = await sql<Recipient>`
      update mail_recipients r set state = 'sending', sending_since = now(), attempts = r.attempts + 1
      from mails m
      where m.id = r.mail_id and (r.mail_id, r.address) = (
        select mail_id, address from mail_recipients
        where mail_id = ${mail_id} and (state = 'waiting' and next_try_at <= now() or state = 'sending' and sending_since < now() - interval ${givenUpAfter})
        order by address limit 1 for update skip locked
      )
      returning r.mail_id, r.address, r.attempts, r.sending_since, m.subject, m.html, m.text, m."from", m.reply_to, m.message_id`.execute(this.#options.db)
    return rows[0]
  }

  async #hand(recipient: Recipient): Promise<Outcome> {
    const { settings, log } = this.#options
    this.#transport ??= createTransport({
      url: settings.smtpUrl!,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    } as Parameters<typeof createTransport>[0])
    const from = recipient.from ?? settings.mailFrom ?? `Admin Panel <no-reply@${settings.publicUrl ? new URL(settings.publicUrl).hostname : 'localhost'}>`
    try {
      await this.#transport.sendMail({
        from,
        to: recipient.address,
        ...(recipient.reply_to ? { replyTo: recipient.reply_to } : {}),
        subject: recipient.subject,
        text: recipient.text,
        html: recipient.html,
        messageId: recipient.message_id,
      })
      return { state: 'sent', from }
    } catch (error) {
      const { message, code, responseCode } = error as Error & { code?: string; responseCode?: number }
      log.warn({ err: error, mail_id: recipient.mail_id }, 'a mail did not leave')
      // The server says never to this address or this text; what it says to our sign-in may be put right.
      const never = (code === 'EENVELOPE' || code === 'EMESSAGE') && (responseCode ?? 500) >= 500
      const seconds = never ? undefined : this.secondsBetweenTries[recipient.attempts - 1]
      return seconds === undefined ? { state: 'failed', from, error: message } : { state: 'waiting', from, error: message, seconds }
    }
  }

  async #keep(tx: Transaction<Database>, recipient: Recipient, outcome: Outcome): Promise<void> {
    const { mail_id, address } = recipient
    const kept = await tx
      .updateTable('mail_recipients')
      .set({
        state: outcome.state,
        sending_since: null,
        last_error: outcome.error?.slice(0, 1000) ?? null,
        ...(outcome.state === 'sent' ? { sent_at: sql<string>`now()` } : {}),
        ...(outcome.state === 'waiting' ? { next_try_at: sql<string>`now() + make_interval(secs => ${outcome.seconds})` } : {}),
      })
      .where('mail_id', '=', mail_id)
      .where('address', '=', address)
      .where('state', '=', 'sending')
      // An attempt that was given up and made anew by somebody else is his.
      .where('attempts', '=', recipient.attempts)
      .returning('address')
      .execute()
    if (!kept.length) return
    if (recipient.from === null) await tx.updateTable('mails').set({ from: outcome.from }).where('id', '=', mail_id).where('from', 'is', null).execute()
    if (outcome.state === 'waiting') await this.#schedule(tx, mail_id, outcome.seconds)
  }

  /** An attempt of a process that died is looked at again when its time is over. */
  async #lookAgain(mail_id: number): Promise<void> {
    await this.#options.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ seconds: number }>`
        select ceil(extract(epoch from sending_since + interval ${givenUpAfter} - now()))::int as seconds from mail_recipients
        where mail_id = ${mail_id} and state = 'sending' order by sending_since limit 1`.execute(tx)
      if (rows[0]) await this.#schedule(tx, mail_id, Math.max(1, rows[0].seconds + 1))
    })
  }

  close(): void {
    this.#transport?.close()
  }
}

/** The server has said yes: a database that restarts just then must not cost a second mail. */
async function insist(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work()
      return
    } catch (error) {
      if (tries === 6) throw error
      await wait(tries * 500)
    }
  }
}

interface Recipient {
  mail_id: number
  address: string
  attempts: number
  subject: string
  html: string
  text: string
  from: string | null
  reply_to: string | null
  message_id: string
}
type Outcome = { from: string; error?: string } & ({ state: 'sent' | 'failed' } | { state: 'waiting'; seconds: number })
