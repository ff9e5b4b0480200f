import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { deferredMark, Connection, type ConnectionOptions } from '#server/db/connection.ts'
import type { Database } from '#server/db/tables.ts'
import { typesForJson } from '#server/db/types.ts'

export type { Database }
/** Name of the panel's connections in PostgreSQL. */
const applicationName = 'admin-panel'
/** The pool or transaction on which queries run. */
export type Db = Kysely<Database>

export interface OpenDatabase {
  db: Db
  pool: pg.Pool
  close(): Promise<void>
}

/** Limits are set per connection rather than server-wide, because migrations and backups may take longer. */
const limitsOf = ({ statementSeconds = 5, lockSeconds = 2 }: ConnectionOptions) =>
  [
    `statement_timeout=${statementSeconds}s`,
    `lock_timeout=${lockSeconds}s`,
    'idle_in_transaction_session_timeout=30000',
    'TimeZone=UTC',
  ]
    .map((limit) => `-c ${limit}`)
    .join(' ')

/**
 * Opens the database. Rows are returned ready for JSON: IDs and counts as numbers, dates as `YYYY-MM-DD`, and
 * timestamps as ISO 8601 in UTC.
 * @param onError called when the server closes a connection; the next query opens a new one.
 */
export function openDatabase(
  config: pg.PoolConfig & ConnectionOptions,
  onError: (error: Error) => void = () => {},
): OpenDatabase {
  const pool = new pg.Pool({
    application_name: applicationName,
    max: 20,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // Needed for statements that are sent ahead; all others wait for their results.
    pipeline: true,
    ...config,
    options: [config.options, limitsOf(config)].filter(Boolean).join(' '),
    types: typesForJson,
    Client: Connection,
  })
  // Without both handlers, node-postgres ends the process when the database restarts. One is for idle
  // connections, the other for connections in use.
  pool.on('error', (error) => {
    // The error references its connection, which would fill a page in the log.
    Reflect.deleteProperty(error, 'client')
    if (!pool.ending) onError(error)
  })
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return { db, pool, close: () => db.destroy() }
}

/** The connections of each database, without transactions, which have a separate one. */
const pools = new WeakMap<Db, pg.Pool>()
export const poolOf = (db: Db): pg.Pool | undefined => pools.get(db)

/**
 * Runs independent statements in a single round trip, so that each side is woken only once. The statements
 * run one after another, so at most one of them can be slow.
 */
export async function queryPipelined<Rows extends pg.QueryResultRow[]>(
  pool: pg.Pool,
  ...statements: { [One in keyof Rows]: readonly [text: string, values: readonly unknown[]] }
): Promise<{ [One in keyof Rows]: Rows[One][] }> {
  const client = (await pool.connect()) as pg.PoolClient & Connection
  try {
    const results = await client.sendPipelined(statements)
    return results.map(({ rows }) => rows) as { [One in keyof Rows]: Rows[One][] }
  } finally {
    client.release()
  }
}

/** Runs a statement in a transaction when its result is not needed: it is sent along with the next statement or the commit, which then throws any error it caused. */
export async function executeDeferred(
  trx: Transaction<Database>,
  text: string,
  values: readonly unknown[],
): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(deferredMark + text, [...values]))
}

/**
 * Shows the request of a transaction in PostgreSQL, as `application_name`: in pg_stat_activity and, with %a in
 * log_line_prefix, in its log.
 */
export const nameRequest = (trx: Transaction<Database>, request_id: string): Promise<void> =>
  executeDeferred(trx, "select set_config('application_name', $1, true)", [
    `${applicationName} ${request_id}`,
  ])
