import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { countFailure, type FailureLog } from '#server/jobs/failures.ts'
import type { Tab } from '#server/live/sockets.ts'

export interface Published {
  channel: string
  event: string
  payload: unknown
  /**
   * Socket of the tab that caused the event, and the user to whom the socket must belong. That tab is skipped
   * because it refreshes itself.
   */
  except?: Tab | undefined
  /** Products that the changed records no longer belong to. */
  left?: readonly number[]
}
/** Message from one process to the others; the events in it are collected for a short time. */
interface Notice {
  from: string
  published: Published[]
  endedSessions: number[]
}

const debounceMs = 25
const notifyChannel = 'live'
/** PostgreSQL limits a notification's payload to 8000 bytes. */
const maxNotice = 7500

export interface NoticeOptions {
  pool: pg.Pool
  connection: pg.ClientConfig
  log: FailureLog & { warn: (details: object, text: string) => void }
}

/** What to do with what the other processes report. */
interface Hearer {
  hear: (from: string, published: Published) => void
  sessionsEnded: (session_ids: readonly number[]) => void
  /** Called after each connect, because notifications may have been lost before. */
  connected: () => Promise<void>
}

/** Notifications between the processes that use the database, sent with NOTIFY and heard with LISTEN. */
export class Notices {
  readonly #options: NoticeOptions
  readonly #hearer: Hearer
  readonly #id = randomUUID()
  #listener: pg.Client | undefined
  #waiting: Notice
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: NoticeOptions, hearer: Hearer) {
    this.#options = options
    this.#hearer = hearer
    this.#waiting = this.#empty()
  }

  /** Sends an event to the other processes. */
  publish(published: Published): void {
    this.#waiting.published.push(published)
    this.#schedule()
  }

  /** Returns whether an event is already waiting to be sent. */
  isWaiting(channel: string, event: string): boolean {
    return this.#waiting.published.some((one) => one.channel === channel && one.event === event)
  }

  /** Tells the other processes that sessions ended. */
  endSessions(session_ids: readonly number[]): void {
    this.#waiting.endedSessions.push(...session_ids)
    this.#schedule()
  }

  #empty(): Notice {
    return { from: this.#id, published: [], endedSessions: [] }
  }

  /** Sends what is waiting after a short time. Events that are published until then wait for the next send. */
  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.#send(), debounceMs).unref()
  }

  /** Sends the parts one after another: on two connections of the pool, a later one could arrive first. */
  async #send(): Promise<void> {
    const notice = this.#waiting
    this.#waiting = this.#empty()
    for (const part of splitNotice(notice))
      await this.#options.pool
        .query('select pg_notify($1, $2)', [notifyChannel, part])
        .catch((error: unknown) =>
          this.#options.log.warn({ err: error }, 'could not send a live notification'),
        )
    this.#timer = undefined
    if (this.#closed) return
    if (this.#waiting.published.length || this.#waiting.endedSessions.length) this.#schedule()
  }

  /**
   * Listens for notifications from the other processes, and reconnects whenever the database is available
   * again.
   */
  async listen(): Promise<void> {
    if (this.#closed) return
    const client = new pg.Client({ ...this.#options.connection, keepAlive: true })
    this.#listener = client
    const again = () => {
      if (this.#listener !== client) return
      this.#listener = undefined
      client.end().catch(() => {})
      if (!this.#closed) setTimeout(() => void this.listen(), 500).unref()
    }
    client.on('error', again)
    client.on('end', again)
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${notifyChannel}`)
      await this.#hearer.connected()
    } catch (error) {
      countFailure(this.#options.log, 'could not listen for notifications from other processes')(error)
      again()
    }
  }

  #hear(payload: string): void {
    let notice: Partial<Notice> | null
    try {
      notice = JSON.parse(payload) as Partial<Notice> | null
    } catch {
      return this.#options.log.warn({}, 'could not parse a live notification')
    }
    if (
      notice?.from === this.#id ||
      !Array.isArray(notice?.published) ||
      !Array.isArray(notice.endedSessions)
    )
      return
    for (const published of notice.published) this.#hearer.hear(notice.from ?? '', published)
    this.#hearer.sessionsEnded(notice.endedSessions)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    const listener = this.#listener
    this.#listener = undefined
    await listener?.end().catch(() => {})
  }
}

/**
 * Splits a notification into strings that are small enough for PostgreSQL; an event that is too large by
 * itself is dropped.
 */
function* splitNotice({ from, published, endedSessions }: Notice): Generator<string> {
  let part: Notice = { from, published: [], endedSessions }
  for (const one of published) {
    const larger = { ...part, published: [...part.published, one] }
    if (Buffer.byteLength(JSON.stringify(larger)) <= maxNotice) {
      part = larger
      continue
    }
    yield JSON.stringify(part)
    part = { from, published: [one], endedSessions: [] }
  }
  const last = JSON.stringify(part)
  if (Buffer.byteLength(last) <= maxNotice) yield last
}
