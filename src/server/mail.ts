import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { MailProgress } from '#shared/mails.ts'
import { isAddress } from '#shared/recipients.ts'
import type { Database, Db } from '#server/db/db.ts'
import type { Files } from '#server/files.ts'
import { conflict, invalid } from '#server/http/errors.ts'
import type { Jobs } from '#server/jobs.ts'
import type { Live } from '#server/live.ts'
import { bulkConnections, hostOf, Transport, type Attached, type Outcome, type Outgoing } from '#server/mail/transport.ts'
import { Unsubscribing, type MailRecord, type OnUnsubscribe } from '#server/mail/unsubscribe.ts'
import type { Settings } from '#server/settings.ts'

/** A mail to send; the texts are finished, values in `html` are escaped (html.ts). */
export interface Mail {
  /** As `schedule-demo`. */
  kind: string
  /** Where a name is given, it stands for `{{name}}` in subject and texts. */
  to: readonly (string | { address: string; name?: string | undefined })[]
  /** One line. */
  subject: string
  html: string
  text: string
  reply_to?: string | undefined
  /** What it belongs to: who may read that may read the mail. */
  record?: MailRecord | undefined
  product_id?: number | undefined
  /** Whose act it is. */
  staff_id?: number | undefined
  /** The Message-ID that it answers, and those of the talk before it. */
  in_reply_to?: string | undefined
  references?: readonly string[] | undefined
  /** Stands in the Message-ID, so that an answer names it (`readReplyTokens`); the same for all mails of one talk. */
  reply_token?: string | undefined
  /** Files of ours, under the names that the recipient sees. */
  attachments?: readonly { name: string; mime: string; stored: string }[] | undefined
  /** Within this time it can be called off. */
  sendAfterSeconds?: number | undefined
  /** Those who get it can say that they want no more; needs PUBLIC_URL. */
  unsubscribable?: boolean | undefined
}

/** Whether somebody may read what a mail belongs to, and the same as SQL about the mail `m`, for lists. */
interface Right {
  mayRead: (db: Db, id: number, viewer: Viewer) => Promise<boolean>
  inLists: ((viewer: Viewer) => RawBuilder<unknown>) | undefined
}

const singleQueue = 'mail'
const bulkQueue = 'mail-bulk'
/** More recipients than these are a mail to many. */
const mostOfSingle = 20
const batchSize = 50
/** An attempt that is older was given up by a process that died; it is made again. */
const givenUpAfter = sql.lit('10 minutes')
const secondsBetweenTries = [30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400]
/** While the SMTP server is away, a mail to many looks for it this often at least. */
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
  /** How often in a row the SMTP server was away. */
  pauses?: number
}

/**
 * Mails leave from an outbox: a mail is a row in the transaction of what it tells of, and a job of that transaction hands it to the SMTP server,
 * to each recipient once. State per recipient: waiting → sending → sent, or waiting again (with growing delay), or failed; held while it can be called off, stopped.
 * Only a process that dies between the server's yes and our commit sends twice; the Message-ID is then the same.
 * A mail to many leaves in batches through a queue of its own: each batch puts the next one behind those of others.
 */
export class MailService {
  /** Growing; tests wait less. */
  secondsBetweenTries: readonly number[] = secondsBetweenTries
  readonly #options: Options
  readonly #transport: Transport
  readonly #unsubscribing: Unsubscribing
  readonly #rights = new Map<string, Right>()
  readonly #onUnsubscribe: OnUnsubscribe[] = []
  readonly #toldAt = new Map<number, number>()
  #closed = false

