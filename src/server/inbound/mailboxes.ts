import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ImapFlow } from 'imapflow'
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { truncate } from '#shared/truncate.ts'
import type { Mailboxes } from '#server/db/tables.ts'
import type { App } from '#server/app.ts'
import { HttpError } from '#server/http/errors.ts'
import { emailLimits } from '#server/inbound/email.ts'
import { signInTo } from '#server/inbound/mailbox-secrets.ts'
import { receiveRaw } from '#server/inbound/receive-raw.ts'

export type MailboxRow = Selectable<Mailboxes>

const leaseSeconds = 60
/** Delays before a mailbox is tried again. */
const pausesMs = [1000, 5000, 15_000, 60_000]
/** A server that never announces new emails is asked this often. */
const askAgainMs = 60_000
/** An email that fails this often is skipped, so that those after it arrive. */
const mostTries = 3

/**
 * Reads the mailboxes over IMAP, each in one process at a time. An email counts as read once it is saved, so one
 * that was cut off is fetched again; the same email is saved once (`acceptEmail`).
 */
export class MailboxReader {
  /** Shorter in tests. */
  pausesMs: readonly number[] = pausesMs
  readonly #appOf: () => App
  readonly #name = randomUUID()
  readonly #stopping = new AbortController()
  readonly #running = new Map<number, { version: number; stop: () => void; done: Promise<void> }>()
  /** Readers that are stopping. */
  readonly #ending = new Set<Promise<void>>()
  #loop: Promise<void> | undefined
  #wake = new AbortController()

  /** @param app the app, which has this reader itself */
  constructor(app: () => App) {
    this.#appOf = app
  }

