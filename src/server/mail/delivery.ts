import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import { truncate } from '#shared/truncate.ts'
import type { Database, Db } from '#server/db/db.ts'
import type { Files } from '#server/files/files.ts'
import { escapeHtml } from '#server/html/html.ts'
import { noteBounce } from '#server/inbound/bounces.ts'
import { addressWith, makeReplyToken } from '#server/inbound/reply-tokens.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Live } from '#server/live/live.ts'
import { abandonedAfter, findSecondsUntilDue, isStale, schedule } from '#server/mail/schedule.ts'
import { Transport, type Attached, type Outcome, type Outgoing } from '#server/mail/transport.ts'
import { linkPlace, withoutLink } from '#server/mail/link-place.ts'
import { findUnsubscribed, type Unsubscribing } from '#server/mail/unsubscribe.ts'
import type { Settings } from '#server/settings/settings.ts'

export interface MailOptions {
  db: Db
  jobs: Jobs
  live: Live
  files: Pick<Files, 'pathOf'>
  settings: Pick<Settings, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'provider' | 'inboundAddress'>
  log: { warn: (details: object, text: string) => void }
}

type OnFailed = (
  tx: Transaction<Database>,
  failure: { mail_id: number; address: string; error: string | null },
) => Promise<(() => void) | undefined>
type MakeLink = (tx: Transaction<Database>, mail_id: number) => Promise<string | null | undefined>
/** Why a user no longer gets mailings. */
export type WhyNoMailing = 'unsubscribed' | 'banned' | 'deleted'

type Claimed = Outgoing & {
  record_type: string | null
  created_at: string
  is_cc: boolean
  /** The mail server's message when the address bounced; null if the address is not marked. */
  bounced: string | null
}

/**
 * Delivers emails to the SMTP server, once per recipient. Each recipient's state goes waiting → sending → sent,
 * back to waiting (with a growing delay), or to failed. An email is sent twice only if a process dies between the
 * server's confirmation and our commit, and then with the same Message-ID.
 */
export class Delivery {
  /** Increasing delays; shorter in tests. */
  secondsBetweenTries: readonly number[] = [30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400]
  /**
   * Returns why an address no longer gets a mailing of this time, although it has not unsubscribed by a link; set by the
   * feature of users.
   */
  whyNoMailing: (db: Db, address: string, since: string) => Promise<WhyNoMailing | undefined> = async () =>
    undefined
  readonly #options: MailOptions
  readonly #transport: Transport
  readonly #unsubscribing: Unsubscribing
  readonly #links = new Map<string, MakeLink>()
  readonly #onFailed = new Map<string, OnFailed>()

  constructor(options: MailOptions, unsubscribing: Unsubscribing) {
    this.#options = options
    this.#transport = new Transport(options)
    this.#unsubscribing = unsubscribing
  }

  /**
   * Registers how the link in a record type's emails is created when one is sent: null if the email has none,
   * undefined if it can no longer be created, so that the email is canceled.
   */
  registerLink(recordType: string, make: MakeLink): void {
    this.#links.set(recordType, make)
  }

  /**
   * Registers a handler that runs in the same transaction when delivery of an email of a record type finally
   * fails; the function that it returns runs after the commit.
   */
  onFailed(recordType: string, handler: OnFailed): void {
    this.#onFailed.set(recordType, handler)
  }

