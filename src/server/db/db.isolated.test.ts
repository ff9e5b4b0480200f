import type { Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { executeDeferred, queryPipelined, type OpenDatabase, openDatabase } from '#server/db/db.ts'
import { unpreparedMark, statementName } from '#server/db/connection.ts'
import { createTestDatabase, type TestDatabase } from '#server/db/testing.ts'
import { instantOf } from '#server/db/types.ts'

let database: TestDatabase
let open: OpenDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  // Use a single connection, whose prepared statements can be inspected.
  open = openDatabase({ ...database.connection, max: 1 })
})
afterAll(async () => {
  await open.close()
  await database.drop()
})

test('rows are returned as they go into JSON', async () => {
  const { rows } = await sql`
    select count(*) as count, 5::bigint as id, date '2026-03-29' as day, timestamptz '2026-03-29 03:30:00.25+02' as at,
      array[1::bigint, 2] as ids, array[date '2026-03-29'] as days, array[timestamptz '2026-03-29 00:00+00'] as instants, null::timestamptz as never,
      jsonb_build_object('zero', 0) as details
    from products
  `.execute(open.db)
  expect(rows).toEqual([
    {
      count: 4,
      id: 5,
      day: '2026-03-29',
      at: '2026-03-29T01:30:00.250Z',
      ids: [1, 2],
      days: ['2026-03-29'],
      instants: ['2026-03-29T00:00:00.000Z'],
      never: null,
      details: { zero: 0 },
    },
  ])
})

test.each([
  ['2026-11-20 17:28:00+00', '2026-11-20T17:28:00.000Z'],
  ['2026-11-20 17:28:00.5+00', '2026-11-20T17:28:00.500Z'],
  ['2026-11-20 17:28:00.123456+00', '2026-11-20T17:28:00.123Z'],
  ['2026-11-20 17:28:00+05:30', '2026-11-20T11:58:00.000Z'],
  ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
  ['infinity', 'infinity'],
])('the instant %s is %s', (text, instant) => {
  expect(instantOf(text)).toBe(instant)
})

test("Kysely's statements are prepared once, each under its own name", async () => {
  const find = (id: number) => open.db.selectFrom('products').select('slug').where('id', '=', id)
  expect(await find(2).executeTakeFirst()).toEqual({ slug: 'staffer' })
  expect(await find(3).executeTakeFirst()).toEqual({ slug: 'equipmate' })
  const { rows } = await open.pool.query(
    'select name, generic_plans + custom_plans as uses from pg_prepared_statements where statement = $1',
    [find(1).compile().sql],
  )
  expect(rows).toEqual([{ name: statementName(find(1).compile().sql), uses: 2 }])
})

test('a statement with the mark is planned for its values each time, and not prepared', async () => {
  const find = (mark: string) => `select slug from products where slug like $1 ${mark}`
  const prepared = async (text: string) =>
    (await open.pool.query('select from pg_prepared_statements where statement = $1', [text])).rowCount
  for (const mark of ['', unpreparedMark])
    expect((await open.pool.query(find(mark), ['staff%'])).rows).toEqual([{ slug: 'staffer' }])
  expect([await prepared(find('')), await prepared(find(unpreparedMark))]).toEqual([1, 0])
})

test('PREPARED_STATEMENTS=off prepares nothing, and rows, pipelines, and deferred statements stay the same', async () => {
  const plain = openDatabase({ ...database.connection, max: 1, preparedStatements: false })
  onTestFinished(() => plain.close())
  const rows = (on: OpenDatabase) => on.db.selectFrom('products').selectAll().orderBy('id').execute()
  const pipelined = (on: OpenDatabase) =>
    queryPipelined(on.pool, ['select $1::int as one', [1]], ['select id from products where id = $1', [2]])
  expect([await rows(plain), await rows(plain)]).toEqual([await rows(open), await rows(open)])
  expect(await pipelined(plain)).toEqual(await pipelined(open))
  await plain.db.transaction().execute(async (trx) => {
    await executeDeferred(trx, "select set_config('app.test', $1, true)", ['kept'])
    const { rows: found } = await sql`select current_setting('app.test') as value`.execute(trx)
    expect(found).toEqual([{ value: 'kept' }])
  })
  const prepared = async ({ pool }: OpenDatabase) =>
    (await pool.query('select name from pg_prepared_statements')).rows.length
  expect(await prepared(plain)).toBe(0)
  expect(await prepared(open)).toBeGreaterThan(0)
})

test('a migration under a running process costs one answer, not the connection', async () => {
  const read = () => open.pool.query('select * from later where id = $1', [1])
  await open.pool.query('create table later (id integer)')
  await read()
  await open.pool.query('alter table later add column name text')
  await expect(read()).rejects.toThrow('cached plan must not change result type')
  expect((await read()).fields.map(({ name }) => name)).toEqual(['id', 'name'])
})

/** Returns the strings that the connection writes to its socket during `work`, one per write. */
async function written(work: () => Promise<unknown>): Promise<string[]> {
  const client = await open.pool.connect()
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  client.release()
  const single = vi.spyOn(stream, '_write')
  const several = vi.spyOn(stream, '_writev')
  await work()
  const texts = [
    ...single.mock.calls.map(([chunk], call) => ({
      at: single.mock.invocationCallOrder[call]!,
      text: String(chunk),
    })),
    ...several.mock.calls.map(([chunks], call) => ({
      at: several.mock.invocationCallOrder[call]!,
      text: (chunks as unknown as Buffer[]).map(String).join(''),
    })),
  ]
  vi.restoreAllMocks()
  return texts.toSorted((one, other) => one.at - other.at).map(({ text }) => text)
}

