import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { backUp, dropOldBackups, findNewestBackup } from '#server/backup/backup.ts'
import { restore } from '#server/backup/restore.ts'
import { migrate } from '#server/db/migrate.ts'
import {
  createDatabaseBefore,
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '#server/db/testing.ts'

let folder: string
let empty: TestDatabase
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'panel-backup-'))
  empty = await createEmptyDatabase()
})
afterEach(async () => {
  await empty.drop()
  await rm(folder, { recursive: true, force: true })
})

const now = new Date('2026-03-16T10:00:00Z')
/** Backs up a panel; returns the archive's path. */
async function archiveOf({ app, database }: Started, key?: Buffer): Promise<string> {
  const { path } = await backUp({
    connection: database.connection,
    dataDir: app.settings.dataDir,
    target: join(folder, 'archives'),
    key,
    version: '1',
    now,
  })
  return path
}
const restored = () => join(folder, 'restored')
const restoreFrom = (archive: string, key?: Buffer) =>
  restore({ connection: empty.connection, dataDir: restored(), archive, key })

async function query<Row extends object>(connection: pg.ClientConfig, text: string): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

const tablesOf = async (connection: pg.ClientConfig) =>
  (
    await query<{ name: string }>(
      connection,
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    )
  ).map(({ name }) => name)

/** Returns every row of every table, as one text each. */
async function everything(connection: pg.ClientConfig): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const name of await tablesOf(connection)) {
    if (name === 'schema_migrations') continue
    const rows = await query<{ row: string }>(connection, `select t::text as row from "${name}" t order by 1`)
    all[name] = rows.map(({ row }) => row)
  }
  return all
}

/** The rules of a schema that restoring suspends: references and triggers. */
const rulesOf = (connection: pg.ClientConfig) =>
  query(
    connection,
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as rule from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger where not tgisinternal order by 1, 2, 3`,
  )

type Started = TestApp & { database: TestDatabase }

async function startFilled(): Promise<Started> {
  const database = await createTestDatabase()
  const started = { ...(await startTestApp({ database })), database }
  const { as } = started
  for (const title of ['Count the racks', 'Ünïcode “quotes”\tand\\tabs', '🧺'.repeat(20)])
    await as('admin').post('/common/quick-task', { title, text: 'one\ntwo\\n\\.' })
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await as('admin').send('POST', '/files/stage', undefined, {
    form: { file: { name: 'dot.png', bytes: png, type: 'image/png' } },
  })
  return started
}

test('every row, file, and rule of the database is as before', async () => {
  const started = await startFilled()
  const { app, database } = started
  const before = await everything(database.connection)
  expect(before['quick_tasks']).toHaveLength(3)
  const archive = await archiveOf(started)
  await restoreFrom(archive)
  expect(await everything(empty.connection)).toEqual(before)
  expect(await rulesOf(empty.connection)).toEqual(await rulesOf(database.connection))
  const names = async (dataDir: string) => (await readdir(join(dataDir, 'files'))).toSorted()
  const files = await names(app.settings.dataDir)
  expect(files.length).toBeGreaterThan(0)
  expect(await names(restored())).toEqual(files)
  for (const name of files)
    expect(await readFile(join(restored(), 'files', name))).toEqual(
      await readFile(join(app.settings.dataDir, 'files', name)),
    )
  // The next row gets a number that no row has.
  const [next] = await query<{ id: number }>(
    empty.connection,
    `insert into quick_tasks (title, person, created_by) values ('Next', 1, 1) returning id`,
  )
  expect(before['quick_tasks']!.some((row) => row.startsWith(`(${next!.id},`))).toBe(false)
})

test('the rows are those of one moment, although others are being written', async () => {
  const started = await startFilled()
  const { as, database } = started
  const state = { isDone: false }
  const writing = (async () => {
    let count = 0
    while (!state.isDone) await as('admin').post('/common/quick-task', { title: `Written ${(count += 1)}` })
    return count
  })()
  const archive = await archiveOf(started)
  state.isDone = true
  expect(await writing).toBeGreaterThan(0)
  await restoreFrom(archive)
  const [counts] = await query<{ tasks: number; changes: number }>(
    empty.connection,
    `select (select count(*)::int from quick_tasks where title like 'Written%') as tasks,
      (select count(*)::int from audit_log a join quick_tasks q on q.id = a.target_id
        where a.target_type = 'quick_task' and q.title like 'Written%') as changes`,
  )
  // Each task was written together with its row of the log.
  expect(counts!.changes).toBe(counts!.tasks)
  expect((await tablesOf(database.connection)).length).toBeGreaterThan(50)
})

test('a backup whose connection is lost fails, leaves no archive, and does not end the process', async () => {
  const started = await startFilled()
  const holding = new pg.Client(started.database.connection)
  await holding.connect()
  await holding.query('begin; lock table quick_tasks in access exclusive mode')
  const failed = archiveOf(started).then(
    () => 'a backup',
    (error: unknown) => String(error),
  )
  const backend = `select pg_terminate_backend(pid) as done from pg_stat_activity
    where application_name = 'admin-panel backup' and datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(() => query(started.database.connection, backend)).toEqual([{ done: true }])
  expect(await failed).toMatch(/terminat|closed/i)
  await holding.end()
  expect(await readdir(join(folder, 'archives'))).toEqual([])
  await archiveOf(started)
  expect(await readdir(join(folder, 'archives'))).toHaveLength(1)
})

