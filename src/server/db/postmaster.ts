import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Larger than any process id, so nothing with it lives. */
const nobodysPid = 4_194_305

/** The process id of the PostgreSQL that runs on a cluster, also when somebody else started it; undefined when none does. */
export function findPostmaster(cluster: string): number | undefined {
  const pid = pidIn(join(cluster, 'postmaster.pid'))
  return pid !== undefined && isPostmasterOf(cluster, pid) ? pid : undefined
}

const starterSetting = 'admin_panel.starter'

/** What the command line of a PostgreSQL says of the process that starts it. */
export const startedBy = (pid: number) => [starterSetting, `${pid}@${birthOf(pid) ?? ''}`] as const

/**
 * Whether the process that started a PostgreSQL still lives. Between its start and the moment in which its starter holds the owner's lock nothing
 * else tells one that was left behind from one that is being started.
 */
export function hasLivingStarter(postmaster: number): boolean {
  const [, pid, birth] = commandOf(postmaster)?.match(new RegExp(` ${starterSetting.replace('.', '\\.')}=(\\d+)@(\\S*)`)) ?? []
  return pid !== undefined && birth === birthOf(Number(pid))
}

/** When a process was born, in whatever the system counts: with it a process id names one process only. */
function birthOf(pid: number): string | undefined {
  if (process.platform !== 'linux')
    return (
      spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
        .stdout.trim()
        .replace(/\s+/g, '_') || undefined
    )
  try {
    // proc(5), field 22; the second one is a name in brackets, and may hold anything.
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    // A zombie has ended; only its parent has not asked how.
    return state === 'Z' || state === 'X' ? undefined : fields[18]
  } catch {
    return undefined
  }
}

/**
 * Makes lock files forget a process that is gone. PostgreSQL refuses to start while the id in them is alive, which after a restart of a container
 * is often another program's, and never reads a zombie as dead. The rest of the file stays: with it PostgreSQL finds backends that still write.
 */
export function forgetDeadPostmaster(cluster: string, socketDir: string): void {
  for (const file of [join(cluster, 'postmaster.pid'), join(socketDir, '.s.PGSQL.5432.lock')]) {
    const pid = pidIn(file)
    if (pid !== undefined && isAlive(pid) && !isPostmasterOf(cluster, pid))
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^-?\d+/, String(nobodysPid)))
  }
}

function pidIn(file: string): number | undefined {
  if (!existsSync(file)) return undefined
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
  return pid > 0 && pid !== nobodysPid ? pid : undefined
}

const isPostmasterOf = (cluster: string, pid: number) => commandOf(pid)?.includes(` -D ${cluster} `) ?? false

/** Whether a process id is taken, be it by a zombie or by somebody else's program. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The command line of a living process. */
function commandOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout || undefined
  try {
    // A zombie has an empty one.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') || undefined
  } catch {
    return undefined
  }
}
