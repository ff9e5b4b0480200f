import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { environment } from '#server/db/embedded-cluster.ts'
import { EmbeddedError, type ClusterPaths } from '#server/db/embedded-place.ts'
import {
  findPostmaster,
  forgetDeadPostmaster,
  hasLivingStarter,
  starterSettingOf,
} from '#server/db/postmaster.ts'

const startMs = 60_000
/** Maximum time for PostgreSQL to notice that the connection of a killed owner is gone. */
const ownerGoneMs = 5_000
const mostStarts = 3
const stopMs = 30_000
const largestLogBytes = 5_000_000
/**
 * Advisory lock that one connection holds for the life of the process. It is released with the connection, so
 * a killed process leaves no lock behind.
 */
const ownerLock = 7_261_002

const parameters = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: 100,
  effective_cache_size: '1GB',
  random_page_cost: 1.1,
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Log only server messages. Failed statements are reported by the panel, and may contain personal data.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}
export interface ClusterOptions {
  durable: boolean
  sharedBuffersMb: number
}

const durability = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
const noDurability = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/**
 * Starts PostgreSQL, holds the lock that makes this process its owner, and restarts PostgreSQL if it dies.
 * @param onLost called if PostgreSQL died and could not be restarted.
 * @throws EmbeddedError if another process is the owner, or if PostgreSQL does not start.
 */
export async function supervise(
  place: ClusterPaths,
  options: ClusterOptions,
  onLost: (error: Error) => void,
): Promise<{ ownerConnection: pg.Client; stop: () => Promise<void> }> {
  let child: ChildProcess | undefined
  let ownerConnection: pg.Client | undefined
  let stopping = false

  const onExit = () => child?.kill('SIGINT')
  process.on('exit', onExit)

  async function acquireOwnership(): Promise<void> {
    let starts = 0
    const ownerIsGone = Date.now() + ownerGoneMs
    for (const deadline = Date.now() + startMs; Date.now() < deadline; await wait(10)) {
      if (stopping) return
      const pid = findPostmaster(place.cluster)
      if (pid === undefined && !isRunning(child)) {
        if (starts > 0 && logTail(place).includes('pre-existing shared memory block')) {
          // If PostgreSQL was killed and one of its backends is still running until its statement ends
          // (statement_timeout), that does not count as a failed start.
          starts -= 1
          await wait(100)
        }
        if (starts === mostStarts) break
        starts += 1
        child = await start(place, options)
        continue
      }
      const isForeign = pid !== undefined && pid !== child?.pid
      if (isForeign && hasLivingStarter(pid)) throw alreadyOwnedError(place)
      const client = await connectAsOwner(place)
      if (client === 'taken') {
        if (isForeign && Date.now() < ownerIsGone) continue
        throw alreadyOwnedError(place)
      }
      if (!client) continue
      if (isForeign) {
        // This PostgreSQL was left over from a killed process and may have been started with other settings.
        await client.end()
        await stopProcess(pid, () => findPostmaster(place.cluster) !== pid)
        continue
      }
      ownerConnection = client
      client.once('end', () => {
        if (!stopping) acquireOwnership().catch(onLost)
      })
      return
    }
    throw new EmbeddedError(`PostgreSQL failed to start: ${logTail(place)}`)
  }

  async function stop(): Promise<void> {
    stopping = true
    process.off('exit', onExit)
    await ownerConnection?.end().catch(() => {})
    if (child?.pid !== undefined) await stopProcess(child.pid, () => !isRunning(child))
  }

  try {
    await acquireOwnership()
    if (!ownerConnection) throw new EmbeddedError('PostgreSQL was stopped while starting.')
    return { ownerConnection, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  place: ClusterPaths,
  { durable, sharedBuffersMb }: ClusterOptions,
): Promise<ChildProcess> {
  forgetDeadPostmaster(place.cluster, place.socketDir)
  const settings = Object.entries({
    ...parameters,
    shared_buffers: `${sharedBuffersMb}MB`,
    ...(durable ? durability : noDurability),
    unix_socket_directories: place.socketDir,
  })
  settings.push([...starterSettingOf(process.pid)])
  const logBytes = statSync(logFile(place), { throwIfNoEntry: false })?.size ?? 0
  const log = openSync(logFile(place), logBytes > largestLogBytes ? 'w' : 'a', 0o600)
  // Detached, because Ctrl-C in a terminal reaches the whole process group, and the panel still needs the
  // database to finish its requests.
  const child = spawn(
    join(place.binaries, 'bin', 'postgres'),
    ['-D', place.cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...place.runner,
      cwd: '/',
      env: environment,
      detached: true,
      stdio: ['ignore', log, log],
    },
  )
  closeSync(log)
  await new Promise<void>((resolve, reject) => {
    child
      .once('spawn', resolve)
      .once('error', (error) => reject(new EmbeddedError(`Cannot start PostgreSQL: ${error.message}`)))
  })
  child.unref()
  return child
}

/**
 * Opens the connection that holds the owner lock. Returns 'taken' if another process holds it, or undefined
 * if the server is not ready.
 */
async function connectAsOwner({ socketDir }: ClusterPaths): Promise<pg.Client | 'taken' | undefined> {
  const client = new pg.Client({
    host: socketDir,
    port: 5432,
    user: 'postgres',
    database: 'postgres',
    application_name: 'admin-panel owner',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
      ownerLock,
    ])
    if (rows[0]?.held) return client
    await client.end()
    return 'taken'
  } catch {
    return undefined
  }
}

/**
 * Stops a PostgreSQL process: requests a fast, clean shutdown first and, if that takes too long, one without
 * a checkpoint.
 */
async function stopProcess(pid: number, hasStopped: () => boolean): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (hasStopped()) return
    try {
      process.kill(pid, signal)
    } catch {
      // The process has already ended.
    }
    for (const deadline = Date.now() + stopMs; Date.now() < deadline && !hasStopped();) await wait(10)
  }
}

const alreadyOwnedError = ({ cluster }: ClusterPaths) =>
  new EmbeddedError(
    `Another process is already using ${dirname(cluster)}. Stop it or set a different DATA_DIR.`,
  )
const isRunning = (child: ChildProcess | undefined) =>
  child !== undefined && child.exitCode === null && child.signalCode === null
const logTail = (place: ClusterPaths) =>
  readFileSync(logFile(place), 'utf8').trim().split('\n').slice(-3).join(' ')
const logFile = ({ cluster }: ClusterPaths) => join(dirname(cluster), 'postgres.log')
