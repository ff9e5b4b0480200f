import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { MailProgress } from '#shared/mails.ts'
import { isAddress } from '#shared/recipients.ts'
import { truncate } from '#shared/truncate.ts'
import type { Database, Db } from '#server/db/db.ts'
import type { Files } from '#server/files.ts'
import { escapeHtml } from '#server/html.ts'
import { conflict, invalid } from '#server/http/errors.ts'
import type { Jobs } from '#server/jobs.ts'
import type { Live } from '#server/live/live.ts'
import {
  bulkConnections,
  hostOf,
  Transport,
  type Attached,
  type Outcome,
  type Outgoing,
} from '#server/mail/transport.ts'
import { UnsubscribeLinks, type MailRecord, type OnUnsubscribe } from '#server/mail/unsubscribe.ts'
import type { ContinuableWriting } from '#server/record/rows.ts'
import type { Settings } from '#server/settings.ts'
import type { RecordKind } from '#server/record/rows.ts'
import { inScope } from '#server/record/scope.ts'

/** An email to send. Its texts are final, and the values in `html` are already escaped (html.ts). */
export interface Mail {
  /** Kind of email, such as `schedule-demo`. */
  kind: string
  /** Recipients; the name replaces `{{name}}` in the subject and the texts. */
  to: readonly (string | { address: string; name?: string | undefined })[]
  /** Must be a single line. */
  subject: string
  html: string
  text: string
  reply_to?: string | undefined
  /** The record that the email is about; anyone who can read the record can also read the email. */
  record?: MailRecord | undefined
  product_id?: number | undefined
  /** ID of the admin user who sends the email. */
  staff_id?: number | undefined
  /**
   * Message-ID of the email that this one answers; `references` lists the Message-IDs of the earlier emails
   * in the conversation.
   */
  in_reply_to?: string | undefined
  references?: readonly string[] | undefined
  /**
   * Part of the Message-ID, so that replies quote it (`readReplyTokens`). All emails in a conversation share
   * it.
   */
  reply_token?: string | undefined
  /** Stored files, under the names that the recipients see. */
  attachments?: readonly { name: string; mime: string; stored: string }[] | undefined
  /** How long the email is held before it is sent, so that sending can be undone. */
  sendAfterSeconds?: number | undefined
  /** Whether recipients can unsubscribe; requires PUBLIC_URL. */
  unsubscribable?: boolean | undefined
}

/** Whether a viewer can read an email's record, and the same rule as SQL on the email `m`, for lists. */
interface Right {
  mayRead: ((db: Db, id: number, viewer: Viewer) => boolean | Promise<boolean>) | undefined
  inLists: ((viewer: Viewer) => RawBuilder<unknown>) | undefined
}

/** Placeholder in a stored email for a secret link, which is created when the email is sent. */
export const linkPlace = '{{link}}'

const singleQueue = 'mail'
const bulkQueue = 'mail-bulk'
/** An email with more recipients than this is a bulk email. */
const mostOfSingle = 20
const batchSize = 50
/** An attempt older than this was abandoned by a process that died, and is repeated. */
const abandonedAfter = sql.lit('10 minutes')
const secondsBetweenTries = [30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400]
/** Longest delay before a bulk email retries an SMTP server that is unavailable. */
const longestPauseSeconds = 600
const progressEveryMs = 1000

interface Options {
  db: Db
  jobs: Jobs
  live: Live
  files: Pick<Files, 'pathOf'>
  settings: Pick<Settings, 'smtpUrl' | 'mailFrom' | 'publicUrl'>
  log: { warn: (details: object, text: string) => void }
}

interface Batch {
  mail_id: number
  run: number
  /** Number of consecutive times that the SMTP server was unavailable. */
  pauses?: number
}

/**
 * Sends emails from an outbox. An email is a row written in the same transaction as the change it reports,
 * and a job enqueued in that transaction delivers it to the SMTP server, once per recipient. Each recipient's
 * state goes waiting → sending → sent, back to waiting (with a growing delay), or to failed; emails are held
 * while sending can be undone, and can be stopped. An email is sent twice only if a process dies between the
 * server's confirmation and our commit, and then with the same Message-ID. A bulk email is sent in batches
 * through a separate queue, where each batch enqueues the next one behind those of other emails.
 */
