import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { MailProgress } from '#shared/mails.ts'
import type { TemplateName } from '#shared/mail-templates.ts'
import { isAddress, whyNotAddress } from '#shared/recipients.ts'
import { isRepliedType } from '#shared/records.ts'
import { truncate } from '#shared/truncate.ts'
import type { Database, Db } from '#server/db/db.ts'
import type { Files } from '#server/files.ts'
import { escapeHtml, type Html } from '#server/html.ts'
import { conflict, invalid } from '#server/http/errors.ts'
import { noteBounce } from '#server/inbound/bounces.ts'
import { addressWith, makeReplyToken } from '#server/inbound/reply-tokens.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { Jobs } from '#server/jobs.ts'
import type { Live } from '#server/live/live.ts'
import { framed, unsubscribePlace } from '#server/mail/frame.ts'
import { findSender } from '#server/mail/senders.ts'
import { senderValues, writeTemplate, type TemplateValues } from '#server/mail/templates.ts'
import { textPart } from '#server/mail/text-part.ts'
import {
  bulkConnections,
  hostOf,
  senderOf,
  Transport,
  type Attached,
  type Outcome,
  type Outgoing,
} from '#server/mail/transport.ts'
import {
  findUnsubscribed,
  UnsubscribeLinks,
  type MailRecord,
  type OnUnsubscribe,
} from '#server/mail/unsubscribe.ts'
import type { ContinuableWriting } from '#server/record/rows.ts'
import type { Settings } from '#server/settings.ts'
import type { RecordKind } from '#server/record/rows.ts'
import { inScope } from '#server/record/scope.ts'

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
  attachments?: readonly { name: string; mime: string; stored: string }[] | undefined
  /** A calendar file with METHOD:REQUEST or METHOD:CANCEL. */
  calendar?: string | undefined
  /** How long the email is held before it is sent, so that sending can be undone. */
  sendAfterSeconds?: number | undefined
  /** Whether recipients can unsubscribe; requires PUBLIC_URL. */
  unsubscribable?: boolean | undefined
  /** Whether it goes to admin users, whose replies don't belong on the record. */
  toStaff?: boolean | undefined
}

/** What an email's text and sender depend on. */
export type Written = Pick<Mail, 'subject' | 'html' | 'text' | 'product_id' | 'staff_id' | 'unsubscribable'>

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
/**
 * Recipients, as SQL over `r`, of an email that no one has tried to send since it was due a day ago, because there
 * was no SMTP server. It leaves only when an admin user decides so.
 */
export const isStale = sql`r.state in ('waiting', 'held') and r.attempts = 0 and r.next_try_at < now() - interval '1 day'`
const secondsBetweenTries = [30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400]
/** Longest delay before a bulk email retries an SMTP server that is unavailable. */
const longestPauseSeconds = 600
const progressEveryMs = 1000

interface Options {
  db: Db
  jobs: Jobs
  live: Live
  files: Pick<Files, 'pathOf'>
  settings: Pick<Settings, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'provider' | 'inboundAddress'>
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
  /**
   * Returns why an address no longer gets a mailing of this time, although it has not unsubscribed by a link; set by the
   * feature of users.
   */
  whyNoMailing: (db: Db, address: string, since: string) => Promise<WhyNoMailing | undefined> = async () =>
    undefined
  readonly #options: Options
  readonly #transport: Transport
  readonly #unsubscribing: UnsubscribeLinks
  readonly #rights = new Map<string, Right>()
  readonly #onUnsubscribe: OnUnsubscribe[] = []
  readonly #links = new Map<string, MakeLink>()
  readonly #facts = new Map<TemplateName, FactsOf>()
  readonly #onCancel = new Map<string, OnCancel>()
  readonly #onFailed = new Map<string, OnFailed>()
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

