import pg from 'pg'
import { makeCluster } from '#server/db/embedded-cluster.ts'
import { EmbeddedError, findPlace } from '#server/db/embedded-place.ts'
import { supervise } from '#server/db/embedded-supervisor.ts'

export { EmbeddedError }

export interface Embedded {
  /** As the owner of the database, who is no superuser. */
  connection: pg.PoolConfig
  /** As the superuser; only for tests and backups. */
  administration: pg.ClientConfig
  /** Ends with a checkpoint; open connections are closed. */
  stop(): Promise<void>
  /** What the person who starts the panel should know. */
  notice?: string
  /** Nobody works here yet: the place for demo data. */
  fresh: boolean
}

export interface EmbeddedOptions {
  /** Tests may lose their data with the machine. */
  durable?: boolean
  /** Where root's PostgreSQL lives when its user cannot reach the data folder. */
  elsewhere?: string
  /** PostgreSQL went away and did not come back. */
  onLost?: (error: Error) => void
}

const database = 'admin_panel'

/**
 * Starts PostgreSQL in a data folder and keeps it running; the first time it makes the cluster (0.6 s).
 * @throws EmbeddedError when another process works with the folder, or when PostgreSQL does not start.
 */
export async function startEmbedded(dataDir: string, { durable = true, elsewhere, onLost = () => {} }: EmbeddedOptions = {}): Promise<Embedded> {
  const place = findPlace(dataDir, elsewhere)
  await makeCluster(place, durable)
  const supervisor = await supervise(place, durable, onLost)
  try {
    const connection = { host: place.socketDir, port: 5432, user: database, database }
    return {
      connection,
      administration: { ...connection, user: 'postgres', database: 'postgres' },
      stop: supervisor.stop,
      notice: place.notice,
      fresh: (await makeDatabase(supervisor.keeper)) || (await isWithoutStaff(connection)),
    }
  } catch (error) {
    await supervisor.stop()
    throw error
  }
}

/** The database and its owner, when the cluster is new. */
async function makeDatabase(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select 1 from pg_database where datname = $1', [database])
  if (rows.length > 0) return false
  await client.query(`do $$ begin if not exists (select 1 from pg_roles where rolname = '${database}') then create role ${database} login; end if; end $$`)
  await client.query(`create database ${database} owner ${database}`)
  return true
}

async function isWithoutStaff(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ staff: string | null }>("select to_regclass('public.staff') as staff")
    if (rows[0]?.staff === null) return true
    return (await client.query('select 1 from staff limit 1')).rows.length === 0
  } finally {
    await client.end()
  }
}