test('an encrypted archive needs its key, and shows nothing without it', async () => {
  const started = await startFilled()
  const key = randomBytes(32)
  const archive = await archiveOf(started, key)
  expect((await readFile(archive)).includes('quick_tasks')).toBe(false)
  await expect(restoreFrom(archive)).rejects.toThrow('The archive is encrypted.')
  await expect(restoreFrom(archive, randomBytes(32))).rejects.toThrow('key is not the one')
  expect(await tablesOf(empty.connection)).toEqual([])
  await restoreFrom(archive, key)
  expect(await query(empty.connection, 'select title from quick_tasks')).toHaveLength(3)
})

test.each(['plain', 'encrypted'])(
  'a changed or cut archive (%s) is refused, and nothing is touched',
  async (kind) => {
    const started = await startFilled()
    const key = kind === 'encrypted' ? randomBytes(32) : undefined
    const archive = await archiveOf(started, key)
    const whole = await readFile(archive)
    const changed = Buffer.from(whole)
    changed[Math.floor(whole.length / 2)]! ^= 1
    await writeFile(archive, changed)
    await expect(restoreFrom(archive, key)).rejects.toThrow(/damaged|changed|incomplete/)
    await writeFile(archive, whole)
    await truncate(archive, whole.length - 100)
    await expect(restoreFrom(archive, key)).rejects.toThrow(/damaged|changed|incomplete/)
    expect(await tablesOf(empty.connection)).toEqual([])
    await expect(readdir(restored())).rejects.toThrow()
    // The control.
    await writeFile(archive, whole)
    await restoreFrom(archive, key)
  },
)

test('a database or a folder with data is refused', async () => {
  const started = await startFilled()
  const archive = await archiveOf(started)
  await expect(
    restore({ connection: started.database.connection, dataDir: restored(), archive }),
  ).rejects.toThrow('The database has data.')
  const used = join(restored(), 'files')
  await mkdir(used, { recursive: true })
  await writeFile(join(used, `${'a'.repeat(40)}.png`), '')
  await expect(restoreFrom(archive)).rejects.toThrow('has files. Restore into an empty DATA_DIR.')
  expect(await tablesOf(empty.connection)).toEqual([])
})

test('a backup of a later version is refused by name', async () => {
  const started = await startFilled()
  await query(
    started.database.connection,
    `insert into schema_migrations (name, checksum) values ('9999_of_the_next_version', '')`,
  )
  await expect(restoreFrom(await archiveOf(started))).rejects.toThrow('9999_of_the_next_version')
  expect(await tablesOf(empty.connection)).toEqual([])
})

test('a backup of an earlier version is restored as it was, and the next start migrates its rows', async () => {
  const earlier = await createDatabaseBefore('0247_ticket_callers')
  onTestFinished(() => earlier.drop())
  await query(
    earlier.connection,
    `insert into public.mails (kind, subject, html, text, message_id) values ('x', 'News', '', '', '<1@x>')`,
  )
  const before = await everything(earlier.connection)
  const { path: archive } = await backUp({
    connection: earlier.connection,
    dataDir: join(folder, 'none'),
    target: join(folder, 'archives'),
    key: undefined,
    version: '0',
    now,
  })
  await restoreFrom(archive)
  expect(await everything(empty.connection)).toEqual(before)
  expect((await migrate(empty.connection))[0]).toBe('0247_ticket_callers')
  expect(await query(empty.connection, 'select subject from public.mails')).toEqual([{ subject: 'News' }])
})

