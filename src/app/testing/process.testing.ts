import type pg from 'pg'
import type { Db } from '#server/db/db.ts'
import { openSession } from '#server/http/session.ts'

/* What tests need for a panel in a separate process, which uses the real time. */

/** Returns the URL of a test's database for a process. */
export const databaseUrlOf = ({
  host,
  port,
  user,
  password,
  database,
  connectionString,
}: pg.PoolConfig): string =>
  connectionString ??
  `postgres://${user}${password ? `:${encodeURIComponent(String(password))}` : ''}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`

/** Signs a user in by the real time, which processes use instead of the tests' fixed time; returns the token. */
export async function openRealSession(db: Db, staff_id: number): Promise<string> {
  const { token } = await openSession(db, {
    staff_id,
    remember: true,
    address: '127.0.0.1',
    user_agent: 'test',
    now: new Date(),
    expires: new Date(Date.now() + 3_600_000),
  })
  return token
}
