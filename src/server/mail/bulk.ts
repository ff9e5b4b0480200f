import { sql } from 'kysely'
import type { Delivery, MailOptions } from '#server/mail/delivery.ts'
import { findSecondsUntilDue, schedule, type Batch } from '#server/mail/schedule.ts'
import { bulkConnections } from '#server/mail/transport.ts'

const batchSize = 50
/** Longest delay before a bulk email retries an SMTP server that is unavailable. */
const longestPauseSeconds = 600
const progressEveryMs = 1000

/**
 * Sends bulk emails in batches through a separate queue, where each batch enqueues the next one behind those of
 * other emails.
 */
export class BulkDelivery {
  readonly #options: Pick<MailOptions, 'db' | 'jobs' | 'live'>
  readonly #delivery: Delivery
  readonly #toldAt = new Map<number, number>()
  #closed = false

  constructor(options: Pick<MailOptions, 'db' | 'jobs' | 'live'>, delivery: Delivery) {
    this.#options = options
    this.#delivery = delivery
  }

  /**
   * Sends one batch of a bulk email over a few connections; the next batch is queued behind those of other
   * emails.
   */
  async deliverBatch({ mail_id, run, pauses = 0 }: Batch): Promise<void> {
    const { db, jobs } = this.#options
    const mail = await db
      .selectFrom('mails')
      .select(['run', 'stopped_at'])
      .where('id', '=', mail_id)
      .executeTakeFirst()
    if (!mail || mail.run !== run || mail.stopped_at !== null) return
    const attached = await this.#delivery.attached(mail_id)
    let left = batchSize
    let serverIsAway = false
    const goOn = async () => {
      while (left > 0 && !serverIsAway && !this.#closed) {
        left -= 1
        const outcome = await this.#delivery.deliverNext(mail_id, true, attached)
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
      const seconds = await findSecondsUntilDue(tx, mail_id, sql`state in ('held', 'waiting', 'sending')`)
      if (seconds === undefined) return
      const tries = this.#delivery.secondsBetweenTries
      const pause = serverIsAway
        ? Math.min(tries[Math.min(pauses, tries.length - 1)] ?? 0, longestPauseSeconds)
        : 0
      await schedule(
        jobs,
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

  /** Lets emails in flight finish, but does not start any more emails from a batch. */
  drain(): void {
    this.#closed = true
  }
}