test('a restore that was interrupted can be repeated', async () => {
  const started = await startFilled()
  const archive = await archiveOf(started)
  // As it is after a kill between the files and the rows.
  await mkdir(join(restored(), 'files'), { recursive: true })
  await writeFile(join(restored(), 'restoring'), '')
  await writeFile(join(restored(), 'files', `${'a'.repeat(40)}.png`), 'half')
  await restoreFrom(archive)
  expect(await readdir(join(restored(), 'files'))).not.toContain(`${'a'.repeat(40)}.png`)
  expect(await readdir(restored())).not.toContain('restoring')
})

test('a restore that was interrupted after its rows is ended, and keeps the files', async () => {
  const started = await startFilled()
  const archive = await archiveOf(started)
  await restoreFrom(archive)
  const files = await readdir(join(restored(), 'files'))
  const interrupt = () => writeFile(join(restored(), 'restoring'), '')
  await interrupt()
  await restoreFrom(archive)
  expect(await readdir(restored())).not.toContain('restoring')
  expect(await readdir(join(restored(), 'files'))).toEqual(files)
  // The control: with other rows, nothing is touched.
  await interrupt()
  await query(empty.connection, `insert into quick_tasks (title, person, created_by) values ('Next', 1, 1)`)
  await expect(restoreFrom(archive)).rejects.toThrow('The database has data.')
  expect(await readdir(join(restored(), 'files'))).toEqual(files)
  expect(await query(empty.connection, 'select from quick_tasks')).toHaveLength(4)
})

test('the panel does not start on a folder whose restore was interrupted', async () => {
  await mkdir(restored(), { recursive: true })
  const start = async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../app/server/main.ts')], {
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        LIVE_PORT: '0',
        DATA_DIR: restored(),
        // Nothing listens there, so that a start that is not refused ends as well.
        DATABASE_URL: 'postgresql://127.0.0.1:1/none',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let words = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (words += text))
    const [code] = await once(child, 'close')
    return { code, words }
  }
  expect(await start()).toEqual({
    code: 1,
    words: 'The database can’t be used (check DATABASE_URL): connect ECONNREFUSED 127.0.0.1:1.\n',
  })
  await writeFile(join(restored(), 'restoring'), '')
  expect(await start()).toEqual({
    code: 1,
    words: `A restore into ${restored()} was interrupted. Repeat it before you start the panel: npm run restore -- ARCHIVE\n`,
  })
}, 60_000)

/** Starts a command of package.json; `exit` has its exit code and the signal that ended it. */
function startCommand(name: 'backup' | 'restore', argument: string, database: TestDatabase, dataDir: string) {
  const { host, port, user, database: of, connectionString } = database.connection
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, `../../../scripts/${name}.ts`), argument],
    {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataDir,
        DATABASE_URL:
          connectionString ??
          `postgresql://${user}@localhost:${port}/${of}?host=${encodeURIComponent(String(host))}`,
      },
      stdio: 'ignore',
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, exit: once(child, 'exit') }
}

