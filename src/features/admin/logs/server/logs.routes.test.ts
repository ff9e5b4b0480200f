import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { client, startTestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterMany } from '#server/db/enter-many.testing.ts'

test.each([
  ['/admin/users/log?page=1', 'login_logs_view'],
  ['/admin/users/admin-log', 'admin_users_log_list'],
  ['/admin/users/admin-log/export', 'admin_users_log_list'],
  ['/admin/users/admin-log/1', 'admin_users_log_list'],
] as const)('%s needs %s', async (path, needs) => {
  const { as, db } = await startTestApp()
  await sql`insert into audit_log (endpoint, address, request_id) values ('POST /one', '', '')`.execute(db)
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
  await enterMany(
    db,
    sql`insert into audit_log (endpoint, address, request_id)
      select 'POST /many', '', '' from generate_series(1, 100001)`,
  )
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
    { who: 'Daniel Aguirre', name, changes: [{ field: 'state', label: 'State', before: '', after: 'Ohio' }] },
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

test('the audit log is searched by value, by record, and by person', async () => {
  const { as, db } = await startTestApp()
  const id = await enterOrganization(db, { name: 'Solmere Spa' })
  const other = await enterOrganization(db, { name: 'Halvoren Hospital' })
  await as('csm').post(`/admin/organization/${id}/update`, { state: 'Örebro' })
  await as('admin').post(`/admin/organization/${other}/update`, { state: 'Ohio' })
  const found = async (search: string) =>
    (await as('admin').get(`/admin/users/admin-log?search=${encodeURIComponent(search)}`))['data'].map(
      ({ record }: { record: number }) => record,
    )
  expect(await found('orebro')).toEqual([id])
  expect(await found('solmere')).toEqual([id])
  expect(await found('Aguirre solmere')).toEqual([id])
  expect(await found('ohio solmere')).toEqual([])
  const { text } = await as('admin').get('/admin/users/admin-log/export?search=solmere')
  expect([text.includes('rebro'), text.includes('Ohio')]).toEqual([true, false])
})

test('a request that changes many records is one row, and its records can be listed one by one', async () => {
  const { as, db } = await startTestApp()
  const ids = [await enterOrganization(db), await enterOrganization(db), await enterOrganization(db)]
  await as('super_admin').post('/admin/records/organization/trash', { ids })
  const log = async (query: string) => as('admin').get(`/admin/users/admin-log?${query}`)
  const { data, total } = await log('area=organization')
  expect([total, data.map(({ changed }: { changed: number }) => changed)]).toEqual([1, [3]])
  const each = await log(`request=${data[0].request_id}`)
  expect(each['data'].map(({ record }: { record: number }) => record).toSorted()).toEqual(ids)
  expect((await log(`record=${ids[1]}`))['data']).toMatchObject([{ record: ids[1], changed: 1 }])
  expect((await log('action=sent'))['total']).toBe(0)
  expect((await log('action=removed'))['total']).toBe(1)
})

test('an entry has the operation that can be undone, and says that its record is in the trash', async () => {
  const { as, db } = await startTestApp()
  const id = await enterOrganization(db, { name: 'Solmere Spa' })
  await as('csm').post(`/admin/organization/${id}/update`, { state: 'Ohio' })
  const [row] = (await as('admin').get('/admin/users/admin-log?area=organization'))['data']
  const entry = (role: Parameters<typeof as>[0]) => as(role).get(`/admin/users/admin-log/${row.id}`)
  const { data } = await entry('admin')
  expect(data).toMatchObject({ name: 'Solmere Spa', in_trash: false, operation: { way: 'undo' } })
  expect((await as('admin').post(`/admin/operations/${data.operation.id}/undo`)).status).toBe(200)
  expect((await entry('admin'))['data'].operation).toMatchObject({ way: 'redo' })
  await as('super_admin').post('/admin/records/organization/trash', { ids: [id] })
  expect((await entry('admin'))['data']).toMatchObject({ name: null, in_trash: true })
  expect((await as('admin').get('/admin/users/admin-log/999999')).status).toBe(404)
  const foreign = await enterOrganization(db, {}, [4])
  await as('csm').post(`/admin/organization/${foreign}/update`, { state: 'Ohio' })
  const [{ id: hidden }] = (await as('admin').get(`/admin/users/admin-log?record=${foreign}`))['data']
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 4)
    .execute()
  expect((await as('admin').get(`/admin/users/admin-log/${hidden}`)).status).toBe(404)
})

test('an entry names people and options instead of their IDs, and products only if the reader has them', async () => {
  const { as, db } = await startTestApp()
  const changes = { assign_to: [null, as('crm').id], product_id: [null, 4], status: [1, 7] }
  await sql`insert into audit_log (endpoint, address, request_id, target_type, target_id, act, changes) values
    ('PUT /lead', '', '', 'lead', 1, 'Edited', ${JSON.stringify(changes)}::jsonb),
    ('PUT /role', '', '', 'role', 1, 'Edited', ${JSON.stringify(changes)}::jsonb)`.execute(db)
  interface Words {
    field: string
    before_words: string | null
    after_words: string | null
  }
  const wordsOf = async (area: string, field: string) => {
    const [row] = (await as('admin').get(`/admin/users/admin-log?area=${area}`))['data']
    const found = (row.changes as Words[]).find((change) => change.field === field)!
    return [found.before_words, found.after_words]
  }
  expect(await wordsOf('lead', 'status')).toEqual(['New', 'Won'])
  expect(await wordsOf('lead', 'assign_to')).toEqual([null, 'Paula Ferreira'])
  expect(await wordsOf('role', 'product_id')).toEqual([null, 'lineniq'])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 4)
    .execute()
  expect(await wordsOf('role', 'product_id')).toEqual([null, '#4'])
})
