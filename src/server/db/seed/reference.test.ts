import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultGrants, permissions, roleIds } from '#shared/access.ts'
import { type OpenDatabase, openDatabase } from '#server/db/db.ts'
import { seedReference } from '#server/db/seed/reference.ts'
import { products } from '#server/db/seed/words.ts'
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

const seedAgain = (product1Name = 'Linen') => seedReference(open.db, { product1Name })

async function grantsOf(role: number): Promise<string[]> {
  const rows = await open.db
    .selectFrom('role_permissions')
    .select('permission')
    .where('role_id', '=', role)
    .execute()
  return rows.map(({ permission }) => permission).toSorted()
}

const lists = [
  'roles',
  'permissions',
  'role_permissions',
  'products',
  'teams',
  'task_types',
  'lead_statuses',
  'lead_colors',
  'lead_reject_reasons',
  'lead_services',
  'lead_sources',
  'lead_cog_types',
  'lead_tags',
] as const

/** Returns all rows as sorted strings. */
async function everything(): Promise<Record<string, string[]>> {
  const entries = lists.map(
    async (list) =>
      [
        list,
        (await open.db.selectFrom(list).selectAll().execute()).map((row) => JSON.stringify(row)).toSorted(),
      ] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

test.each(roleIds)('role %i starts with its default grants', async (role) => {
  expect(await grantsOf(role)).toEqual([...defaultGrants[role]].toSorted())
})

test('a second run changes nothing', async () => {
  const before = await everything()
  await seedAgain()
  expect(await everything()).toEqual(before)
})

test('a revoked grant stays revoked, even the last one of a role', async () => {
  await open.db.deleteFrom('role_permissions').where('role_id', '=', 13).execute()
  await open.db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 2)
    .where('permission', '=', 'lead_reject')
    .execute()
  await seedAgain()
  expect(await grantsOf(13)).toEqual([])
  expect(await grantsOf(2)).toEqual(defaultGrants[2].filter((name) => name !== 'lead_reject').toSorted())
})

test('an added grant stays', async () => {
  await open.db.insertInto('role_permissions').values({ role_id: 13, permission: 'lead_list' }).execute()
  await seedAgain()
  expect(await grantsOf(13)).toContain('lead_list')
})

test('a permission that is new in the code is granted by default', async () => {
  await open.db.deleteFrom('permissions').where('name', '=', 'lead_reject').execute()
  expect(await grantsOf(2)).not.toContain('lead_reject')
  await seedAgain()
  expect(await grantsOf(2)).toContain('lead_reject')
  expect(await grantsOf(0)).toContain('lead_reject')
  expect(await grantsOf(13)).not.toContain('lead_reject')
})

test('a permission removed from the code disappears with its grants', async () => {
  await open.db.insertInto('permissions').values({ name: 'fax_view', position: 1 }).execute()
  await open.db
    .insertInto('role_permissions')
    .values([0, 2].map((role_id) => ({ role_id, permission: 'fax_view' })))
    .execute()
  await seedAgain()
  expect(await grantsOf(0)).toEqual([...permissions].toSorted())
  expect(await grantsOf(2)).not.toContain('fax_view')
})

test('the first product has the name from the settings, the others the names users gave them', async () => {
  await open.db.updateTable('products').set({ name: 'Staff planner' }).where('id', '=', 2).execute()
  await seedAgain('Washroom')
  const names = await open.db.selectFrom('products').select('name').orderBy('id').execute()
  expect(names.map(({ name }) => name)).toEqual([
    'Washroom',
    'Staff planner',
    products[2]?.name,
    products[3]?.name,
  ])
})

test("a first product's name that a user edited stays, whatever the settings say", async () => {
  await seedAgain('Washroom')
  await open.db.updateTable('products').set({ name: 'Laundry' }).where('id', '=', 1).execute()
  for (const name of ['Washroom', 'Linen', 'Towels']) {
    await seedAgain(name)
    expect(
      await open.db.selectFrom('products').select('name').where('id', '=', 1).executeTakeFirst(),
    ).toEqual({ name: 'Laundry' })
  }
})

test('an option that a user deleted or renamed is not seeded again', async () => {
  await open.db.deleteFrom('lead_tags').where('name', '=', 'Spa').execute()
  await open.db.updateTable('lead_sources').set({ name: 'Fair' }).where('name', '=', 'Trade show').execute()
  const before = await everything()
  await seedAgain()
  expect(await everything()).toEqual(before)
})
