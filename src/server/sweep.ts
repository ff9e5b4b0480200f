import type pg from 'pg'

const everyMs = 3_600_000

/** What is kept for a while only: keys of requests that nobody repeats any more, counts of attempts that have passed. */
const sweeps = [
  `delete from idempotency_keys where created_at < now() - interval '3 days'`,
  `delete from login_failures where expire < extract(epoch from now()) * 1000`,
]

export async function sweep(pool: pg.Pool): Promise<void> {
  for (const statement of sweeps) await pool.query(statement)
}

/** Sweeps now and every hour; answers how to stop. A sweep that fails is done by the next one. */
export function keepSwept(pool: pg.Pool): () => void {
  const run = () => void sweep(pool).catch(() => {})
  run()
  const timer = setInterval(run, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