const addTag = 'insert into lead_tags (name) values ($1)'

/** Protocol message that requests the columns of a result. */
const describePortal = `D${String.fromCharCode(0, 0, 0, 6)}P${String.fromCharCode(0)}`

test("a statement's columns are requested once, and its rows are the same each time", async () => {
  const read = (id: number) =>
    open.pool.query(
      'select id, null::text as "an ""odd"" name", 1 as "__proto__", array[id] as ids, 1 as twice, 2 as twice from roles where id >= $1 order by id limit 2',
      [id],
    )
  const [first, second] = [await written(() => read(0)), await written(() => read(0))]
  expect([first, second].map((writes) => writes.map((text) => text.includes(describePortal)))).toEqual([
    [true],
    [false],
  ])
  const row = (id: number) => [
    ['id', id],
    ['an "odd" name', null],
    ['__proto__', 1],
    ['ids', [id]],
    ['twice', 2],
  ]
  for (const result of [await read(0), await read(0)]) {
    expect(result.rows.map((one: object) => Object.entries(one))).toEqual([row(0), row(1)])
    expect(result.fields.map(({ name }) => name)).toEqual([
      'id',
      'an "odd" name',
      '__proto__',
      'ids',
      'twice',
      'twice',
    ])
  }
  expect((await read(13)).rows).toHaveLength(1)
})

test('pipelined statements are one write, and fail with the error of the first that fails', async () => {
  const roles = (id: number) => ['select name from roles where id = $1', [id]] as const
  const writes = await written(async () => {
    expect(await queryPipelined(open.pool, roles(0), ['select $1::int as one', [1]])).toEqual([
      [{ name: 'Super Admin' }],
      [{ one: 1 }],
    ])
  })
  expect(writes).toEqual([expect.stringMatching(/name from roles.*as one/s)])
  const failing = (column: string) => [`select ${column} from roles where id = $1`, [0]] as const
  await expect(queryPipelined(open.pool, roles(0), failing('nothing'), failing('neither'))).rejects.toThrow(
    'column "nothing" does not exist',
  )
  expect(await queryPipelined(open.pool, roles(1))).toEqual([[{ name: 'Admin' }]])
})

test('begin is sent with the first statement, and a deferred statement with the next, at the latest with the commit', async () => {
  const writes = await written(() =>
    open.db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx)
      await executeDeferred(trx, addTag, ['Ahead'])
      expect((await sql`select name from lead_tags where name = 'Ahead'`.execute(trx)).rows).toEqual([
        { name: 'Ahead' },
      ])
      await executeDeferred(trx, addTag, ['With the commit'])
    }),
  )
  expect(writes).toEqual([
    expect.stringMatching(/begin.*select 1/s),
    expect.stringMatching(/insert into lead_tags.*select name/s),
    expect.stringMatching(/With the commit.*commit/s),
  ])
  expect(
    (await sql`select from lead_tags where name in ('Ahead', 'With the commit')`.execute(open.db)).rows,
  ).toHaveLength(2)
})

test.each(['the next statement', 'the commit'])(
  'a deferred statement that fails makes %s fail with its error, and nothing is stored',
  async (what) => {
    const failing = open.db.transaction().execute(async (trx) => {
      await executeDeferred(trx, addTag, ['Never'])
      await executeDeferred(trx, addTag, ['Never'])
      if (what === 'the next statement') await sql`select 1`.execute(trx)
    })
    await expect(failing).rejects.toMatchObject({ code: '23505', constraint: 'lead_tags_name_key' })
    await expect(
      open.db.transaction().execute(async () => {
        throw new Error('before any statement')
      }),
    ).rejects.toThrow('before any statement')
    expect((await sql`select from lead_tags where name = 'Never'`.execute(open.db)).rows).toHaveLength(0)
  },
)

test('a deferred statement is dropped on a rollback, and the error stays the original one', async () => {
  const failing = open.db.transaction().execute(async (trx) => {
    await executeDeferred(trx, addTag, ['Twice'])
    await executeDeferred(trx, addTag, ['Twice'])
    throw new Error('of the caller')
  })
  await expect(failing).rejects.toThrow('of the caller')
  expect((await sql`select from lead_tags where name = 'Twice'`.execute(open.db)).rows).toHaveLength(0)
})

test('a statement times out after five seconds, a lock after two', async () => {
  const { rows } = await open.pool.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name in ('statement_timeout', 'lock_timeout', 'TimeZone') order by name",
  )
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    statement_timeout: '5000',
    lock_timeout: '2000',
    TimeZone: 'UTC',
  })
})

test('a connection closed by the server is replaced, idle or not', async () => {
  const errors: string[] = []
  const other = openDatabase({ ...database.connection, max: 1 }, (error) =>
    errors.push(error.message, ...Object.keys(error).filter((key) => key === 'client')),
  )
  const { pid } = (await other.pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0] ?? {
    pid: 0,
  }
  await open.pool.query('select pg_terminate_backend($1)', [pid])
  await expect.poll(() => errors).toEqual(['terminating connection due to administrator command'])
  expect((await other.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await expect(other.pool.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow()
  expect((await other.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await other.close()
})

test('beyond five hundred texts, statements are sent unnamed', () => {
  for (let number = 0; number < 600; number += 1)
    expect(statementName(`select ${number} ${unpreparedMark}`)).toBeUndefined()
  const names = Array.from({ length: 600 }, (_, number) => statementName(`select ${number}`))
  expect(names[0]).toMatch(/^[\w-]{20}\.\d+$/)
  expect(names[599]).toBeUndefined()
})