  constructor(options: Options) {
    this.#options = options
    this.#transport = new Transport(options)
    this.#unsubscribing = new Unsubscribing(options.db)
    const { jobs } = options
    // Who has no SMTP server leaves the jobs to a process that has.
    jobs.on(singleQueue, this.isOn ? ({ mail_id }: { mail_id: number }) => this.#deliver(mail_id) : undefined)
    jobs.on(bulkQueue, this.isOn ? (batch: Batch) => this.#deliverBatch(batch) : undefined)
    // What waited while there was no SMTP server, and what a crash left behind.
    jobs.onStart(() => this.#takeUp())
  }

  /** Whether mails leave at all; without an SMTP server they wait. */
  get isOn(): boolean {
    return this.#options.settings.smtpUrl !== undefined
  }

  /** Says who may read the mails of a record type; `inLists` says the same in SQL about the mail `m` (without it, the mail's product decides there). */
  mayRead(recordType: string, mayRead: Right['mayRead'], inLists?: Right['inLists']): void {
    this.#rights.set(recordType, { mayRead, inLists })
  }

  /** What is done, within its transaction, when somebody who got a mail wants no more. */
  onUnsubscribe(handler: OnUnsubscribe): void {
    this.#onUnsubscribe.push(handler)
  }

  /** Whether somebody may read the mails of a record; of a type that nobody has named, nobody. */
  async isReadable(db: Db, { type, id }: MailRecord, viewer: Viewer): Promise<boolean> {
    return (await this.#rights.get(type)?.mayRead(db, id, viewer)) ?? false
  }

  /** The mails `m` that somebody of the roles 0 and 1 sees in lists, as SQL. */
  listed(viewer: Viewer): RawBuilder<unknown> {
    const ofProduct = sql`(m.product_id is null or m.product_id = any(${viewer.products}))`
    const byType = [...this.#rights].flatMap(([type, { inLists }]) => (inLists ? [sql`when ${type} then ${inLists(viewer)}`] : []))
    return byType.length ? sql`(case m.record_type ${sql.join(byType, sql` `)} else ${ofProduct} end)` : ofProduct
  }

  /**
   * Puts a mail into the outbox, within the transaction of what it tells of; answers its id.
   * @throws HttpError 422 for a head of more than one line and for what is no address.
   */
  async queue(db: Transaction<Database>, mail: Mail): Promise<number> {
    const { to, record, references, attachments = [], sendAfterSeconds = 0, reply_token = randomBytes(12).toString('hex'), ...said } = mail
    checkHead(mail)
    const recipients = new Map(to.map((one) => (typeof one === 'string' ? [one.toLowerCase(), null] : [one.address.toLowerCase(), one.name ?? null])))
    for (const address of recipients.keys()) if (!isAddress(address)) throw invalid('to', `${address.slice(0, 100)} is not an e-mail address.`)
    if (recipients.size === 0) throw invalid('to', 'Nobody would get this mail.')
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
        .values(attachments.map(({ name, mime, stored }, position) => ({ mail_id: id, position, name, mime, stored })))
        .execute()
    await sql`
      insert into mail_recipients (mail_id, address, name, state, next_try_at)
      select ${id}, address, name, ${sendAfterSeconds > 0 ? 'held' : 'waiting'}, now() + make_interval(secs => ${sendAfterSeconds})
      from unnest(${[...recipients.keys()]}::text[], ${[...recipients.values()]}::text[]) as one (address, name)`.execute(db)
    await this.#schedule(db, { id, bulk, run: 0 }, sendAfterSeconds)
    return id
  }

  /** Sends a mail to the one who writes it and to nobody else; it belongs to no record. */
  async sendTest(db: Transaction<Database>, viewer: Pick<Viewer, 'id'>, { to, ...mail }: Mail): Promise<number> {
    const { email, first_name } = await db.selectFrom('staff').select(['email', 'first_name']).where('id', '=', viewer.id).executeTakeFirstOrThrow()
    const hasNames = to.some((one) => typeof one !== 'string' && one.name !== undefined)
    const said = { ...mail, kind: `${mail.kind}-test`, subject: `[Test] ${mail.subject}`, staff_id: viewer.id }
    return this.queue(db, {
      ...said,
      to: [hasNames ? { address: email, name: first_name } : email],
      record: undefined,
      reply_token: undefined,
      sendAfterSeconds: 0,
      unsubscribable: false,
    })
  }

  /** Takes a mail back before anybody gets it. @throws HttpError 409 once the first recipient is taken. */
  async callOff(db: Transaction<Database>, id: number): Promise<void> {
    await db
      .updateTable('mails')
      .set({ stopped_at: sql<string>`now()`, called_off_at: sql<string>`now()` })
      .where('id', '=', id)
      .where('called_off_at', 'is', null)
      .execute()
    const stopped = await db
      .updateTable('mail_recipients')
      .set({ state: 'stopped' })
      .where('mail_id', '=', id)
      .where('state', 'in', ['held', 'waiting', 'stopped'])
      .where('attempts', '=', 0)
      .executeTakeFirst()
    const { count } = await db
      .selectFrom('mail_recipients')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('mail_id', '=', id)
      .executeTakeFirstOrThrow()
    if (stopped.numUpdatedRows < BigInt(count)) throw conflict('This mail has left, or is leaving right now.')
  }

  /** Lets those who have not got it yet wait until somebody resumes; answers how many they are. */
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

  /** Goes on where a mail was stopped; those who have unsubscribed meanwhile stay out. @throws HttpError 409 for a mail that was called off. */
  async resume(db: Transaction<Database>, id: number): Promise<number> {
    const mail = await this.#start(db, id)
    const { numAffectedRows = 0n } = await sql`
      update mail_recipients r set state = 'waiting', attempts = 0, next_try_at = now(), last_error = null
      where r.mail_id = ${id} and r.state = 'stopped'
        and not (${mail.unsubscribable} and exists (select from mail_unsubscribed u where u.address = r.address))`.execute(db)
    await this.#schedule(db, mail)
    return Number(numAffectedRows)
  }

  /**
   * Lets what failed be tried at once, and of a mail to few what waits; answers how many recipients that are.
   * @throws HttpError 409 for a mail that was called off.
   */
  async retry(db: Transaction<Database>, id: number): Promise<number> {
    const mail = await this.#start(db, id, false)
    const { numUpdatedRows } = await db
      .updateTable('mail_recipients')
      .set({ state: 'waiting', attempts: 0, next_try_at: sql<string>`now()` })
      .where('mail_id', '=', id)
      .where('state', 'in', mail.bulk ? ['failed'] : ['failed', 'held', 'waiting'])
      .executeTakeFirst()
    // What was stopped goes on only for those who are tried again: the others stay stopped until somebody resumes.
    if (numUpdatedRows > 0n) await db.updateTable('mails').set({ stopped_at: null }).where('id', '=', id).execute()
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
    const counts = { waiting: of('waiting') + of('sending'), sent: of('sent'), failed: of('failed'), stopped: of('stopped'), held: of('held') }
    return { total: Object.values(counts).reduce((sum, count) => sum + count), ...counts }
  }

  /** Whose link this is; undefined for none of ours. */
  findUnsubscriber(token: string): ReturnType<Unsubscribing['find']> {
    return this.#unsubscribing.find(token)
  }

  /** Keeps that an address wants no more mails; answers the mails that lost a recipient by it. */
  async unsubscribe(db: Transaction<Database>, address: string, record: MailRecord | undefined): Promise<number[]> {
    const mails = await this.#unsubscribing.keep(db, address)
    for (const handler of this.#onUnsubscribe) await handler(db, address, record)
    return mails
  }

  /** Begins a new chain of batches; an older one ends by itself. */
  async #start(db: Transaction<Database>, id: number, resumes = true): Promise<Startable> {
    const mail = await db
      .updateTable('mails')
      .set({ run: sql<number>`run + 1`, ...(resumes ? { stopped_at: null } : {}) })
      .where('id', '=', id)
      .where('called_off_at', 'is', null)
      .returning(['id', 'bulk', 'run', 'unsubscribable'])
      .executeTakeFirst()
    if (!mail) throw conflict('This mail was called off.')
    return mail
  }

  #schedule(db: Transaction<Database>, { id, bulk, run }: Pick<Startable, 'id' | 'bulk' | 'run'>, afterSeconds = 0, pauses = 0): Promise<void> {
    const [queue, data] = bulk ? [bulkQueue, { mail_id: id, run, pauses } satisfies Batch] : [singleQueue, { mail_id: id }]
    return this.#options.jobs.send(db, queue, data, { startAfterSeconds: afterSeconds })
  }

  async #takeUp(): Promise<void> {
    if (!this.isOn) return
    await this.#options.db.transaction().execute(async (tx) => {
      const { rows } = await sql<Pick<Startable, 'id' | 'bulk' | 'run'>>`
        update mails m set run = m.run + 1 where m.stopped_at is null and exists (select from mail_recipients r where r.mail_id = m.id
          and (r.state in ('waiting', 'held') and (r.next_try_at <= now() or m.bulk) or r.state = 'sending'))
        returning m.id, m.bulk, m.run`.execute(tx)
      for (const mail of rows) await this.#schedule(tx, mail)
    })
  }

  /** Hands a mail to the server for each recipient who is due; may run again, or twice at once. */
  async #deliver(mail_id: number): Promise<void> {
    const attached = await this.#attached(mail_id)
    while (await this.#one(mail_id, false, attached)) this.#options.live.changed('mails', [mail_id], null)
    await this.#options.db.transaction().execute(async (tx) => {
      const seconds = await this.#secondsUntil(tx, mail_id, sql`state = 'sending'`)
      // An attempt of a process that died is looked at again when its time is over.
      if (seconds !== undefined) await this.#schedule(tx, { id: mail_id, bulk: false, run: 0 }, Math.max(1, seconds))
    })
  }

  /** The same for some of many, over a few connections; the next batch comes behind what others have waiting. */
  async #deliverBatch({ mail_id, run, pauses = 0 }: Batch): Promise<void> {
    const { db } = this.#options
    const mail = await db.selectFrom('mails').select(['run', 'stopped_at']).where('id', '=', mail_id).executeTakeFirst()
    if (!mail || mail.run !== run || mail.stopped_at !== null) return
    const attached = await this.#attached(mail_id)
    let left = batchSize
    let serverIsAway = false
    const goOn = async () => {
      while (left > 0 && !serverIsAway && !this.#closed) {
        left -= 1
        const outcome = await this.#one(mail_id, true, attached)
        if (!outcome) return
        if (outcome.serverIsAway) serverIsAway = true
        this.#tell(mail_id)
      }
    }
    const lanes = await Promise.allSettled(Array.from({ length: bulkConnections }, goOn))
    this.#tell(mail_id, true)
    await db.transaction().execute(async (tx) => {
      const now = await tx.selectFrom('mails').select(['run', 'stopped_at']).where('id', '=', mail_id).forUpdate().executeTakeFirst()
      if (now?.run !== run || now.stopped_at !== null) return
      const seconds = await this.#secondsUntil(tx, mail_id, sql`state in ('held', 'waiting', 'sending')`)
      if (seconds === undefined) return
      const tries = this.secondsBetweenTries
      const pause = serverIsAway ? Math.min(tries[Math.min(pauses, tries.length - 1)] ?? 0, longestPauseSeconds) : 0
      await this.#schedule(tx, { id: mail_id, bulk: true, run }, Math.max(seconds, pause), serverIsAway ? pauses + 1 : 0)
    })
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
  }

  /** Tells open pages how far a mail to many is, not more often than they can read. */
  #tell(mail_id: number, now = false): void {
    const at = Date.now()
    if (!now && at - (this.#toldAt.get(mail_id) ?? 0) < progressEveryMs) return
    if (now) this.#toldAt.delete(mail_id)
    else this.#toldAt.set(mail_id, at)
    this.#options.live.changed('mails', [mail_id], null)
  }

  async #one(mail_id: number, bulk: boolean, attached: Attached[]): Promise<Outcome | undefined> {
    const mail = await this.#claim(mail_id)
    if (!mail) return undefined
    const { publicUrl } = this.#options.settings
    const outcome = await this.#transport.hand(mail, {
      bulk,
      attached,
      unsubscribe: mail.unsubscribable && publicUrl !== undefined ? `${publicUrl}/api/unsubscribe/${await this.#unsubscribing.tokenFor(mail.id)}` : undefined,
      seconds: this.secondsBetweenTries[mail.attempts - 1],
    })
    await insist(() => this.#options.db.transaction().execute((tx) => this.#keep(tx, mail, bulk, outcome)))
    return outcome
  }

  /** Takes one recipient; nobody else takes them until the attempt is over or counts as given up. */
  async #claim(mail_id: number): Promise<Outgoing | undefined> {
    const { rows } = await sql<Outgoing>`
      update mail_recipients r set state = 'sending', sending_since = now(), attempts = r.attempts + 1
      from mails m
      where m.id = r.mail_id and m.stopped_at is null and (r.mail_id, r.address) = (
        select mail_id, address from mail_recipients
        where mail_id = ${mail_id} and state in ('held', 'waiting', 'sending') and next_try_at <= now()
          and (state <> 'sending' or sending_since < now() - interval ${givenUpAfter})
        order by next_try_at limit 1 for update skip locked
      )
      returning r.id, r.mail_id, r.address, r.name, r.attempts, m.subject, m.html, m.text, m."from", m.reply_to, m.in_reply_to, m."references",
        m.message_id, m.unsubscribable`.execute(this.#options.db)
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
        last_error: outcome.error?.slice(0, 1000) ?? null,
        ...(outcome.state === 'sent' ? { sent_at: sql<string>`now()` } : {}),
        ...(outcome.state === 'waiting' ? { next_try_at: sql<string>`now() + make_interval(secs => ${outcome.seconds})` } : {}),
      })
      .where('mail_id', '=', mail_id)
      .where('address', '=', address)
      .where('state', '=', 'sending')
      // An attempt that was given up and made anew by somebody else is theirs.
      .where('attempts', '=', mail.attempts)
      .returning('state')
      .execute()
    if (!kept.length) return
    if (mail.from === null) await tx.updateTable('mails').set({ from: outcome.from }).where('id', '=', mail_id).where('from', 'is', null).execute()
    // A mail to many has one chain of batches, which looks for what is due.
    if (!bulk && outcome.state === 'waiting') await this.#schedule(tx, { id: mail_id, bulk, run: 0 }, outcome.seconds)
  }

  /** Until the first of these recipients is due, or their attempt counts as given up; undefined where there is none. */
  async #secondsUntil(tx: Transaction<Database>, mail_id: number, which: RawBuilder<unknown>): Promise<number | undefined> {
    const { rows } = await sql<{ seconds: number | null }>`
      select ceil(extract(epoch from min(case when state = 'sending' then sending_since + interval ${givenUpAfter} + interval '1 second' else next_try_at end) - now()))::int
        as seconds from mail_recipients where mail_id = ${mail_id} and ${which}`.execute(tx)
    return rows[0]?.seconds === null || rows[0] === undefined ? undefined : Math.max(0, rows[0].seconds)
  }

  /** @throws where a file is gone: the mail is then tried again with its job, and says so in the log. */
  async #attached(mail_id: number): Promise<Attached[]> {
    const rows = await this.#options.db.selectFrom('mail_attachments').selectAll().where('mail_id', '=', mail_id).orderBy('position').execute()
    return Promise.all(
      rows.map(async ({ name, mime, stored }) => {
        const path = this.#options.files.pathOf(stored)
        if (!path || !existsSync(path)) throw new Error(`The file ${stored} of the mail ${mail_id} is gone.`)
        // Read from the disk while it is sent: ten files of ten megabytes are never in memory together.
        return { filename: name, contentType: mime, path }
      }),
    )
  }

  /** Lets the mails that are under way end, and begins no more of a batch. */
  drain(): void {
    this.#closed = true
  }

  close(): void {
    this.drain()
    this.#transport.close()
  }
}

interface Startable {
  id: number
  bulk: boolean
  run: number
  unsubscribable: boolean
}

function checkHead({ subject, reply_to, in_reply_to, references = [], attachments = [], to }: Mail): void {
  const lines = { subject, reply_to, in_reply_to, references: references.join(' '), attachments: attachments.map(({ name }) => name).join('') }
  for (const [field, line] of Object.entries(lines)) if (line !== undefined && /[\r\n\u2028\u2029]/.test(line)) throw invalid(field, 'This must be one line.')
  if (subject.trim() === '') throw invalid('subject', 'This field is required.')
  if (to.some((one) => typeof one !== 'string' && (one.name?.length ?? 0) > 200)) throw invalid('to', 'A name is too long.')
}

/** The reply tokens in the heads `In-Reply-To` and `References` of an answer. */
export const readReplyTokens = (heads: string): string[] => [
  ...new Set([...heads.matchAll(/<([a-z0-9]{16,64})-[a-f0-9]{16}@[^<>\s]+>/g)].map(([, token]) => token!)),
]

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