  get #app(): App {
    return this.#appOf()
  }

  start(): void {
    this.#loop ??= this.#watch()
  }

  /** Looks for mailboxes that were added, changed, or removed. */
  wake(): void {
    this.#wake.abort()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake.abort()
    for (const one of this.#running.values()) one.stop()
    await this.#loop
    await Promise.all([...this.#running.values()].map(({ done }) => done).concat([...this.#ending]))
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      // From here on, so that what changes during the comparison is compared again.
      this.#wake = new AbortController()
      await this.#compare().catch((error: unknown) =>
        this.#app.http.log.warn({ err: error }, 'could not look for mailboxes'),
      )
      await wait((leaseSeconds * 1000) / 3, undefined, { signal: this.#wake.signal, ref: false }).catch(
        () => {},
      )
    }
  }

  /** Renews the leases, and starts and stops readers as the table says. */
  async #compare(): Promise<void> {
    const { rows } = await sql<MailboxRow>`update mailboxes set read_by = ${this.#name},
        read_until = now() + make_interval(secs => ${leaseSeconds})
      where is_on and (read_by = ${this.#name} or read_until is null or read_until < now()) returning *`.execute(
      this.#app.db,
    )
    const wanted = new Map(rows.map((row) => [row.id, row]))
    for (const [id, { version, stop, done }] of this.#running)
      if (wanted.get(id)?.version !== version) {
        stop()
        this.#running.delete(id)
        this.#ending.add(done)
        void done.finally(() => this.#ending.delete(done))
      }
    if (this.#stopping.signal.aborted) return
    for (const [id, row] of wanted) if (!this.#running.has(id)) this.#running.set(id, this.#begin(row))
  }

  #begin({ id, version }: MailboxRow) {
    const stopping = new AbortController()
    const done = this.#read(id, stopping.signal)
    return { version, stop: () => stopping.abort(), done }
  }

  async #read(id: number, signal: AbortSignal): Promise<void> {
    const tries = new Map<number, number>()
    for (let failures = 0; !signal.aborted;) {
      try {
        await this.#session(id, tries, signal, () => (failures = 0))
      } catch (error) {
        if (signal.aborted) return
        await this.#note(id, 'failed', wordsOf(error))
      }
      const pause = this.pausesMs[Math.min(failures, this.pausesMs.length - 1)] ?? 0
      failures += 1
      await wait(pause, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  /** Connects to a mailbox and reads what arrives until the connection ends. */
  async #session(
    id: number,
    tries: Map<number, number>,
    signal: AbortSignal,
    onRead: () => void,
  ): Promise<void> {
    const row = await this.#app.db.selectFrom('mailboxes').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) return
    const client = new ImapFlow({
      host: row.host,
      port: row.port,
      // Port 143 begins without encryption, which STARTTLS then must establish.
      secure: row.port !== 143,
      doSTARTTLS: row.port === 143,
      auth: await signInTo(this.#app, row),
      tls: {
        rejectUnauthorized: true,
        ...(this.#app.outside.certificate ? { ca: this.#app.outside.certificate } : {}),
      },
      logger: false,
      disableAutoIdle: true,
      socketTimeout: 5 * 60_000,
    })
    let news = Promise.withResolvers<void>()
    client.on('exists', () => news.resolve())
    client.on('close', () => news.resolve())
    // An error also ends the command in progress, which reports it.
    client.on('error', () => news.resolve())
    const close = () => client.close()
    signal.addEventListener('abort', close)
    try {
      await client.connect()
      await client.mailboxOpen(row.folder)
      await this.#note(id, 'connected', '')
      while (client.usable && !signal.aborted) {
        news = Promise.withResolvers<void>()
        await this.#fetchNew(client, id, tries)
        onRead()
        const idling = client.idle().catch(() => {})
        await Promise.race([
          news.promise,
          wait(askAgainMs, undefined, { signal, ref: false }).catch(() => {}),
        ])
        if (client.usable) await client.noop()
        await idling
      }
    } finally {
      signal.removeEventListener('abort', close)
      client.close()
    }
  }

  async #fetchNew(client: ImapFlow, id: number, tries: Map<number, number>): Promise<void> {
    const { db, http } = this.#app
    const row = await db.selectFrom('mailboxes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const { uidValidity, uidNext } = client.mailbox || { uidValidity: 0n, uidNext: 1 }
    const isSame = row.uid_validity !== null && BigInt(row.uid_validity) === uidValidity
    // Otherwise, the numbers mean other emails than before.
    if (!isSame)
      await db
        .updateTable('mailboxes')
        .set({ uid_validity: Number(uidValidity), last_uid: 0 })
        .where('id', '=', id)
        .execute()
    const from = isSame ? row.last_uid : 0
    for (const { uid, size } of await listNew(client, from, row)) {
      const isLarge = size > emailLimits.bytes
      const message = await client.fetchOne(String(uid), isLarge ? { headers: true } : { source: true }, {
        uid: true,
      })
      const raw = message ? (isLarge ? message.headers : message.source) : undefined
      if (raw) await this.#receive(raw, row, uid, tries)
      else http.log.warn({ mailbox_id: id, uid }, 'an email is gone from its mailbox')
      await db
        .updateTable('mailboxes')
        .set({ last_uid: uid, last_received_at: sql<string>`now()` })
        .where('id', '=', id)
        .execute()
      tries.delete(uid)
      await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true })
    }
    // Skips the older emails that were left out.
    if (!isSame)
      await sql`update mailboxes set last_uid = greatest(last_uid, ${uidNext - 1}) where id = ${id}`.execute(
        db,
      )
  }

  async #receive(raw: Buffer, row: MailboxRow, uid: number, tries: Map<number, number>): Promise<void> {
    try {
      const unknownBecomes = row.unknown_becomes === 'ticket' ? 'ticket' : undefined
      await receiveRaw(this.#app, raw, { mailbox_id: row.id, unknownBecomes })
    } catch (error) {
      const count = (tries.get(uid) ?? 0) + 1
      tries.set(uid, count)
      this.#app.http.log.error({ err: error, mailbox_id: row.id, uid }, 'an email was not saved')
      // A virus scanner that doesn't answer is no fault of the email.
      if (count < mostTries || (error instanceof HttpError && error.status === 503)) throw error
    }
  }

  async #note(id: number, state: string, error: string): Promise<void> {
    const { rows } = await sql<{ id: number }>`update mailboxes set state = ${state}, error = ${error},
        state_at = case when state = ${state} then state_at else now() end
      where id = ${id} and (state, error) is distinct from (${state}, ${error}) returning id`.execute(
      this.#app.db,
    )
    if (rows.length) this.#app.live.changed('settings', [], null)
  }
}

/** Returns the emails after a UID, or since the mailbox was added: older ones are not news to anyone. */
async function listNew(
  client: ImapFlow,
  from: number,
  { created_at }: MailboxRow,
): Promise<{ uid: number; size: number }[]> {
  const since = new Date(Date.parse(created_at) - 24 * 3600_000)
  const wanted = from > 0 ? `${from + 1}:*` : await client.search({ since }, { uid: true })
  if (!wanted || wanted.length === 0) return []
  const found = await client.fetchAll(wanted, { uid: true, size: true }, { uid: true })
  // The range n:* includes the last email even if its UID is smaller.
  return found
    .filter(({ uid }) => uid > from)
    .map(({ uid, size = 0 }) => ({ uid, size }))
    .toSorted((one, other) => one.uid - other.uid)
}

/** Returns a message that is safe to show: it contains nothing that was sent to the server. */
function wordsOf(error: unknown): string {
  const { message, responseText, code, authenticationFailed } = error as Error & {
    responseText?: string
    code?: string
    authenticationFailed?: boolean
  }
  const words = authenticationFailed ? `Sign-in failed. ${responseText ?? ''}` : (responseText ?? message)
  const described = `${words.trim()}${code && !words.includes(code) ? ` (${code})` : ''}`
  return truncate(described.replaceAll(/\s+/g, ' '), 500)
}