  /** Host of the SMTP server, without its credentials; null if there is none. */
  get host(): string | null {
    const { smtpUrl } = this.#options.settings
    return smtpUrl === undefined ? null : new URL(smtpUrl).hostname
  }

  /**
   * Returns the SQL condition for the recipients `x` of a mailing `m` that a viewer can see; set by the feature that
   * knows the customers' users. All other emails belong to a record, which decides who sees their recipients.
   */
  seesRecipient: (viewer: Viewer) => RawBuilder<boolean> = () => sql`true`

  /** Returns the SQL condition for the recipients `x` of an email `m` that a viewer can see. */
  shownRecipients(viewer: Viewer): RawBuilder<boolean> {
    return sql`(coalesce(m.record_type, 'notification') <> 'notification' or ${this.seesRecipient(viewer)})`
  }

  /** Returns the SQL condition for the emails `m` that have a recipient whom a viewer can see. */
  reachesShown(viewer: Viewer): RawBuilder<boolean> {
    return sql`exists (select from mail_recipients x where x.mail_id = m.id and ${this.shownRecipients(viewer)})`
  }

  /** Returns the SQL condition for the emails `m` of which a viewer sees all recipients, and so can steer them. */
  showsAll(viewer: Viewer): RawBuilder<boolean> {
    return sql`not exists (select from mail_recipients x where x.mail_id = m.id and not ${this.shownRecipients(viewer)})`
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

  /** Registers how the values of a template's variables are found for a record, for previews. */
  registerFacts(kinds: readonly TemplateName[], facts: FactsOf): void {
    for (const kind of kinds) this.#facts.set(kind, facts)
  }

  /** Returns the values of a template's variables for a record that the viewer can see. */
  async factsOf(db: Db, kind: TemplateName, id: number, viewer: SignedIn): Promise<Facts> {
    return (await this.#facts.get(kind)?.(db, id, viewer)) ?? {}
  }

  /** Registers a handler that runs in the same transaction when an email of a record type is canceled. */
  onCancel(recordType: string, handler: OnCancel): void {
    this.#onCancel.set(recordType, handler)
  }

  /**
   * Registers a handler that runs in the same transaction when delivery of an email of a record type finally
   * fails; the function that it returns runs after the commit.
   */
  onFailed(recordType: string, handler: OnFailed): void {
    this.#onFailed.set(recordType, handler)
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
   * viewer's products whose record exists for the viewer, and mailings to anyone whom the viewer can see.
   */
  listed(viewer: Viewer, kinds: readonly RecordKind[]): RawBuilder<unknown> {
    const ofProduct = sql`(m.product_id is null or m.product_id = any(${viewer.products}))
      and ${inScope(kinds, viewer, { type: 'm.record_type', id: 'm.record_id' })}
      and (m.record_type is not null or ${this.reachesShown(viewer)})`
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
      cc,
      record,
      references,
      attachments = [],
      sendAfterSeconds = 0,
      reply_token = randomBytes(12).toString('hex'),
      toStaff = false,
      ...said
    } = mail
    checkHead(mail)
    const recipients = recipientsOf(mail)
    const { sender, ...words } = await this.#write(db, mail)
    const bulk = recipients.size > mostOfSingle
    const { id } = await db
      .insertInto('mails')
      .values({
        ...said,
        ...words,
        reply_token,
        bulk,
        is_open: cc !== undefined,
        takes_replies: isRepliedType(record?.type) && !toStaff,
        sender_name: sender.name,
        sender_address: sender.address,
        record_type: record?.type ?? null,
        record_id: record?.id ?? null,
        references: references?.join(' ') ?? null,
        message_id: `<${reply_token}-${randomBytes(8).toString('hex')}@${hostOf(this.#options.settings.publicUrl)}>`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await this.attach(db, id, attachments)
    await sql`
      insert into mail_recipients (mail_id, address, name, search, is_cc, state, next_try_at)
      select ${id}, address, name, ${bulk ? sql`''` : searchOfRecipient}, is_cc, ${sendAfterSeconds > 0 ? 'held' : 'waiting'}, now() + make_interval(secs => ${sendAfterSeconds})
      from unnest(${[...recipients.keys()]}::text[], ${[...recipients.values()].map(({ name }) => name)}::text[],
        ${[...recipients.values()].map(({ is_cc }) => is_cc)}::boolean[]) as one (address, name, is_cc)`.execute(
      db,
    )
    await this.#schedule(db, { id, bulk, run: 0 }, sendAfterSeconds)
    return id
  }

  /** Returns an email of a kind from its template, without the frame of its sender. */
  async write<Kind extends TemplateName>(
    db: Db,
    kind: Kind,
    values: TemplateValues<Kind>,
    about: Pick<Mail, 'product_id' | 'staff_id'>,
  ): Promise<Pick<Mail, 'subject' | 'html' | 'text'>> {
    return writeTemplate(db, this.#options.settings, kind, values, about)
  }

  /** Returns the signature of an admin user's emails. */
  async signature(
    db: Db,
    about: Pick<Mail, 'product_id' | 'staff_id'>,
  ): Promise<{ html: string; text: string }> {
    const { signature } = await senderValues(db, this.#options.settings, about)
    return { html: signature.text, text: textPart(signature.text) }
  }

  /** Returns an email with its sender exactly as it would be sent, except that the unsubscribe link is inert. */
  async preview(
    db: Db,
    mail: Written,
  ): Promise<{ from: string; subject: string; html: string; text: string }> {
    const { sender, ...words } = await this.#write(db, mail)
    return {
      from: senderOf(this.#options.settings, sender),
      subject: words.subject,
      html: words.html.replaceAll(unsubscribePlace, '#'),
      text: words.text,
    }
  }

  async #write(db: Db, { subject, html, text, ...about }: Written) {
    const { settings } = this.#options
    const sender = await findSender(db, settings, about)
    const unsubscribable = about.unsubscribable === true && settings.publicUrl !== undefined
    return { sender, ...framed({ subject, html, text }, { ...sender, unsubscribable }) }
  }

  /** Adds stored files to an email that was queued in the same transaction. */
  async attach(
    db: Transaction<Database>,
    mail_id: number,
    files: NonNullable<Mail['attachments']>,
  ): Promise<void> {
    if (!files.length) return
    const rows = files.map(({ name, mime, stored }, position) => ({ mail_id, position, name, mime, stored }))
    await db.insertInto('mail_attachments').values(rows).execute()
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
      update mail_recipients r set state = 'waiting', attempts = 0, next_try_at = now(), last_error = null, last_error_at = null
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
    // A person who retries wants these addresses to be tried again.
    await sql`delete from bounced_addresses b using mail_recipients r
      where r.mail_id = ${id} and r.state = 'failed' and b.address = r.address`.execute(db)
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

  /** Sends an email to the recipients for whom it has waited since before there was an SMTP server. */
  async release(db: Transaction<Database>, id: number): Promise<number> {
    const mail = await this.#start(db, id, false)
    const { numAffectedRows = 0n } =
      await sql`update mail_recipients r set state = 'waiting', next_try_at = now()
      where r.mail_id = ${id} and ${isStale}`.execute(db)
    if (numAffectedRows > 0n) await this.#schedule(db, mail)
    return Number(numAffectedRows)
  }

  /**
   * Replaces the address of a recipient to whom delivery failed, and sends the email to the new address.
   * @throws HttpError 422 for an address that can't receive this email; 409 for any other recipient
   */
  async correctAddress(
    db: Transaction<Database>,
    id: number,
    { from, to }: { from: string; to: string },
  ): Promise<void> {
    if (!isAddress(to)) throw invalid('new_address', 'This isn’t a valid email address.')
    const mail = await this.#start(db, id, false)
    const taken = await sql`select from mail_recipients where mail_id = ${id} and address = ${to}
      union all select from mail_unsubscribed where address = ${to} and ${mail.unsubscribable}`.execute(db)
    if (taken.rows.length)
      throw invalid('new_address', 'This address already gets this email, or has unsubscribed.')
    const { numUpdatedRows } = await db
      .updateTable('mail_recipients')
      .set({
        address: to.toLowerCase(),
        ...(mail.bulk
          ? {}
          : {
              search: sql<string>`left(search_text(${to.toLowerCase()} || ' ' || coalesce(name, '')), 640)`,
            }),
        state: 'waiting',
        attempts: 0,
        next_try_at: sql<string>`now()`,
        last_error: null,
        last_error_at: null,
      })
      .where('mail_id', '=', id)
      .where('address', '=', from)
      .where((is) =>
        is.or([is('state', '=', 'failed'), is.and([is('state', '=', 'waiting'), is('attempts', '>', 0)])]),
      )
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw conflict('This email was already sent or is being sent now.')
    await db.updateTable('mails').set({ stopped_at: null }).where('id', '=', id).execute()
    await this.#schedule(db, mail)
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
          and (r.state in ('waiting', 'held') and (r.next_try_at <= now() or m.bulk) or r.state = 'sending') and not (${isStale}))
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
        select mail_id, address from mail_recipients r
        where mail_id = ${mail_id} and state in ('held', 'waiting', 'sending') and next_try_at <= now()
          and (state <> 'sending' or sending_since < now() - interval ${abandonedAfter}) and not (${isStale})
        order by next_try_at limit 1 for update skip locked
      )
      returning r.id, r.mail_id, r.address, r.name, r.attempts, m.subject, m.html, m.text, m."from", m.reply_to, m.in_reply_to, m."references",
        m.message_id, m.unsubscribable, m.created_at, m.takes_replies, m.record_type, m.sender_name, m.sender_address, m.calendar,
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
      await this.#schedule(tx, { id: mail_id, bulk, run: 0 }, outcome.seconds)
    if (outcome.state !== 'failed') return undefined
    if (outcome.isBounce) await noteBounce(tx, { address, kind: 'hard', error: outcome.error ?? '', mail_id })
    return this.#onFailed.get(mail.record_type ?? '')?.(tx, {
      mail_id,
      address,
      error: outcome.error ?? null,
    })
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
        as seconds from mail_recipients r where mail_id = ${mail_id} and ${which} and not (${isStale})`.execute(
      tx,
    )
    return rows[0]?.seconds === null || rows[0] === undefined ? undefined : Math.max(0, rows[0].seconds)
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

type Facts = Readonly<Record<string, string | Html>>
type FactsOf = (db: Db, id: number, viewer: SignedIn) => Promise<Facts>
type OnCancel = (writing: ContinuableWriting, mail_id: number) => Promise<void>
type OnFailed = (
  tx: Transaction<Database>,
  failure: { mail_id: number; address: string; error: string | null },
) => Promise<(() => void) | undefined>
type MakeLink = (tx: Transaction<Database>, mail_id: number) => Promise<string | undefined>
/** Why a user no longer gets mailings. */
export type WhyNoMailing = 'unsubscribed' | 'banned' | 'deleted'

type Claimed = Outgoing & {
  record_type: string | null
  created_at: string
  /** The mail server's message when the address bounced; null if the address is not marked. */
  bounced: string | null
}

interface Startable {
  id: number
  bulk: boolean
  run: number
  unsubscribable: boolean
}

/**
 * Returns an email's recipients by address. A person in both To and Cc is in To.
 * @throws HttpError 422
 */
function recipientsOf({ to, cc = [] }: Mail): Map<string, { name: string | null; is_cc: boolean }> {
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

/** SQL for the words by which a recipient is found. */
const searchOfRecipient = sql`left(search_text(address::text || ' ' || coalesce(name, '')), 640)`

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
