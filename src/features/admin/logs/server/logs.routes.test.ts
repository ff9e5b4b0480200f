import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { client, startTestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'

test.each([
  ['/admin/users/log?page=1', 'login_logs_view'],
  ['/admin/users/admin-log', 'admin_users_log_list'],
  ['/admin/users/admin-log/export', 'admin_users_log_list'],
] as const)('%s needs %s', async (path, needs) => {
  const { as } = await startTestApp()
  for (const role of [...roleIds, undefined])
    expect([role, (await as(role).get(path)).status]).toEqual([
      role,
      role === undefined ? 401 : defaultGrants[role].includes(needs) ? 200 : 403,
    ])
})

test("a refused sign-in is in the sign-in log, without the typed name if it is not an account's", async () => {
  const { as, app } = await startTestApp()
  await client(app, '').post('/auth/login', { username: 'crm', password: 'wrong-password' })
  await client(app, '').post('/auth/login', { username: 'my-secret', password: 'wrong-password' })
  const { data } = await as('admin').get('/admin/users/log?outcome=refused')
  expect(data.map(({ who, user_name }: { who: string; user_name: string }) => [who, user_name])).toEqual([
    [null, null],
    ['Paula Ferreira', 'crm'],
  ])
})

test('the export has every matching row, however many there are', async () => {
  const { as, db } = await startTestApp()
  await sql`insert into audit_log (endpoint, address, request_id)
    select 'POST /many', '', '' from generate_series(1, 100001)`.execute(db)
  const { text } = await as('admin').get('/admin/users/admin-log/export')
  expect(text.split('POST /many').length - 1).toBe(100_001)
})

test('the audit log shows who changed what, by user, area, record, and date, and nothing of other products', async () => {
  const { as, db } = await startTestApp()
  const [mine, foreign] = [await enterOrganization(db), await enterOrganization(db, {}, [4])]
  for (const id of [mine, foreign])
    await as('csm').post(`/admin/organization/${id}/update`, { state: 'Ohio' })
  const log = async (query: string) => (await as('admin').get(`/admin/users/admin-log?${query}`))['data']
  const { name } = await db
    .selectFrom('organizations')
    .select('name')
    .where('organization_id', '=', mine)
    .executeTakeFirstOrThrow()
  expect(await log(`area=organization&record=${mine}`)).toMatchObject([
    { who: 'Daniel Aguirre', name, changes: [{ field: 'state', before: '', after: 'Ohio' }] },
  ])
  expect((await log(`staff_id=${as('csm').id}`)).length).toBe(2)
  expect([await log(`staff_id=${as('crm').id}`), await log('to=2020-01-01')]).toEqual([[], []])
  // The dates come from the database's clock.
  const today = new Date().toISOString().slice(0, 10)
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  expect([
    (await log(`from=${today}&to=${tomorrow}`)).length,
    (await log(`from=${tomorrow}`)).length,
  ]).toEqual([2, 0])
  const exported = async () =>
    (await as('admin').get(`/admin/users/admin-log/export?staff_id=${as('csm').id}`)).text.split('Ohio')
      .length - 1
  expect(await exported()).toBe(2)
  // A viewer who can read the log but not organizations sees only the ID.
  await db.insertInto('role_permissions').values({ role_id: 6, permission: 'admin_users_log_list' }).execute()
  expect((await as(6).get(`/admin/users/admin-log?area=organization&record=${mine}`))['data']).toMatchObject([
    { record: mine, name: null },
  ])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 4)
    .execute()
  expect((await log(`staff_id=${as('csm').id}`)).map(({ record }: { record: number }) => record)).toEqual([
    mine,
  ])
  expect(await exported()).toBe(1)
})
