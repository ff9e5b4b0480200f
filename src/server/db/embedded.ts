import pg from 'pg'
import { makeCluster } from '#server/db/embedded-cluster.ts'
import { EmbeddedError, resolveClusterPaths } from '#server/db/embedded-place.ts'
import { supervise } from '#server/db/embedded-supervisor.ts'

export { EmbeddedError }

export interface Embedded {
  /** Connection as the database owner, which is not a superuser. */
  connection: pg.PoolConfig
  /** Connection as the superuser, only for tests and backups. */
  administration: pg.ClientConfig
  /** Stops PostgreSQL with a checkpoint; open connections are closed. */
  stop(): Promise<void>
  /** Message for the person who starts the panel. */
  notice?: string
  /** Whether the database has no staff yet, so that demo data can be added. */
  fresh: boolean
}

export interface EmbeddedOptions {
  /** If false, data can be lost if the machine crashes, as in tests. */
  durable?: boolean
  /**
   * Folder for PostgreSQL's files if root starts the panel and PostgreSQL's user cannot reach the data
   * folder.
   */
  elsewhere?: string
  /** Memory for its pages; 128 by default. */
  sharedBuffersMb?: number
  /** Called if PostgreSQL died and could not be restarted. */
  onLost?: (error: Error) => void
}

const database = 'admin_panel'

/**
 * Starts PostgreSQL in a data folder and keeps it running. The first start creates the cluster, which takes
 * 0.6 s.
 * @throws EmbeddedError if another process is using the folder, or if PostgreSQL does not start.
 */
export async function startEmbedded(
  dataDir: string,
  { durable = true, elsewhere, onLost = () => {}, sharedBuffersMb = 128 }: EmbeddedOptions = {},
): Promise<Embedded> {
  const place = resolveClusterPaths(dataDir, elsewhere)
  await makeCluster(place, durable)
  const supervisor = await supervise(place, { durable, sharedBuffersMb }, onLost)
  try {
    const connection = { host: place.socketDir, port: 5432, user: database, database }
    return {
      connection,
      administration: { ...connection, user: 'postgres', database: 'postgres' },
      stop: supervisor.stop,
      notice: place.notice,
      fresh: (await makeDatabase(supervisor.ownerConnection)) || (await isWithoutStaff(connection)),
    }
  } catch (error) {
    await supervisor.stop()
    throw error
  }
}

/** Creates the database and its owner in a new cluster; returns whether they were created. */
async function makeDatabase(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select 1 from pg_database where datname = $1', [database])
  if (rows.length > 0) return false
  await client.query(
    `do $$ begin if not exists (select 1 from pg_roles where rolname = '${database}') then create role ${database} login; end if; end $$`,
  )
  await client.query(`create database ${database} owner ${database}`)
  return true
}

async function isWithoutStaff(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ staff: string | null }>(
      "select to_regclass('public.staff') as staff",
    )
    if (rows[0]?.staff === null) return true
    return (await client.query('select 1 from staff limit 1')).rows.length === 0
  } finally {
    await client.end()
  }
}