/** Ends a command with SIGKILL while it waits for the lock that `lock` takes. */
async function killWaiting(
  start: () => ReturnType<typeof startCommand>,
  { connection }: TestDatabase,
  lock: string,
): Promise<void> {
  const holding = new pg.Client(connection)
  await holding.connect()
  await holding.query(`begin; ${lock}`)
  const { child, exit } = start()
  const waiting = `select from pg_stat_activity where application_name like 'admin-panel %'
    and datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(() => query(connection, waiting), { timeout: 30_000 }).toHaveLength(1)
  child.kill('SIGKILL')
  expect(await exit).toEqual([null, 'SIGKILL'])
  await holding.end()
}

test('after a backup is killed, its part is not taken for a backup, and the next one is made', async () => {
  const started = await startFilled()
  const { app, database } = started
  const target = join(folder, 'archives')
  const start = () => startCommand('backup', target, database, app.settings.dataDir)
  await killWaiting(start, database, 'lock table quick_tasks in access exclusive mode')
  const [part, ...more] = await readdir(target)
  expect(more).toEqual([])
  expect(await findNewestBackup(target)).toBe(undefined)
  await expect(restoreFrom(join(target, part!))).rejects.toThrow(/damaged|incomplete/)
  expect(await tablesOf(empty.connection)).toEqual([])
  expect(await start().exit).toEqual([0, null])
  const whole = (await readdir(target)).find((name) => name !== part && name.endsWith('.tar.gz'))
  expect(await findNewestBackup(target)).toBeInstanceOf(Date)
  await restoreFrom(join(target, whole!))
  expect(await query(empty.connection, 'select from quick_tasks')).toHaveLength(3)
}, 120_000)

test('a backup deletes parts that were left more than an hour ago, and nothing else', async () => {
  const target = join(folder, 'archives')
  await mkdir(target)
  const names = ['admin-panel-20260315T013000Z.tar.gz.part', 'admin-panel-20260316T013000Z.tar.gz.enc.part']
  const others = ['notes.part', 'admin-panel-20260314T013000Z.tar.gz']
  for (const name of [...names, ...others]) await writeFile(join(target, name), 'half')
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  for (const name of [names[0]!, ...others]) await utimes(join(target, name), longAgo, longAgo)
  await archiveOf(await startFilled())
  const left = await readdir(target)
  expect(left.toSorted()).toEqual([...others, names[1], 'admin-panel-20260316T100000Z.tar.gz'].toSorted())
})

test('a restore that is killed before its tables or before its rows can be repeated', async () => {
  const started = await startFilled()
  const before = await everything(started.database.connection)
  const rules = await rulesOf(started.database.connection)
  const archive = await archiveOf(started)
  const start = () => startCommand('restore', archive, empty, restored())
  await killWaiting(start, empty, 'select pg_advisory_xact_lock(7261001)')
  expect(await readdir(restored())).toContain('restoring')
  expect(await tablesOf(empty.connection)).toEqual([])
  await migrate(empty.connection)
  await killWaiting(start, empty, 'lock table quick_tasks in access share mode')
  expect(await readdir(restored())).toContain('restoring')
  expect((await readdir(join(restored(), 'files'))).length).toBeGreaterThan(0)
  expect(await query(empty.connection, 'select from quick_tasks')).toEqual([])
  expect(await start().exit).toEqual([0, null])
  expect(await everything(empty.connection)).toEqual(before)
  expect(await rulesOf(empty.connection)).toEqual(rules)
  expect(await readdir(restored())).not.toContain('restoring')
}, 120_000)

test('emails that were waiting are held until an admin decides', async () => {
  const started = await startFilled()
  const { db } = started
  const { id } = await db
    .insertInto('mails')
    .values({ kind: 'x', subject: 'News', html: '', text: '', message_id: '<1@x>' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('mail_recipients')
    .values([
      { mail_id: id, address: 'now@inn.example', next_try_at: '2026-03-16T09:00:00Z' },
      { mail_id: id, address: 'later@inn.example', next_try_at: '2999-01-01T00:00:00Z' },
    ])
    .execute()
  await restoreFrom(await archiveOf(started))
  expect(
    await query(
      empty.connection,
      `select address::text, next_try_at < now() - interval '1 day' as held from mail_recipients order by address`,
    ),
  ).toEqual([
    { address: 'later@inn.example', held: false },
    { address: 'now@inn.example', held: true },
  ])
})

test('an interrupted backup leaves no archive, and old ones are deleted by number', async () => {
  const target = join(folder, 'archives')
  await mkdir(target)
  for (const day of ['14', '15', '16'])
    await writeFile(join(target, `admin-panel-202603${day}T100000Z.tar.gz`), '')
  await writeFile(join(target, 'notes.txt'), '')
  expect(await findNewestBackup(target)).toEqual(new Date('2026-03-16T10:00:00Z'))
  expect(await findNewestBackup(join(folder, 'none'))).toBe(undefined)
  expect(await dropOldBackups(target, 2)).toBe(1)
  expect((await readdir(target)).toSorted()).toEqual([
    'admin-panel-20260315T100000Z.tar.gz',
    'admin-panel-20260316T100000Z.tar.gz',
    'notes.txt',
  ])
  const started = await startFilled()
  await expect(
    backUp({
      connection: { ...started.database.connection, database: 'missing' },
      dataDir: folder,
      target,
      version: '1',
      now,
    }),
  ).rejects.toThrow()
  expect((await readdir(target)).filter((name) => name.includes('part'))).toEqual([])
})
