import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Db, type OpenDatabase, openDatabase } from '#server/db/db.ts'
import { createTestDatabase, type TestDatabase } from '#server/db/testing.ts'

/* Rules that the database itself enforces, regardless of the code above it. */

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

const superAdmin = (db: Db) => db.updateTable('staff').where('user_name', '=', 'super_admin')
const refusal = 'The last Super Admin cannot be demoted, banned or deleted.'

test('the last Super Admin cannot be demoted, banned, or deleted', async () => {
  await expect(superAdmin(open.db).set({ role_id: 1 }).execute()).rejects.toThrow(refusal)
  await expect(superAdmin(open.db).set({ banned_at: new Date().toISOString() }).execute()).rejects.toThrow(
    refusal,
  )
  await expect(open.db.deleteFrom('staff').where('role_id', '=', 0).execute()).rejects.toThrow(refusal)
})

test('all Super Admins cannot be demoted in one statement', async () => {
  await open.db.updateTable('staff').set({ role_id: 0 }).where('user_name', '=', 'admin').execute()
  await expect(
    open.db.updateTable('staff').set({ role_id: 1 }).where('role_id', '=', 0).execute(),
  ).rejects.toThrow(refusal)
})

test('a Super Admin can be demoted while there is another one', async () => {
  await open.db.updateTable('staff').set({ role_id: 0 }).where('user_name', '=', 'admin').execute()
  await superAdmin(open.db).set({ role_id: 1 }).execute()
  await expect(
    open.db.updateTable('staff').set({ role_id: 1 }).where('user_name', '=', 'admin').execute(),
  ).rejects.toThrow(refusal)
})

test('two Super Admins who demote each other at the same time leave one', async () => {
  await open.db.updateTable('staff').set({ role_id: 0 }).where('user_name', '=', 'admin').execute()
  const demote = (name: string) =>
    open.db.updateTable('staff').set({ role_id: 1 }).where('user_name', '=', name).execute()
  const results = await Promise.allSettled([demote('super_admin'), demote('admin')])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a Super Admin can change their name', async () => {
  await superAdmin(open.db).set({ first_name: 'Inga' }).execute()
})

test('Super Admin keeps every permission, other roles can lose them', async () => {
  const revoke = (role: number) =>
    open.db
      .deleteFrom('role_permissions')
      .where('role_id', '=', role)
      .where('permission', '=', 'lead_list')
      .execute()
  await expect(revoke(0)).rejects.toThrow('Super Admin keeps every permission.')
  await revoke(1)
})

test('audit log rows cannot be changed, deleted, or truncated', async () => {
  await open.db
    .insertInto('audit_log')
    .values({ endpoint: 'POST /admin/users/save-demo-requests', address: '127.0.0.1', request_id: 'r1' })
    .execute()
  await expect(open.db.updateTable('audit_log').set({ endpoint: 'GET /' }).execute()).rejects.toThrow(
    'audit_log is append-only',
  )
  await expect(open.db.deleteFrom('audit_log').execute()).rejects.toThrow('audit_log is append-only')
  await expect(open.pool.query('truncate audit_log')).rejects.toThrow('audit_log is append-only')
  expect(await open.db.selectFrom('audit_log').select('endpoint').execute()).toHaveLength(1)
})
