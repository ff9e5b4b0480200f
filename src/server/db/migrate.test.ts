import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate, MigrationError } from '#server/db/migrate.ts'
import { createEmptyDatabase, type TestDatabase } from '#server/db/testing.ts'

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createEmptyDatabase()
  folder = await mkdtemp(join(tmpdir(), 'admin-panel-migrations-'))
  await write('0001_people', "create table people (name text); insert into people values ('Ingrid')")
  await write('0002_age', 'alter table people add column age integer')
})
afterEach(async () => {
  await rm(folder, { recursive: true })
  await database.drop()
})

const write = (name: string, text: string) => writeFile(join(folder, `${name}.sql`), text)
const run = () => migrate(database.connection, folder)

async function query(text: string): Promise<unknown[]> {
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

test('migrations are applied once, in order', async () => {
  expect(await run()).toEqual(['0001_people', '0002_age'])
  expect(await run()).toEqual([])
  expect(await query('select * from people')).toEqual([{ name: 'Ingrid', age: null }])
  await write('0003_city', 'alter table people add column city text')
  expect(await run()).toEqual(['0003_city'])
})

test('a changed migration that was already applied stops the start', async () => {
  await run()
  await write('0001_people', 'create table people (name citext)')
  await expect(run()).rejects.toThrow(
    new MigrationError(
      'Migration 0001_people was changed after it was applied. Restore the file and add a new migration.',
    ),
  )
})

test('different line endings are not a change', async () => {
  await write('0003_city', 'alter table people\nadd column city text')
  await run()
  await write('0003_city', 'alter table people\r\nadd column city text')
  expect(await run()).toEqual([])
})

test('a failed migration leaves nothing behind, and earlier ones stay', async () => {
  await write('0003_city', 'alter table people add column city text; select 1 / 0')
  await expect(run()).rejects.toThrow(/^Migration 0003_city failed and was rolled back: division by zero$/)
  expect(await query('select * from people')).toEqual([{ name: 'Ingrid', age: null }])
  await write('0003_city', 'alter table people add column city text')
  expect(await run()).toEqual(['0003_city'])
})

test('an interrupted migration leaves nothing behind', async () => {
  await run()
  await write(
    '0003_city',
    'alter table people add column city text; select pg_terminate_backend(pg_backend_pid())',
  )
  await expect(run()).rejects.toThrow(MigrationError)
  expect(await query('select name from schema_migrations order by name')).toEqual([
    { name: '0001_people' },
    { name: '0002_age' },
  ])
  expect(await query('select * from people')).toEqual([{ name: 'Ingrid', age: null }])
})

test('a database newer than the program is refused', async () => {
  await write('0003_city', 'alter table people add column city text')
  await run()
  await rm(join(folder, '0003_city.sql'))
  await expect(run()).rejects.toThrow(
    'The database is newer than this version: it has migration 0003_city. Start the version that created it.',
  )
})

test('two processes started together migrate one after the other', async () => {
  await write('0003_slow', 'select pg_sleep(0.2)')
  const applied = await Promise.all([run(), run()])
  expect(applied.map((names) => names.length).toSorted()).toEqual([0, 3])
})

test('a migration gives up a lock that it waits for, and is repeated until it gets it', async () => {
  await run()
  await write('0003_city', 'alter table people add column city text')
  const holding = new pg.Client(database.connection)
  await holding.connect()
  await holding.query('begin; lock table people in access share mode')
  await expect(migrate(database.connection, folder, { lockMs: 20, tries: 2 })).rejects.toThrow(
    'Migration 0003_city failed and was rolled back: canceling statement due to lock timeout',
  )
  const applied = migrate(database.connection, folder, { lockMs: 20, tries: 10_000 })
  const seen = new Set<unknown>()
  const countTries = async () => {
    const rows = await query(`select xact_start::text as start from pg_stat_activity
      where application_name = 'admin-panel migration' and datname = current_database() and wait_event_type = 'Lock'`)
    for (const row of rows) seen.add((row as { start: string }).start)
    return seen.size
  }
  await expect.poll(countTries, { interval: 5 }).toBeGreaterThan(1)
  await holding.query('commit')
  await holding.end()
  expect(await applied).toEqual(['0003_city'])
})

test.each([
  ['0002_city', 'Two migrations have the same number: 0002.'],
  ['3_city', 'Migration 3_city must be named NNNN_topic.'],
])('the name %s is refused', async (name, message) => {
  await write(name, '')
  await expect(run()).rejects.toThrow(message)
})
