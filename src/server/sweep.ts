import type pg from 'pg'
import { countFailure, type FailureLog } from '#server/failures.ts'
import type { Files } from '#server/files.ts'

const everyMs = 3_600_000

/** Statements that delete temporary data: keys of requests that are no longer repeated, counts of expired attempts. */
const sweeps = [
  `delete from idempotency_keys where created_at < now() - interval '3 days'`,
  `delete from login_failures where expire < extract(epoch from now()) * 1000`,
  `delete from drafts where updated_at < now() - interval '14 days'`,
  // Merges the marks of each table into one: migration 0041. Bounded, so that they never outgrow their column.
  `with gone as (delete from table_writes returning table_name, mark)
    insert into table_writes select table_name, (sum(mark) % 1125899906842624)::bigint from gone group by table_name`,
  // Uploaded for a form that was never saved.
  `delete from files where created_at < now() - interval '24 hours' and not exists (select from file_links where file_id = files.id)`,
]

const knownFilesQuery = `select there.name from unnest($1::text[]) as there (name)
where exists (select from files where stored_name = there.name)
  or exists (select from files where small_name = there.name)
  or exists (select from files where wide_name = there.name)
  or exists (select from staff where picture = there.name)`

const rethrow = (error: unknown): void => {
  throw error
}

/** @param onFailure called for each statement that fails; those after it run all the same. */
export async function sweep(pool: pg.Pool, onFailure = rethrow): Promise<void> {
  for (const statement of sweeps) await pool.query(statement).catch(onFailure)
}

/** Removes what a killed process left behind: temporary files, and stored ones that no row refers to, both older than any request. */
export async function sweepFiles(pool: pg.Pool, files: Files, now = new Date()): Promise<void> {
  const { stored, temporary } = await files.olderThan(new Date(now.getTime() - everyMs))
  const { rows } = await pool.query<{ name: string }>(knownFilesQuery, [stored])
  const kept = new Set(rows.map(({ name }) => name))
  for (const name of stored.filter((one) => !kept.has(one))) await files.remove(name)
  for (const name of temporary) await files.remove(name)
}

/** Sweeps now and every hour; returns a function that stops it. A failed sweep is logged, and made up for by the next one. */
export function startSweeping(pool: pg.Pool, files: Files, log: FailureLog): () => void {
  const onFailure = countFailure(log, 'the sweep failed')
  const run = () => void sweep(pool, onFailure).then(() => sweepFiles(pool, files).catch(onFailure))
  run()
  const timer = setInterval(run, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
