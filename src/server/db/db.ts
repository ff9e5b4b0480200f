import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { aheadMark, Connection } from '#server/db/connection.ts'
import type { Database } from '#server/db/tables.ts'
import { typesForJson } from '#server/db/types.ts'

export type { Database }
/** What queries are made with: the pool or a transaction. */
export type Db = Kysely<Database>

export interface OpenDatabase {
  db: Db
  pool: pg.Pool
  close(): Promise<void>
}

/** Of each connection; not of the server, because migrations and backups may take longer. */
const limits = ['statement_timeout=5000', 'lock_timeout=2000', 'idle_in_transaction_session_timeout=30000', 'TimeZone=UTC']
  .map((limit) => `-c ${limit}`)
  .join(' ')

/**
 * Opens the database. Rows come out as they go into JSON: ids and counts as numbers, days as `YYYY-MM-DD`, instants as ISO 8601 in UTC.
 * @param onError hears of connections that the server closed; the next query opens another one.
 */
export function openDatabase(config: pg.PoolConfig, onError: (error: Error) => void = () => {}): OpenDatabase {
  const pool = new pg.Pool({
    application_name: 'admin-panel',
    max: 20,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // For what is sent ahead; everything else waits for its answer.
    pipeline: true,
    ...config,
    options: [config.options, limits].filter(Boolean).join(' '),
    types: typesForJson,
    Client: Connection,
  })
  // Without both, node-postgres ends the process when the database restarts: one is for idle connections, the other for those in use.
  pool.on('error', (error) => {
    // It carries its connection, which would fill a page of the log.
    Reflect.deleteProperty(error, 'client')
    if (!pool.ending) onError(error)
  })
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, close: () => db.destroy() }
}

/**
 * Runs statements that need nothing of each other: they go to the database in one piece and are answered in one, which wakes both sides once.
 * They run one after the other, so none of them may be slow while another is, too.
 */
export async function together<Rows extends pg.QueryResultRow[]>(
  pool: pg.Pool,
  ...statements: { [One in keyof Rows]: readonly [text: string, values: readonly unknown[]] }
): Promise<{ [One in keyof Rows]: Rows[One][] }> {
  const client = (await pool.connect()) as pg.PoolClient & Connection
  try {
    const results = await client.together(statements)
    return results.map(({ rows }) => rows) as { [One in keyof Rows]: Rows[One][] }
  } finally {
    client.release()
  }
}

/** Runs a statement of a transaction whose answer nobody needs: it goes out with the next one, or with the commit, which fails with its error. */
export async function ahead(trx: Transaction<Database>, text: string, values: readonly unknown[]): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(aheadMark + text, [...values]))
}
