import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Age of an empty lock file beyond which no process can still be about to write to it. */
const emptyMs = 1000

/** Larger than any valid process ID, so that no process has it. */
const unusedPid = 4_194_305

/**
 * Returns the process ID of the PostgreSQL running on a cluster, regardless of which process started it;
 * undefined if there is none.
 */
export function findPostmaster(cluster: string): number | undefined {
  const pid = pidIn(join(cluster, 'postmaster.pid'))
  return pid !== undefined && isPostmasterOf(cluster, pid) ? pid : undefined
}

const starterSetting = 'admin_panel.starter'

/** Returns the setting on PostgreSQL's command line that identifies the process that started it. */
export const starterSettingOf = (pid: number) => [starterSetting, `${pid}@${startTimeOf(pid) ?? ''}`] as const

/**
 * Returns whether the process that started a PostgreSQL server is still alive. Until that process holds the
 * owner lock, nothing else distinguishes an abandoned server from one that is being started.
 */
export function hasLivingStarter(postmaster: number): boolean {
  const [, pid, birth] =
    commandOf(postmaster)?.match(new RegExp(` ${starterSetting.replace('.', '\\.')}=(\\d+)@(\\S*)`)) ?? []
  return pid !== undefined && birth === startTimeOf(Number(pid))
}

/**
 * Returns a process's start time in the system's own unit; the start time and the process ID together are
 * unique.
 */
function startTimeOf(pid: number): string | undefined {
  if (process.platform !== 'linux')
    return (
      spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
        .stdout.trim()
        .replace(/\s+/g, '_') || undefined
    )
  try {
    // This is field 22 in proc(5). Field 2 is a name in parentheses, which may contain any characters.
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    // A zombie has ended, but its parent has not waited for it yet.
    return state === 'Z' || state === 'X' ? undefined : fields[18]
  } catch {
    return undefined
  }
}

/**
 * Removes the ID of a dead PostgreSQL process from the lock files. PostgreSQL refuses to start while a
 * process with that ID is alive; after a container restart, the ID often belongs to another program, and a
 * zombie also counts as alive. The rest of the file is kept, because PostgreSQL uses it to find backends that
 * are still writing.
 */
export function forgetDeadPostmaster(cluster: string, socketDir: string): void {
  for (const file of [join(cluster, 'postmaster.pid'), join(socketDir, '.s.PGSQL.5432.lock')]) {
    removeEmpty(file)
    const pid = pidIn(file)
    if (pid !== undefined && isAlive(pid) && !isPostmasterOf(cluster, pid))
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^-?\d+/, String(unusedPid)))
  }
}

/**
 * Removes a lock file left empty by a power failure or a full disk; a starting PostgreSQL writes its own
 * immediately.
 */
function removeEmpty(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.size === 0 && Date.now() - found.mtimeMs > emptyMs) rmSync(file, { force: true })
}

function pidIn(file: string): number | undefined {
  const pid = Number.parseInt(readIfPresent(file), 10)
  return pid > 0 && pid !== unusedPid ? pid : undefined
}

/** Returns a file's text, or an empty text if it doesn't exist; an ending PostgreSQL removes its lock files. */
function readIfPresent(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

const isPostmasterOf = (cluster: string, pid: number) => commandOf(pid)?.includes(` -D ${cluster} `) ?? false

/** Returns whether a process ID is in use, including by a zombie or another user's program. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Returns the command line of a running process. */
function commandOf(pid: number): string | undefined {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout || undefined
  try {
    // A zombie's command line is empty.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') || undefined
  } catch {
    return undefined
  }
}
