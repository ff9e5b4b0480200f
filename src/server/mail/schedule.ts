import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { Database, Db } from '#server/db/db.ts'
import type { Jobs } from '#server/jobs/jobs.ts'

/** The jobs that send an email, one queue for each of the two kinds. */
export const singleQueue = 'mail'
export const bulkQueue = 'mail-bulk'
/** An attempt older than this was abandoned by a process that died, and is repeated. */
export const abandonedAfter = sql.lit('10 minutes')
/**
 * Recipients, as SQL over `r`, of an email that no one has tried to send since it was due a day ago, because there
 * was no SMTP server. It leaves only when an admin user decides so.
 */
export const isStale = sql`r.state in ('waiting', 'held') and r.attempts = 0 and r.next_try_at < now() - interval '1 day'`

/** The job of the single queue. */
export interface Single {
  mail_id: number
}

/** The job of the bulk queue: the next batch of an email. */
export interface Batch {
  mail_id: number
  run: number
  /** Number of consecutive times that the SMTP server was unavailable. */
  pauses?: number
}

/** An email whose recipients are due. */
export interface Due {
  id: number
  bulk: boolean
  run: number
}

/** Enqueues the job that sends an email, in the transaction of the change that makes it due. */
export function schedule(
  jobs: Jobs,
  db: Transaction<Database>,
  { id, bulk, run }: Due,
  afterSeconds = 0,
  pauses = 0,
): Promise<void> {
  const [queue, data] = bulk
    ? [bulkQueue, { mail_id: id, run, pauses } satisfies Batch]
    : [singleQueue, { mail_id: id } satisfies Single]
  return jobs.send(db, queue, data, { startAfterSeconds: afterSeconds })
}

/** Resumes emails that were waiting for an SMTP server or were left unfinished by a crash. */
export async function resumeUnfinished(db: Db, jobs: Jobs): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<Due>`
      update mails m set run = m.run + 1 where m.stopped_at is null and exists (select from mail_recipients r where r.mail_id = m.id
        and (r.state in ('waiting', 'held') and (r.next_try_at <= now() or m.bulk) or r.state = 'sending') and not (${isStale}))
      returning m.id, m.bulk, m.run`.execute(tx)
    for (const mail of rows) await schedule(jobs, tx, mail)
  })
}

/**
 * Returns the number of seconds until delivery to the first of these recipients is due or an attempt counts
 * as abandoned; undefined if there are no recipients.
 */
export async function findSecondsUntilDue(
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
