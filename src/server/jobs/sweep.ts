import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { addDays, plainDate } from '#shared/dates.ts'
import { countFailure, type FailureLog } from '#server/jobs/failures.ts'
import type { Files } from '#server/files/files.ts'
import { findKnownFiles, type InstallationFile } from '#server/files/installation.ts'
import type { Jobs } from '#server/jobs/jobs.ts'

const everyMs = 3_600_000
const markEveryMs = 60_000

/**
 * Statements that delete temporary data, such as idempotency keys that will not be reused and expired counts
 * of failed sign-ins.
 */
const sweeps = [
  `delete from idempotency_keys where created_at < now() - interval '3 days'`,
  `delete from login_failures where expire < extract(epoch from now()) * 1000`,
  `delete from drafts where updated_at < now() - interval '14 days'`,
  // Merges the marks of each table into one (see migration 0041). The sum is bounded so that it never
  // overflows the column.
  `with gone as (delete from table_writes returning table_name, mark)
    insert into table_writes select table_name, (sum(mark) % 1125899906842624)::bigint from gone group by table_name`,
  // Files that were removed from every record so long ago that their removal can't be undone anymore.
  `delete from file_links l where deleted_at < now() - interval '1 year' and not exists
    (select from file_links o where o.file_id = l.file_id and (o.deleted_at is null or o.deleted_at >= now() - interval '1 year'))`,
  // Files uploaded for a form that was never saved, and files without links.
  `delete from files where created_at < now() - interval '24 hours' and not exists (select from file_links where file_id = files.id)`,
]

const rethrow = (error: unknown): void => {
  throw error
}

/** @param onFailure called for each statement that fails; the remaining statements still run. */
export async function sweep(pool: pg.Pool, onFailure = rethrow): Promise<void> {
  for (const statement of sweeps) await pool.query(statement).catch(onFailure)
}

/** Number of days for which a file that no row refers to can still be restored. */
const quarantineDays = 14

export interface SweepingFiles {
  pool: pg.Pool
  files: Files
  installation: InstallationFile
  log: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * Cleans up after processes that were killed: deletes temporary files, and moves stored files that no row
 * refers to into quarantine for 14 days. Leaves stored files alone while the database is older than the
 * files. Files in quarantine that a row refers to are moved back.
 */
export async function sweepFiles(
  { pool, files, installation, log }: SweepingFiles,
  now = new Date(),
): Promise<void> {
  const { stored, temporary } = await files.olderThan(new Date(now.getTime() - everyMs))
  for (const name of temporary) await files.remove(name)
  if (!(await installation.isDatabaseCurrent())) {
    log.warn(
      'the database is older than the files, so unused files were not removed: restore a newer backup or delete installation.json',
    )
    return
  }
  const known = await findKnownFiles(pool, stored)
  const unknown = stored.filter((name) => !known.has(name))
  const moved = []
  for (const name of unknown) moved.push(await files.quarantine(name, plainDate(now)))
  if (moved.length > 0)
    log.warn({ moved }, 'moved files that no record refers to into quarantine for 14 days')
  await releaseOrDelete({ pool, files, log }, now)
}

async function releaseOrDelete(
  { pool, files, log }: Omit<SweepingFiles, 'installation'>,
  now: Date,
): Promise<void> {
  const oldest = addDays(plainDate(now), -quarantineDays)
  for (const [day, names] of await files.quarantined()) {
    const known = await findKnownFiles(pool, names)
    for (const name of known) await files.release(name, day)
    if (known.size > 0)
      log.warn({ released: [...known] }, 'moved files that records refer to out of quarantine')
    if (day < oldest) await files.deleteQuarantine(day)
  }
}

/** Sweeps the database every hour, in one of the processes. A failure is logged, and the next sweep makes up for it. */
export const scheduleSweep = (jobs: Jobs, pool: pg.Pool, log: FailureLog): void =>
  jobs.every('sweep', '41 * * * *', () => sweep(pool, countFailure(log, 'the sweep failed')))

/**
 * Sweeps the files now and every hour, and returns a function that stops it. These are timers and not jobs,
 * because each process looks after the folder that it has (docs/scaling.md), also while jobs can't start.
 */
export function startSweepingFiles(sweeping: SweepingFiles & { log: FailureLog }): () => void {
  const { installation, log } = sweeping
  const onFailure = countFailure(log, 'the sweep of the files failed')
  const onMarkFailure = countFailure(log, 'could not update the installation mark')
  const run = () => void sweepFiles(sweeping).catch(onFailure)
  run()
  const timers = [
    setInterval(run, everyMs),
    setInterval(() => void installation.advance().catch(onMarkFailure), markEveryMs),
  ]
  for (const timer of timers) timer.unref()
  return () => timers.forEach((timer) => clearInterval(timer))
}
