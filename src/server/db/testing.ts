import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '#server/db/db.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate, ownMigrations } from '#server/db/migrate.ts'
import { findPostmaster, isAlive } from '#server/db/postmaster.ts'
import { seedCast } from '#server/db/seed/cast.ts'
import { seedReference } from '#server/db/seed/reference.ts'
import { Jobs } from '#server/jobs/jobs.ts'
import { cheapPasswordCost, hashPassword } from '#server/secrets/passwords.ts'

export interface TestDatabase {
  connection: pg.PoolConfig
  drop(): Promise<void>
}

/** Password of all cast members in tests. */
export const testPassword = 'demo-password'
/**
 * Environment variable for passing the cluster from the global setup to the workers, which are separate
 * processes.
 */
const variable = 'TEST_CLUSTER'
const folderPrefix = 'admin-panel-test-'

interface Cluster {
  administration: pg.ClientConfig
  /** User that owns the databases and runs the tests; not a superuser, as in production. */
  owner: string | undefined
  template: string
}

/** Creates a separate database from the template, which takes about 20 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const cluster = JSON.parse(process.env[variable] ?? fail()) as Cluster
  const database = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await administerAgain(cluster.administration, creationOf(cluster, database, cluster.template))
  return {
    // Many small pools share the server's 100 connections.
    connection: { ...connectionTo(cluster, database), max: 5 },
    drop: () => administerAgain(cluster.administration, `drop database if exists ${database} with (force)`),
  }
}

/** Creates a separate empty database for testing migrations. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const cluster = JSON.parse(process.env[variable] ?? fail()) as Cluster
  const database = `empty_${process.pid}_${randomBytes(4).toString('hex')}`
  await createDatabase(cluster, database, 'template1')
  return {
    connection: { ...connectionTo(cluster, database), max: 5 },
    drop: () => administer(cluster.administration, `drop database if exists ${database} with (force)`),
  }
}

/** Creates a separate database as it was before a migration, such as `0060_operation_access`. */
export async function createDatabaseBefore(migration: string): Promise<TestDatabase> {
  const files = (await readdir(ownMigrations)).toSorted()
  if (!files.includes(`${migration}.sql`)) throw new Error(`There is no migration ${migration}.`)
  const folder = await mkdtemp(join(tmpdir(), 'admin-panel-migrations-'))
  for (const file of files) if (file < migration) await cp(join(ownMigrations, file), join(folder, file))
  const database = await createEmptyDatabase()
  await migrate(database.connection, folder)
  await rm(folder, { recursive: true })
  return database
}

/**
 * Starts the cluster for a test run, or uses the server in TEST_DATABASE_URL, and creates the template;
 * returns a cleanup function.
 * @param fill fills the template; if omitted, it has roles, reference lists, and the cast.
 */
export async function startTestCluster(
  fill: (connection: pg.PoolConfig) => Promise<void> = fillTemplate,
): Promise<() => Promise<void>> {
  const { administration, owner, stop } = await findServer()
  const cluster: Cluster = { administration, owner, template: `template_${process.pid}` }
  try {
    await createDatabase(cluster, cluster.template, 'template1')
    await fill(connectionTo(cluster, cluster.template))
  } catch (error) {
    await stop()
    throw error
  }
  process.env[variable] = JSON.stringify(cluster)
  return async () => {
    await administer(administration, `drop database if exists ${cluster.template} with (force)`)
    await stop()
  }
}

async function findServer(): Promise<{
  administration: pg.ClientConfig
  owner: string | undefined
  stop: () => Promise<void>
}> {
  const url = process.env.TEST_DATABASE_URL
  if (url) return { administration: { connectionString: url }, owner: undefined, stop: async () => {} }
  const place = fastTempDir()
  removeLeftovers(place)
  const dataDir = mkdtempSync(join(place, `${folderPrefix}${process.pid}-`))
  const { administration, connection, stop } = await startEmbedded(dataDir, { durable: false })
  return {
    administration,
    owner: connection.user,
    stop: async () => {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function fillTemplate(connection: pg.PoolConfig): Promise<void> {
  await migrate(connection)
  const { db, close } = openDatabase(connection)
  await seedReference(db, { product1Name: 'Linen' })
  await seedCast(db, await hashPassword(testPassword, cheapPasswordCost))
  await close()
  // Create the job tables here once, instead of for each test.
  const jobs = new Jobs(connection, { error: (_details, text) => console.error(text) })
  await jobs.start()
  await jobs.stop()
}

/**
 * Returns an in-memory folder if it has enough space. Creating a database takes 15 ms there and 90 ms on a
 * disk, but containers often have only 64 MB.
 */
export function fastTempDir(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 2_000_000_000 ? memory : tmpdir()
}

/** Removes clusters left behind by test runs that were killed. */
function removeLeftovers(place: string): void {
  for (const name of readdirSync(place)) {
    const pid = new RegExp(`^${folderPrefix}(\\d+)-`).exec(name)?.[1]
    if (!pid || isAlive(Number(pid))) continue
    const folder = join(place, name)
    const postmaster = findPostmaster(join(folder, 'postgres'))
    if (postmaster) process.kill(postmaster, 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  }
}

const createDatabase = (cluster: Cluster, name: string, template: string) =>
  administer(cluster.administration, creationOf(cluster, name, template))

const creationOf = ({ owner }: Cluster, name: string, template: string) =>
  `create database ${name} template ${template}${owner ? ` owner ${owner} strategy file_copy` : ''}`

function connectionTo({ administration, owner }: Cluster, database: string): pg.PoolConfig {
  if (!administration.connectionString)
    return { ...administration, database, user: owner ?? administration.user }
  const url = new URL(administration.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

async function administer(connection: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

let kept: pg.Pool | undefined

/** Runs a statement on a connection that the process keeps, because each test creates and drops a database. */
async function administerAgain(connection: pg.ClientConfig, statement: string): Promise<void> {
  if (!kept) {
    kept = new pg.Pool({ ...connection, max: 1, allowExitOnIdle: true })
    // It is lost with the server, after the last test.
    kept.on('error', () => {})
  }
  await kept.query(statement)
}

function fail(): never {
  throw new Error(
    `${variable} is not set: tests with a database run under vitest.config.ts, whose global setup starts PostgreSQL.`,
  )
}