  /**
   * Delivers an email to the server for each recipient whose delivery is due. Can run again, or concurrently.
   */
  async deliver(mail_id: number): Promise<void> {
    const attached = await this.attached(mail_id)
    while (await this.deliverNext(mail_id, false, attached))
      this.#options.live.changed('mails', [mail_id], null)
    await this.#options.db.transaction().execute(async (tx) => {
      const seconds = await findSecondsUntilDue(tx, mail_id, sql`state = 'sending'`)
      // If a process died during an attempt, check the recipient again once the attempt counts as abandoned.
      if (seconds !== undefined)
        await schedule(this.#options.jobs, tx, { id: mail_id, bulk: false, run: 0 }, Math.max(1, seconds))
    })
  }

  /**
   * Delivers an email to the next recipient whose delivery is due; returns undefined if there is none.
   */
  async deliverNext(mail_id: number, bulk: boolean, attached: Attached[]): Promise<Outcome | undefined> {
    const mail = await this.#claim(mail_id)
    if (!mail) return undefined
    const { publicUrl } = this.#options.settings
    const whyNot = await this.#whyNot(mail)
    const withLink = whyNot ? undefined : await this.#withLink(mail)
    if (!withLink) {
      const outcome: Outcome = whyNot ?? { state: 'canceled', from: '' }
      const action = await this.#options.db.transaction().execute((tx) => this.#keep(tx, mail, bulk, outcome))
      action?.()
      return outcome
    }
    const outcome = await this.#transport.deliver(withLink, {
      bulk,
      attached,
      replyTo: await this.#replyAddress(mail),
      unsubscribe:
        mail.unsubscribable && publicUrl !== undefined
          ? `${publicUrl}/api/unsubscribe/${await this.#unsubscribing.tokenFor(mail.id)}`
          : undefined,
      seconds: this.secondsBetweenTries[mail.attempts - 1],
    })
    const afterCommit = await retryWrite(() =>
      this.#options.db.transaction().execute((tx) => this.#keep(tx, mail, bulk, outcome)),
    )
    afterCommit?.()
    return outcome
  }

  /** Returns the outcome for a recipient who no longer gets the email, which is asked at the moment of sending. */
  async #whyNot({ bounced, unsubscribable, address, created_at }: Claimed): Promise<Outcome | undefined> {
    if (bounced !== null)
      return { state: 'failed', from: '', error: `Not sent, because this address bounced: ${bounced}` }
    if (!unsubscribable) return undefined
    const { db } = this.#options
    if ((await findUnsubscribed(db, [address])).size > 0) return { state: 'unsubscribed', from: '' }
    const why = await this.whyNoMailing(db, address, created_at)
    if (why === undefined) return undefined
    if (why === 'unsubscribed') return { state: 'unsubscribed', from: '' }
    return { state: 'canceled', from: '', error: `Not sent, because this user was ${why}.` }
  }

  /** Returns the address at which the recipient's reply arrives on the record; undefined if there is none. */
  async #replyAddress({ takes_replies, mail_id, address }: Claimed): Promise<string | undefined> {
    const { inboundAddress } = this.#options.settings
    if (inboundAddress === undefined || !takes_replies) return undefined
    return addressWith(inboundAddress, await makeReplyToken(this.#options.db, mail_id, address))
  }

  /**
   * Returns an email with its link, which is only for those whom the email is to; undefined if the link can no longer
   * be created.
   */
  async #withLink(mail: Claimed): Promise<Outgoing | undefined> {
    const make = this.#links.get(mail.record_type ?? '')
    if (!make) return mail
    const link = await this.#options.db.transaction().execute((tx) => make(tx, mail.mail_id))
    if (link === undefined) return undefined
    if (link === null) return mail
    if (mail.is_cc) return withoutLink(mail)
    return {
      ...mail,
      text: mail.text.replaceAll(linkPlace, () => link),
      html: mail.html.replaceAll(linkPlace, () => escapeHtml(link)),
    }
  }

  /** Claims one recipient exclusively until the attempt ends or counts as abandoned. */
  async #claim(mail_id: number): Promise<Claimed | undefined> {
    const { rows } = await sql<Claimed>`
      update mail_recipients r set state = 'sending', sending_since = now(), attempts = r.attempts + 1
      from mails m
      where m.id = r.mail_id and m.stopped_at is null and (r.mail_id, r.address) = (
        select mail_id, address from mail_recipients r
        where mail_id = ${mail_id} and state in ('held', 'waiting', 'sending') and next_try_at <= now()
          and (state <> 'sending' or sending_since < now() - interval ${abandonedAfter}) and not (${isStale})
        order by next_try_at limit 1 for update skip locked
      )
      returning r.id, r.mail_id, r.address, r.name, r.is_cc, r.attempts, m.subject, m.html, m.text, m."from", m.reply_to, m.in_reply_to, m."references",
        m.message_id, m.unsubscribable, m.created_at, m.takes_replies, m.record_type, m.sender_name, m.sender_address, m.calendar, m.is_automatic,
        case when m.is_open then (select json_agg(json_build_object('address', o.address, 'is_cc', o.is_cc) order by o.address)
          from mail_recipients o where o.mail_id = m.id) end as everyone,
        (select b.error from bounced_addresses b where b.address = r.address and b.marked_at is not null) as bounced`.execute(
      this.#options.db,
    )
    return rows[0]
  }

  /** Stores the outcome of an attempt; returns what to do after the commit. */
  async #keep(
    tx: Transaction<Database>,
    mail: Claimed,
    bulk: boolean,
    outcome: Outcome,
  ): Promise<(() => void) | undefined> {
    const { mail_id, address } = mail
    const kept = await tx
      .updateTable('mail_recipients')
      .set({
        state:
          outcome.state === 'waiting'
            ? sql<string>`case when (select stopped_at from mails where id = ${mail_id}) is null then 'waiting' else 'stopped' end`
            : outcome.state,
        sending_since: null,
        last_error: outcome.error === undefined ? null : truncate(outcome.error, 1000),
        last_error_at: outcome.error === undefined ? null : sql<string>`now()`,
        ...(outcome.state === 'sent' ? { sent_at: sql<string>`now()` } : {}),
        ...(outcome.state === 'waiting'
          ? { next_try_at: sql<string>`now() + make_interval(secs => ${outcome.seconds})` }
          : {}),
      })
      .where('mail_id', '=', mail_id)
      .where('address', '=', address)
      .where('state', '=', 'sending')
      // An attempt that was abandoned and repeated elsewhere no longer belongs to this process.
      .where('attempts', '=', mail.attempts)
      .returning('state')
      .execute()
    if (!kept.length) return undefined
    if (mail.from === null && outcome.from !== '')
      await tx
        .updateTable('mails')
        .set({ from: outcome.from })
        .where('id', '=', mail_id)
        .where('from', 'is', null)
        .execute()
    // A bulk email has a single chain of batches, which finds the recipients whose delivery is due.
    if (!bulk && outcome.state === 'waiting')
      await schedule(this.#options.jobs, tx, { id: mail_id, bulk, run: 0 }, outcome.seconds)
    if (outcome.state !== 'failed') return undefined
    if (outcome.isBounce) await noteBounce(tx, { address, kind: 'hard', error: outcome.error ?? '', mail_id })
    return this.#onFailed.get(mail.record_type ?? '')?.(tx, {
      mail_id,
      address,
      error: outcome.error ?? null,
    })
  }

  /**
   * Marks an email that a mail server accepted and later returned as failed for its recipient, or notes a
   * temporary failure; returns what to do after the commit.
   */
  async bounced(
    tx: Transaction<Database>,
    { mail_id, address, kind, error }: { mail_id: number; address: string; kind: string; error: string },
  ): Promise<(() => void)[]> {
    const failed = await tx
      .updateTable('mail_recipients')
      .set({
        ...(kind === 'hard' ? { state: 'failed', sent_at: null } : {}),
        last_error: truncate(error, 1000),
        last_error_at: sql<string>`now()`,
      })
      .where('mail_id', '=', mail_id)
      .where('address', '=', address)
      .where('state', '=', 'sent')
      .returning('mail_id')
      .executeTakeFirst()
    if (!failed || kind !== 'hard') return []
    const mail = await tx
      .selectFrom('mails')
      .select('record_type')
      .where('id', '=', mail_id)
      .executeTakeFirst()
    const action = await this.#onFailed.get(mail?.record_type ?? '')?.(tx, { mail_id, address, error })
    return action ? [action] : []
  }

  /**
   * Returns an email's attachments.
   * @throws Error if a file no longer exists; the job then retries the email, and the error is logged.
   */
  async attached(mail_id: number): Promise<Attached[]> {
    const rows = await this.#options.db
      .selectFrom('mail_attachments')
      .selectAll()
      .where('mail_id', '=', mail_id)
      .orderBy('position')
      .execute()
    return Promise.all(
      rows.map(async ({ name, mime, stored, content_id }) => {
        const path = this.#options.files.pathOf(stored)
        if (!path || !existsSync(path))
          throw new Error(`File ${stored} of email ${mail_id} no longer exists.`)
        // Each file is read from disk while it is being sent, so that ten 10 MB files are never in memory
        // together.
        const shown = content_id !== null && shownAs(content_id)
        return { filename: name, contentType: unaltered(mime), path, ...shown }
      }),
    )
  }

  close(): void {
    this.#transport.close()
  }
}

/**
 * Returns the type under which an attachment arrives byte for byte. An attached email has to be sent without an
 * encoding if it is declared as one, but not every mail server takes its long lines and its 8-bit text.
 */
const unaltered = (mime: string) => (mime === 'message/rfc822' ? 'application/octet-stream' : mime)

/** An attachment that the text of its email shows. */
const shownAs = (cid: string) => ({ cid, contentDisposition: 'inline' as const })

/**
 * Retries a database write after the mail server has accepted an email, because a database restart at that
 * moment must not cause a second email.
 */
async function retryWrite<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === 6) throw error
      await wait(tries * 500)
    }
  }
}
