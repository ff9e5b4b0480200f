import { afterEach, beforeEach, expect, test } from 'vitest'
import { roleIds } from '#shared/access.ts'
import { type OpenDatabase, openDatabase } from '#server/db/db.ts'
import { cast, seedCast, seedFirstAdmin } from '#server/db/seed/cast.ts'
import { createTestDatabase, type TestDatabase } from '#server/db/testing.ts'

let database: TestDatabase
let open: OpenDatabase

beforeEach(async () => {
  database = await createTestDatabase()
  open = openDatabase(database.connection)
})
afterEach(async () => {
  await open.close()
  await database.drop()
})

const countOf = async (table: 'staff' | 'staff_products' | 'team_members') =>
  (
    await open.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count

test('the cast has one user per role, with all products and a team', async () => {
  expect(cast.map(({ role_id }) => role_id)).toEqual(roleIds)
  expect(await countOf('staff')).toBe(14)
  expect(await countOf('staff_products')).toBe(14 * 4)
  expect(await countOf('team_members')).toBe(14)
})

test('existing users of the cast stay as they are, missing ones are created again', async () => {
  await open.db.updateTable('staff').set({ first_name: 'Renamed' }).where('user_name', '=', 'crm').execute()
  await open.db.deleteFrom('staff').where('user_name', '=', 'qa').execute()
  await seedCast(open.db, 'another hash')
  const people = await open.db
    .selectFrom('staff')
    .select(['user_name', 'first_name', 'password_hash'])
    .where('user_name', 'in', ['crm', 'qa'])
    .orderBy('user_name')
    .execute()
  expect(people).toMatchObject([
    { first_name: 'Renamed', password_hash: expect.stringContaining('argon2id') },
    { user_name: 'qa', password_hash: 'another hash' },
  ])
  expect(await countOf('staff_products')).toBe(14 * 4)
})

test('the first Super Admin is created only if there are no admin users', async () => {
  expect(await seedFirstAdmin(open.db, 'hash')).toBe(false)
  expect(await countOf('staff')).toBe(14)
})

test('two processes started together create one first Super Admin', async () => {
  // The trigger protects the last Super Admin while the panel is in use, but this test needs an empty table.
  await open.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('staff').where('role_id', '<>', 0).execute()
  })
  await open.pool.query('alter table staff disable trigger keep_a_super_admin')
  await open.db.deleteFrom('staff').execute()
  await open.pool.query('alter table staff enable trigger keep_a_super_admin')
  expect(
    (await Promise.all([seedFirstAdmin(open.db, 'one'), seedFirstAdmin(open.db, 'two')])).toSorted(),
  ).toEqual([false, true])
  expect(await open.db.selectFrom('staff').select(['user_name', 'role_id', 'slug']).execute()).toEqual([
    { user_name: 'super_admin', role_id: 0, slug: 'super-admin' },
  ])
})
