import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Age at which no process is about to write an empty lock file. */
const emptyMs = 1000

/** Larger than any process id, so that no process has it. */
const unusedPid = 4_194_305

/** Returns the process id of the PostgreSQL running on a cluster, whichever process started it; undefined if there is none. */
export function findPostmaster(cluster: string): number | undefined {
  const pid = pidIn(join(cluster, 'postmaster.pid'))
  return pid !== undefined && isPostmasterOf(cluster, pid) ? pid : undefined
}

const starterSetting = 'admin_panel.starter'

/** Returns the setting on PostgreSQL's command line that identifies the process that starts it. */
export const starterSettingOf = (pid: number) => [starterSetting, `${pid}@${startTimeOf(pid) ?? ''}`] as const

/**
 * Returns whether the process that started a PostgreSQL is still alive. Until that process holds the owner lock, nothing else
 * distinguishes an abandoned PostgreSQL from one that is being started.
 */
export function hasLivingStarter(postmaster: number): boolean {
  const [, pid, birth] =
    commandOf(postmaster)?.match(new RegExp(` ${starterSetting.replace('.', '\\.')}=(\\d+)@(\\S*)`)) ?? []
  return pid !== undefined && birth === startTimeOf(Number(pid))
}

/** Returns the start time of a process in the system's own unit; together with it, a process id is unique. */
function startTimeOf(pid: number): string | undefined {
  if (process.platform !== 'linux')
    return (
      spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
        .stdout.trim()
        .replace(/\s+/g, '_') || undefined
    )
  try {
    // proc(5), field 22; field 2 is a name in parentheses, which may contain anything.
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    // A zombie has ended; its parent just has not waited for it yet.
    return state === 'Z' || state === 'X' ? undefined : fields[18]
  } catch {
    return undefined
  }
}

/**
 * Removes a dead process from the lock files. PostgreSQL refuses to start while the id in them is alive; after a container restart it is
 * often another program's, and a zombie counts as alive. The rest of the file is kept: with it PostgreSQL finds backends that still write.
 */
export function forgetDeadPostmaster(cluster: string, socketDir: string): void {
  for (const file of [join(cluster, 'postmaster.pid'), join(socketDir, '.s.PGSQL.5432.lock')]) {
    removeEmpty(file)
    const pid = pidIn(file)
    if (pid !== undefined && isAlive(pid) && !isPostmasterOf(cluster, pid))
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^-?\d+/, String(unusedPid)))
  }
}

/** Removes a lock file that a power cut or a full disk left empty; a starting PostgreSQL writes its own immediately. */
function removeEmpty(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.size === 0 && Date.now() - found.mtimeMs > emptyMs) rmSync(file, { force: true })
}

function pidIn(file: string): number | undefined {
  if (!existsSync(file)) return undefined
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
  return pid > 0 && pid !== unusedPid ? pid : undefined
}

const isPostmasterOf = (cluster: string, pid: number) => commandOf(pid)?.includes(` -D ${cluster} `) ?? false

/** Returns whether a process id is in use, even by a zombie or by another user's program. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Returns the command line of a living process. */
function commandOf(pid: number): string | undefined {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout || undefined
  try {
    // A zombie has an empty one.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') || undefined
  } catch {
    return undefined
  }
}
