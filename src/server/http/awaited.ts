import { randomUUID } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type pg from 'pg'

/**
 * Returns the rows of a statement that can take long, and cancels it once the client has closed the request, such as
 * a browser whose user chose other filters. The statement is found by a mark in its text: behind a pooler, a
 * connection doesn't know the process that serves it.
 * @throws the database's error 57014 if it was canceled.
 */
export async function queryWhileAwaited<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  { raw }: { raw: Pick<EventEmitter, 'once' | 'off'> },
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const mark = `/* ${randomUUID()} */ `
  let canceling: Promise<unknown> | undefined
  const cancel = () => {
    canceling = pool.query(cancelStatement, [mark]).catch(() => {})
  }
  raw.once('close', cancel)
  const client = await pool.connect()
  try {
    // An object isn't prepared: its text occurs only once, and its plan should fit its values.
    const { rows } = await client.query<Row>({ text: mark + text, values: [...values] })
    return rows
  } finally {
    raw.off('close', cancel)
    // The connection's next statement must not be the canceled one.
    await canceling
    client.release()
  }
}

const cancelStatement =
  "select pg_cancel_backend(pid) from pg_stat_activity where starts_with(query, $1) and state = 'active'"