export class MailService {
  /** Increasing delays; shorter in tests. */
  secondsBetweenTries: readonly number[] = secondsBetweenTries
  readonly #options: Options
  readonly #transport: Transport
  readonly #unsubscribing: UnsubscribeLinks
  readonly #rights = new Map<string, Right>()
  readonly #onUnsubscribe: OnUnsubscribe[] = []
  readonly #links = new Map<string, MakeLink>()
  readonly #onCancel = new Map<string, OnCancel>()
  readonly #toldAt = new Map<number, number>()
  #closed = false

  constructor(options: Options) {
    this.#options = options
    this.#transport = new Transport(options)
    this.#unsubscribing = new UnsubscribeLinks(options.db)
    const { jobs } = options
    // Without an SMTP server, leave the jobs to a process that has one.
    jobs.on(singleQueue, this.isOn ? ({ mail_id }: { mail_id: number }) => this.#deliver(mail_id) : undefined)
    jobs.on(bulkQueue, this.isOn ? (batch: Batch) => this.#deliverBatch(batch) : undefined)
    // Resumes emails that were waiting for an SMTP server or were left unfinished by a crash.
    jobs.onStart(() => this.#resumeMails())
  }

  /** Whether emails are sent; without an SMTP server, they wait. */
  get isOn(): boolean {
    return this.#options.settings.smtpUrl !== undefined
  }

  /** Returns who can read the emails of a record type without a registered check; set by the record kit. */
  defaultReader: (type: string) => Right['mayRead'] | undefined = () => undefined

  /**
   * Registers who can read the emails of a record type; by default, those who can see the record. `inLists` is the same rule as SQL on the email `m`;
   * by default, access depends on the email's product.
   */
  registerReadCheck(
    recordType: string,
    mayRead: Right['mayRead'] | undefined,
    inLists?: Right['inLists'],
  ): void {
    this.#rights.set(recordType, { mayRead, inLists })
  }

  /**
   * Registers how the link in a record type's emails is created when one is sent. If no link can be created,
   * the email is canceled.
   */
  registerLink(recordType: string, make: MakeLink): void {
    this.#links.set(recordType, make)
  }

  /** Registers a handler that runs in the same transaction when an email of a record type is canceled. */
  onCancel(recordType: string, handler: OnCancel): void {
    this.#onCancel.set(recordType, handler)
  }

  /** Registers a handler that runs in the same transaction when a recipient unsubscribes. */
  onUnsubscribe(handler: OnUnsubscribe): void {
    this.#onUnsubscribe.push(handler)
  }

  /** Returns whether a viewer can read a record's emails. */
  async isReadable(db: Db, { type, id }: MailRecord, viewer: Viewer): Promise<boolean> {
    const mayRead = this.#rights.get(type)?.mayRead ?? this.defaultReader(type)
    return (await mayRead?.(db, id, viewer)) ?? false
  }

  /**
   * Returns the SQL condition for the emails `m` that a viewer with role 0 or 1 sees in lists: those of the
   * viewer's products whose record exists for the viewer.
   */
  listed(viewer: Viewer, kinds: readonly RecordKind[]): RawBuilder<unknown> {
    const ofProduct = sql`(m.product_id is null or m.product_id = any(${viewer.products}))
      and ${inScope(kinds, viewer, { type: 'm.record_type', id: 'm.record_id' })}`
    const byType = [...this.#rights].flatMap(([type, { inLists }]) =>
      inLists ? [sql`when ${type} then ${inLists(viewer)}`] : [],
    )
    return byType.length
      ? sql`(case m.record_type ${sql.join(byType, sql` `)} else ${ofProduct} end)`
      : sql`(${ofProduct})`
  }

  /**
   * Adds an email to the outbox in the transaction of the change that it reports; returns its ID.
   * @throws HttpError 422 for an invalid address, or for a header with more than one line.
   */
  async queue(db: Transaction<Database>, mail: Mail): Promise<number> {
    const {
      to,
      record,
      references,
      attachments = [],
      sendAfterSeconds = 0,
      reply_token = randomBytes(12).toString('hex'),
      ...said
    } = mail
    checkHead(mail)
    const recipients = new Map(
      to.map((one) =>
        typeof one === 'string' ? [one.toLowerCase(), null] : [one.address.toLowerCase(), one.name ?? null],
      ),
    )
    for (const address of recipients.keys())
      if (!isAddress(address)) throw invalid('to', `${truncate(address, 100)} isn’t a valid email address.`)
    if (recipients.size === 0) throw invalid('to', 'This email has no recipients.')
    const bulk = recipients.size > mostOfSingle
    const { id } = await db
      .insertInto('mails')
      .values({
        ...said,
        reply_token,
        bulk,
        record_type: record?.type ?? null,
        record_id: record?.id ?? null,
        references: references?.join(' ') ?? null,
        message_id: `<${reply_token}-${randomBytes(8).toString('hex')}@${hostOf(this.#options.settings.publicUrl)}>`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (attachments.length)
      await db
        .insertInto('mail_attachments')
        .values(
          attachments.map(({ name, mime, stored }, position) => ({
            mail_id: id,
            position,
            name,
            mime,
            stored,
          })),
        )
        .execute()
    await sql`
      insert into mail_recipients (mail_id, address, name, state, next_try_at)
      select ${id}, address, name, ${sendAfterSeconds > 0 ? 'held' : 'waiting'}, now() + make_interval(secs => ${sendAfterSeconds})
      from unnest(${[...recipients.keys()]}::text[], ${[...recipients.values()]}::text[]) as one (address, name)`.execute(
      db,
    )
    await this.#schedule(db, { id, bulk, run: 0 }, sendAfterSeconds)
    return id
  }

  /** Sends an email only to its author, without linking it to a record. */
  async sendTest(
    db: Transaction<Database>,
    viewer: Pick<Viewer, 'id'>,
    { to, ...mail }: Mail,
  ): Promise<number> {
    const { email, first_name } = await db
      .selectFrom('staff')
      .select(['email', 'first_name'])
      .where('id', '=', viewer.id)
      .executeTakeFirstOrThrow()
    const hasNames = to.some((one) => typeof one !== 'string' && one.name !== undefined)
    const said = {
      ...mail,
      kind: `${mail.kind}-test`,
      subject: `[Test] ${mail.subject}`,
      staff_id: viewer.id,
    }
    return this.queue(db, {
      ...said,
      to: [hasNames ? { address: email, name: first_name } : email],
      record: undefined,
      reply_token: undefined,
      sendAfterSeconds: 0,
      unsubscribable: false,
    })
  }

  /**
   * Cancels an email before it is sent to anyone.
   * @throws HttpError 409 once sending to the first recipient has begun.
   */
  async callOff(writing: ContinuableWriting, id: number): Promise<void> {
    const { db } = writing
    const canceled = await db
      .updateTable('mails')
      .set({ stopped_at: sql<string>`now()`, called_off_at: sql<string>`now()` })
      .where('id', '=', id)
      .where('called_off_at', 'is', null)
      .returning('record_type')
      .executeTakeFirst()
    const stopped = await db
      .updateTable('mail_recipients')
      .set({ state: 'canceled' })
      .where('mail_id', '=', id)
      .where('state', 'in', ['held', 'waiting', 'stopped', 'canceled'])
      .where('attempts', '=', 0)
      .executeTakeFirst()
    const { count } = await db
      .selectFrom('mail_recipients')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('mail_id', '=', id)
      .executeTakeFirstOrThrow()
    if (stopped.numUpdatedRows < BigInt(count))
      throw conflict('This email was already sent or is being sent now.')
    if (canceled) await this.#onCancel.get(canceled.record_type ?? '')?.(writing, id)
  }

  /**
   * Stops an email for the recipients who have not received it yet, until it is resumed; returns their
   * number.
   */
  async stop(db: Transaction<Database>, id: number): Promise<number> {
    await db
      .updateTable('mails')
      .set({ stopped_at: sql<string>`coalesce(stopped_at, now())` })
      .where('id', '=', id)
      .execute()
    const { numUpdatedRows } = await db
      .updateTable('mail_recipients')
      .set({ state: 'stopped' })
      .where('mail_id', '=', id)
      .where('state', 'in', ['held', 'waiting'])
      .executeTakeFirst()
    return Number(numUpdatedRows)
  }

  /**
   * Resumes a stopped email, except for recipients who have since unsubscribed.
   * @throws HttpError 409 for a canceled email.
   */
  async resume(db: Transaction<Database>, id: number): Promise<number> {
    const mail = await this.#start(db, id)
    const { numAffectedRows = 0n } = await sql`
      update mail_recipients r set state = 'waiting', attempts = 0, next_try_at = now(), last_error = null
      where r.mail_id = ${id} and r.state = 'stopped'
        and not (${mail.unsubscribable} and exists (select from mail_unsubscribed u where u.address = r.address))`.execute(
      db,
    )
    await this.#schedule(db, mail)
    return Number(numAffectedRows)
  }

  /**
   * Immediately retries the recipients for whom delivery failed and, unless the email is bulk, those whose
   * delivery is held or waiting; returns the number of retried recipients.
   * @throws HttpError 409 for a canceled email.
   */
  async retry(db: Transaction<Database>, id: number): Promise<number> {
    const mail = await this.#start(db, id, false)
    const { numUpdatedRows } = await db
      .updateTable('mail_recipients')
      .set({ state: 'waiting', attempts: 0, next_try_at: sql<string>`now()` })
      .where('mail_id', '=', id)
      .where('state', 'in', mail.bulk ? ['failed'] : ['failed', 'held', 'waiting'])
      .executeTakeFirst()
    // Only the retried recipients continue; stopped ones remain stopped until the email is resumed.
    if (numUpdatedRows > 0n)
      await db.updateTable('mails').set({ stopped_at: null }).where('id', '=', id).execute()
    if (numUpdatedRows > 0n || mail.bulk) await this.#schedule(db, mail)
    return Number(numUpdatedRows)
  }

  async progress(db: Db, id: number): Promise<MailProgress> {
    const rows = await db
      .selectFrom('mail_recipients')
      .select(['state', (of) => of.fn.countAll<number>().as('count')])
      .where('mail_id', '=', id)
      .groupBy('state')
      .execute()
    const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0
    const counts = {
      waiting: of('waiting') + of('sending'),
      sent: of('sent'),
      failed: of('failed'),
      stopped: of('stopped'),
      held: of('held'),
      canceled: of('canceled'),
      unsubscribed: of('unsubscribed'),
    }
    return { total: Object.values(counts).reduce((sum, count) => sum + count), ...counts }
  }

  /**
   * Finds the recipient that an unsubscribe link belongs to; returns undefined if we did not create the link.
   */
  findUnsubscriber(token: string): ReturnType<UnsubscribeLinks['find']> {
    return this.#unsubscribing.find(token)
  }

  /**
   * Records that an address has unsubscribed; returns the IDs of the emails that lost a recipient as a
   * result, and the changes to other records.
   */
  async unsubscribe(
    db: Transaction<Database>,
    address: string,
    record: MailRecord | undefined,
  ): Promise<{ mails: number[]; changes: Awaited<ReturnType<OnUnsubscribe>> }> {
    const mails = await this.#unsubscribing.keep(db, address)
    const changes = []
    for (const handler of this.#onUnsubscribe) changes.push(...(await handler(db, address, record)))
    return { mails, changes }
  }

  /** Starts a new chain of batches; any older chain then ends on its own. */
  async #start(db: Transaction<Database>, id: number, resumes = true): Promise<Startable> {
    const mail = await db
      .updateTable('mails')
      .set({ run: sql<number>`run + 1`, ...(resumes ? { stopped_at: null } : {}) })
      .where('id', '=', id)
      .where('called_off_at', 'is', null)
      .returning(['id', 'bulk', 'run', 'unsubscribable'])
      .executeTakeFirst()
    if (!mail) throw conflict('This email was canceled.')
    return mail
  }

  #schedule(
    db: Transaction<Database>,
    { id, bulk, run }: Pick<Startable, 'id' | 'bulk' | 'run'>,
    afterSeconds = 0,
    pauses = 0,
  ): Promise<void> {
    const [queue, data] = bulk
      ? [bulkQueue, { mail_id: id, run, pauses } satisfies Batch]
      : [singleQueue, { mail_id: id }]
    return this.#options.jobs.send(db, queue, data, { startAfterSeconds: afterSeconds })
  }

  async #resumeMails(): Promise<void> {
    if (!this.isOn) return
    await this.#options.db.transaction().execute(async (tx) => {
      const { rows } = await sql<Pick<Startable, 'id' | 'bulk' | 'run'>>`
        update mails m set run = m.run + 1 where m.stopped_at is null and exists (select from mail_recipients r where r.mail_id = m.id
          and (r.state in ('waiting', 'held') and (r.next_try_at <= now() or m.bulk) or r.state = 'sending'))
        returning m.id, m.bulk, m.run`.execute(tx)
      for (const mail of rows) await this.#schedule(tx, mail)
    })
  }

  /**
   * Delivers an email to the server for each recipient whose delivery is due. Can run again, or concurrently.
   */
  async #deliver(mail_id: number): Promise<void> {
    const attached = await this.#attached(mail_id)
    while (await this.#deliverNext(mail_id, false, attached))
      this.#options.live.changed('mails', [mail_id], null)
    await this.#options.db.transaction().execute(async (tx) => {
      const seconds = await this.#secondsUntil(tx, mail_id, sql`state = 'sending'`)
      // If a process died during an attempt, check the recipient again once the attempt counts as abandoned.
      if (seconds !== undefined)
        await this.#schedule(tx, { id: mail_id, bulk: false, run: 0 }, Math.max(1, seconds))
    })
  }

  /**
   * Sends one batch of a bulk email over a few connections; the next batch is queued behind those of other
   * emails.
   */
  async #deliverBatch({ mail_id, run, pauses = 0 }: Batch): Promise<void> {
    const { db } = this.#options
    const mail = await db
      .selectFrom('mails')
      .select(['run', 'stopped_at'])
      .where('id', '=', mail_id)
      .executeTakeFirst()
    if (!mail || mail.run !== run || mail.stopped_at !== null) return
    const attached = await this.#attached(mail_id)
    let left = batchSize
    let serverIsAway = false
    const goOn = async () => {
      while (left > 0 && !serverIsAway && !this.#closed) {
        left -= 1
        const outcome = await this.#deliverNext(mail_id, true, attached)
        if (!outcome) return
        if (outcome.serverIsAway) serverIsAway = true
        this.#tell(mail_id)
      }
    }
    const lanes = await Promise.allSettled(Array.from({ length: bulkConnections }, goOn))
    this.#tell(mail_id, true)
    await db.transaction().execute(async (tx) => {
      const now = await tx
        .selectFrom('mails')
        .select(['run', 'stopped_at'])
        .where('id', '=', mail_id)
        .forUpdate()
        .executeTakeFirst()
      if (now?.run !== run || now.stopped_at !== null) return
      const seconds = await this.#secondsUntil(tx, mail_id, sql`state in ('held', 'waiting', 'sending')`)
      if (seconds === undefined) return
      const tries = this.secondsBetweenTries
      const pause = serverIsAway
        ? Math.min(tries[Math.min(pauses, tries.length - 1)] ?? 0, longestPauseSeconds)
        : 0
      await this.#schedule(
        tx,
        { id: mail_id, bulk: true, run },
        Math.max(seconds, pause),
        serverIsAway ? pauses + 1 : 0,
      )
    })
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
  }

  /** Notifies open pages of a bulk email's progress, no more often than people can read it. */
  #tell(mail_id: number, now = false): void {
    const at = Date.now()
    if (!now && at - (this.#toldAt.get(mail_id) ?? 0) < progressEveryMs) return
    if (now) this.#toldAt.delete(mail_id)
    else this.#toldAt.set(mail_id, at)
    this.#options.live.changed('mails', [mail_id], null)
  }

  async #deliverNext(mail_id: number, bulk: boolean, attached: Attached[]): Promise<Outcome | undefined> {
    const mail = await this.#claim(mail_id)
    if (!mail) return undefined
    const { publicUrl } = this.#options.settings
    const withLink = await this.#withLink(mail)
    if (!withLink) {
      const outcome: Outcome = { state: 'canceled', from: '' }
      await this.#options.db.transaction().execute((tx) => this.#keep(tx, mail, bulk, outcome))
      return outcome
    }
    const outcome = await this.#transport.deliver(withLink, {
      bulk,
      attached,
      unsubscribe:
        mail.unsubscribable && publicUrl !== undefined
          ? `${publicUrl}/api/unsubscribe/${await this.#unsubscribing.tokenFor(mail.id)}`
          : undefined,
      seconds: this.secondsBetweenTries[mail.attempts - 1],
    })
    await retryWrite(() =>
      this.#options.db.transaction().execute((tx) => this.#keep(tx, mail, bulk, outcome)),
    )
    return outcome
  }

  /** Returns an email with its link; undefined if the link can no longer be created. */
  async #withLink(mail: Claimed): Promise<Outgoing | undefined> {
    const make = this.#links.get(mail.record_type ?? '')
    if (!make) return mail
    const link = await this.#options.db.transaction().execute((tx) => make(tx, mail.mail_id))
    if (link === undefined) return undefined
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
        select mail_id, address from mail_recipients
        where mail_id = ${mail_id} and state in ('held', 'waiting', 'sending') and next_try_at <= now()
          and (state <> 'sending' or sending_since < now() - interval ${abandonedAfter})
        order by next_try_at limit 1 for update skip locked
      )
      returning r.id, r.mail_id, r.address, r.name, r.attempts, m.subject, m.html, m.text, m."from", m.reply_to, m.in_reply_to, m."references",
        m.message_id, m.unsubscribable, m.record_type`.execute(this.#options.db)
    return rows[0]
  }

  async #keep(tx: Transaction<Database>, mail: Outgoing, bulk: boolean, outcome: Outcome): Promise<void> {
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
    if (!kept.length) return
    if (mail.from === null && outcome.state !== 'canceled')
      await tx
        .updateTable('mails')
        .set({ from: outcome.from })
        .where('id', '=', mail_id)
        .where('from', 'is', null)
        .execute()
    // A bulk email has a single chain of batches, which finds the recipients whose delivery is due.
    if (!bulk && outcome.state === 'waiting')
      await this.#schedule(tx, { id: mail_id, bulk, run: 0 }, outcome.seconds)
  }

  /**
   * Returns the number of seconds until delivery to the first of these recipients is due or an attempt counts
   * as abandoned; undefined if there are no recipients.
   */
  async #secondsUntil(
    tx: Transaction<Database>,
    mail_id: number,
    which: RawBuilder<unknown>,
  ): Promise<number | undefined> {
    const { rows } = await sql<{ seconds: number | null }>`
      select ceil(extract(epoch from min(case when state = 'sending' then sending_since + interval ${abandonedAfter} + interval '1 second' else next_try_at end) - now()))::int
        as seconds from mail_recipients where mail_id = ${mail_id} and ${which}`.execute(tx)
    return rows[0]?.seconds === null || rows[0] === undefined ? undefined : Math.max(0, rows[0].seconds)
  }

  /**
   * Returns an email's attachments.
   * @throws Error if a file no longer exists; the job then retries the email, and the error is logged.
   */
  async #attached(mail_id: number): Promise<Attached[]> {
    const rows = await this.#options.db
      .selectFrom('mail_attachments')
      .selectAll()
      .where('mail_id', '=', mail_id)
      .orderBy('position')
      .execute()
    return Promise.all(
      rows.map(async ({ name, mime, stored }) => {
        const path = this.#options.files.pathOf(stored)
        if (!path || !existsSync(path))
          throw new Error(`File ${stored} of email ${mail_id} no longer exists.`)
        // Each file is read from disk while it is being sent, so that ten 10 MB files are never in memory
        // together.
        return { filename: name, contentType: mime, path }
      }),
    )
  }

  /** Lets emails in flight finish, but does not start any more emails from a batch. */
  drain(): void {
    this.#closed = true
  }

  close(): void {
    this.drain()
    this.#transport.close()
  }
}

type OnCancel = (writing: ContinuableWriting, mail_id: number) => Promise<void>
type MakeLink = (tx: Transaction<Database>, mail_id: number) => Promise<string | undefined>
type Claimed = Outgoing & { record_type: string | null }

interface Startable {
  id: number
  bulk: boolean
  run: number
  unsubscribable: boolean
}

function checkHead({ subject, reply_to, in_reply_to, references = [], attachments = [], to }: Mail): void {
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

/** Returns the reply tokens from a reply's `In-Reply-To` and `References` headers. */
export const readReplyTokens = (heads: string): string[] => [
  ...new Set([...heads.matchAll(/<([a-z0-9]{16,64})-[a-f0-9]{16}@[^<>\s]+>/g)].map(([, token]) => token!)),
]

/**
 * Retries a database write after the mail server has accepted an email, because a database restart at that
 * moment must not cause a second email.
 */
async function retryWrite(work: () => Promise<unknown>): Promise<void> {
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
