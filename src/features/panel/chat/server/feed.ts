import { channel, sentEvent } from '#features/panel/chat/contract.ts'
import { findAfter, lastMessageId } from '#features/panel/chat/server/chat.queries.ts'
import type { Db } from '#server/db/db.ts'
import { countFailure, type FailureLog } from '#server/jobs/failures.ts'
import type { Live } from '#server/live/live.ts'

const atOnce = 200
/** Longest delay for a message whose cross-process notification was lost. */
const pollIntervalMs = 5_000
const mostSenders = 1000

/**
 * Sends messages to the browsers connected to this process, in ID order. A notification between processes
 * only signals that there is something new. The messages themselves are read from the table, so that none is
 * lost, duplicated, or out of order, regardless of length (docs/decisions/011-chat-reads-from-its-table.md).
 */
export class Feed {
  readonly #db: Db
  readonly #live: Live
  readonly #onFailure: (error: unknown) => void
  /** ID of the last message sent; undefined before the first poll. */
  #last: number | undefined
  #running: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  /** The tab that sent a message, by message ID; it already has the message from the response. */
  readonly #senders = new Map<number, { socket: string; staff_id: number }>()

  constructor(db: Db, live: Live, log: FailureLog) {
    this.#onFailure = countFailure(log, 'chat messages were not sent')
    this.#db = db
    this.#live = live
    live.onNotice(channel, () => void this.poll())
  }

  /** Starts sending after the current last message, because pages load earlier messages themselves. */
  async start(): Promise<void> {
    this.#last ??= await lastMessageId(this.#db)
    // A timer and not a job, because each process sends to the browsers connected to it.
    this.#timer ??= setInterval(() => {
      if (this.#live.listenersOf(`private-${channel}`) > 0) void this.poll()
    }, pollIntervalMs)
    this.#timer.unref()
  }

  /** Announces a message stored by this process. */
  announce(id: number, sender: { socket: string; staff_id: number } | undefined): void {
    this.#last ??= id - 1
    if (this.#senders.size > mostSenders) this.#senders.clear()
    if (sender) this.#senders.set(id, sender)
    this.#live.notify(channel)
  }

  /** Sends the messages that are new since the last poll. Polls run one at a time. */
  poll(): Promise<void> {
    this.#running = this.#running.then(() => this.#send()).catch(this.#onFailure)
    return this.#running
  }

  async #send(): Promise<void> {
    this.#last ??= Math.max(0, (await lastMessageId(this.#db)) - 1)
    for (;;) {
      const messages = await findAfter(this.#db, this.#last, atOnce)
      for (const message of messages) {
        this.#live.send(`private-${channel}`, sentEvent, message, this.#senders.get(message.id))
        this.#senders.delete(message.id)
        this.#last = message.id
      }
      if (messages.length < atOnce) return
    }
  }
}
