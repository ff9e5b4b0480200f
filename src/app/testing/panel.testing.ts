import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolveClusterPaths } from '#server/db/embedded-place.ts'
import { type OpenDatabase, openDatabase } from '#server/db/db.ts'
import { findPostmaster } from '#server/db/postmaster.ts'

/*
 * The panel running as in production: a separate process with the embedded, durable PostgreSQL in a data
 * folder. Also provides functions for killing the panel and PostgreSQL.
 */

export interface Panel {
  url: string
  child: ChildProcess
  dataDir: string
  /** Returns the output so far, for diagnosing test failures. */
  words: () => string
}

/**
 * Starts `src/app/server/main.ts` in its own process group and waits until it listens.
 * @param preload a file that the process loads first
 */
export async function startPanel(
  dataDir: string,
  { env = {}, preload }: { env?: Record<string, string>; preload?: string } = {},
): Promise<Panel> {
  const child = spawn(
    process.execPath,
    [...(preload ? ['--import', preload] : []), join(import.meta.dirname, '../server/main.ts')],
    {
      detached: true,
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        LIVE_PORT: '0',
        LOG_LEVEL: 'warn',
        RATE_LIMITS: 'off',
        DATA_DIR: dataDir,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let words = ''
  const url = await new Promise<string>((found, fail) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        words += text
        const address = /Listening on (http[^\s"]+)/.exec(words)?.[1]
        if (address) found(address)
      })
    }
    child.once('exit', (code) => fail(new Error(`The panel ended with ${code}: ${words}`)))
  })
  return { url, child, dataDir, words: () => words }
}

/** Stops the panel gracefully, together with its database. */
export async function stopPanel({ child }: Panel): Promise<void> {
  if (!isRunning(child)) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

export const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null

/** Kills the panel and leaves its database running. */
export async function killPanel({ child }: Panel): Promise<void> {
  if (!isRunning(child)) return
  process.kill(-child.pid!, 'SIGKILL')
  await once(child, 'exit')
}

/** Kills the panel and all of its database processes at the same time. */
export async function killAll(panel: Panel): Promise<void> {
  const processes = databaseProcesses(panel.dataDir)
  const gone = killPanel(panel)
  for (const pid of processes) kill(pid)
  await gone
}

/**
 * Returns the process IDs of the postmaster and its children, each of which runs in its own process group;
 * empty if PostgreSQL is not running.
 */
function databaseProcesses(dataDir: string): number[] {
  const postmaster = findPostmaster(resolveClusterPaths(dataDir).cluster)
  return postmaster === undefined ? [] : [postmaster, ...childrenOf(postmaster)]
}

/** Returns the postmaster's process ID. */
export function postmasterOf({ dataDir }: Panel): number {
  const pid = findPostmaster(resolveClusterPaths(dataDir).cluster)
  if (pid === undefined) throw new Error(`No PostgreSQL runs in ${dataDir}.`)
  return pid
}

function childrenOf(parent: number): number[] {
  const lines =
    process.platform === 'linux'
      ? readdirSync('/proc')
          .filter((name) => /^\d+$/.test(name))
          .map((pid) => `${pid} ${parentOf(pid)}`)
      : execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => (ppid === parent && pid ? [pid] : []))
}

function parentOf(pid: string): string {
  try {
    return /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''
  } catch {
    // The process has ended in the meantime.
    return ''
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has ended in the meantime.
  }
}

/** Returns the connection to the panel's database. */
export const clusterConnection = ({ dataDir }: Panel) => ({
  host: resolveClusterPaths(dataDir).socketDir,
  port: 5432,
  user: 'admin_panel',
  database: 'admin_panel',
})

/** Opens the panel's database from outside the panel. */
export const openDatabaseOf = (panel: Panel): OpenDatabase =>
  openDatabase({ ...clusterConnection(panel), max: 2 })

/** Signs in a member of the cast; returns the token. */
export async function signIn({ url }: Panel, username: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password: 'demo-password', rememberMe: true }),
  })
  return ((await answer.json()) as { token: string }).token
}
