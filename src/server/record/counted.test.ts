import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openDatabase, type Db, type OpenDatabase } from '#server/db/db.ts'
import { createTestDatabase } from '#server/db/testing.ts'
import { cachedCountRow, findRowsAndCount } from '#server/record/counted.ts'
import { sweep } from '#server/jobs/sweep.ts'

let open: OpenDatabase
let elsewhere: OpenDatabase
beforeEach(async () => {
  const { connection, drop } = await createTestDatabase()
  open = openDatabase(connection)
  elsewhere = openDatabase(connection)
  return async () => {
    await open.close()
    await elsewhere.close()
    await drop()
  }
})

const named = (name: string) =>
  sql<{ total: number }>`select count(*) as total from organizations o where o.name = ${name}`
const count = async (db: Db, name = 'Aalto Linen') =>
  (await cachedCountRow(db, named(name).compile(db))).total
const enter = (db: Db, name = 'Aalto Linen') => db.insertInto('organizations').values({ name }).execute()

test('a count of a table whose writes the database does not mark is never cached', async () => {
  const countTags = async () =>
    (
      await cachedCountRow(
        open.db,
        sql<{ total: number }>`select count(*) as total from lead_tags t where t.name = 'New'`.compile(
          open.db,
        ),
      )
    ).total
  expect(await countTags()).toBe(0)
  await elsewhere.db.insertInto('lead_tags').values({ name: 'New' }).execute()
  expect(await countTags()).toBe(1)
})

test('a count is cached, and counted again after a write by any process', async () => {
  expect(await count(open.db)).toBe(0)
  await enter(elsewhere.db)
  expect(await count(open.db)).toBe(1)
  await sql`delete from organizations`.execute(elsewhere.db)
  expect(await count(open.db)).toBe(0)

  // Control: if the database doesn't mark the write, the old count is returned, so it was cached.
  await sql`alter table organizations disable trigger organizations_written`.execute(open.db)
  await enter(elsewhere.db)
  expect(await count(open.db)).toBe(0)
  expect(await count(open.db, 'Brennan Hotels')).toBe(0)
})

/** Returns a page of organizations, and the number of all. */
async function pageOf(db: Db, name = 'Aalto Linen') {
  const page = sql<{ name: string }>`select o.name from organizations o where o.name = ${name} limit 2`
  const [rows, { total }] = await findRowsAndCount(db, page.compile(db), named(name).compile(db))
  return [rows.length, total]
}

test('a page is never cached, and its count is counted again after a write by any process', async () => {
  expect(await pageOf(open.db)).toEqual([0, 0])
  for (const total of [1, 2, 3]) {
    await enter(elsewhere.db)
    for (const again of [1, 2])
      expect([again, await pageOf(open.db)]).toEqual([again, [Math.min(2, total), total]])
  }
  expect(await pageOf(open.db, 'Brennan Hotels')).toEqual([0, 0])
  // Control: without the mark of a write, the old count is beside the new page.
  await sql`alter table organizations disable trigger organizations_written`.execute(open.db)
  await sql`delete from organizations`.execute(elsewhere.db)
  expect(await pageOf(open.db)).toEqual([0, 3])
  await open.db.transaction().execute(async (trx) => expect(await pageOf(trx)).toEqual([0, 0]))
})

test('a page that fails is an error, and the next one is read', async () => {
  expect(await pageOf(open.db)).toEqual([0, 0])
  const page = sql<{ one: number }>`select 1 / (o.status - o.status) as one from organizations o`.compile(
    open.db,
  )
  await enter(open.db)
  await expect(findRowsAndCount(open.db, page, named('Aalto Linen').compile(open.db))).rejects.toThrow(
    'division',
  )
  expect(await pageOf(open.db)).toEqual([1, 1])
})

test('inside a transaction, counts are neither cached nor read from the cache', async () => {
  expect(await count(open.db)).toBe(0)
  const given = new Error('rolled back')
  await open.db
    .transaction()
    .execute(async (trx) => {
      await enter(trx)
      expect(await count(trx)).toBe(1)
      throw given
    })
    .catch((error: unknown) => expect(error).toBe(given))
  expect(await count(open.db)).toBe(0)
})

test('a count of an unwatched table, or one that uses the time, is never cached', async () => {
  const staff = async () =>
    (
      await cachedCountRow(
        open.db,
        sql<{ total: number }>`select count(*) as total from staff_away`.compile(open.db),
      )
    ).total
  const late = async () =>
    (
      await cachedCountRow(
        open.db,
        sql<{
          total: number
        }>`select count(*) as total from organizations o where o.created_at < now()`.compile(open.db),
      )
    ).total
  expect([await staff(), await late()]).toEqual([0, 0])
  await sql`alter table organizations disable trigger organizations_written`.execute(open.db)
  await enter(elsewhere.db)
  await sql`insert into staff_away (staff_id, day, marked_by) select min(id), '2026-11-20', min(id) from staff`.execute(
    open.db,
  )
  expect([await staff(), await late()]).toEqual([1, 1])
})

test('recorded writes are compacted, and the counts stay right', async () => {
  for (let index = 0; index < 5; index++) await enter(open.db)
  expect(await count(open.db)).toBe(5)
  await sweep(open.pool)
  const { rows } = await sql<{
    notes: number
  }>`select count(*) as notes from table_writes where table_name = 'organizations'`.execute(open.db)
  expect(rows).toEqual([{ notes: 1 }])
  expect(await count(open.db)).toBe(5)
  await enter(open.db)
  expect(await count(open.db)).toBe(6)
})
