import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'

test('a shared view is shown to users who can open its list, because it has search words', async () => {
  const { as } = await startTestApp()
  const address = { search: 'Aalto Linen' }
  const save = (list: string) =>
    as('crm').post('/admin/views', { list, path: '/demo-leads', name: 'Aalto', shared: true, address })
  expect(await save('leads')).toMatchObject({ status: 200 })
  expect(await save('a list that does not exist')).toMatchObject({
    status: 422,
    errors: { list: ['This list doesn’t exist.'] },
  })
  const listsOf = async (who: string | 6) =>
    (await as(who).get('/admin/views'))['data'].map(({ list }: { list: string }) => list)
  expect(await listsOf('crm')).toEqual(['leads'])
  expect(await listsOf(6)).toEqual(['leads'])
  expect(await listsOf('editor')).toEqual([])
})

test("a shared view of a record type's list is shown to the roles that can read its records", async () => {
  const { as } = await startTestApp()
  const needs = { contracts: 'contract_list', event: 'event' } as const
  for (const list of Object.keys(needs))
    await as('admin').post('/admin/views', { list, path: `/${list}`, name: list, shared: true, address: {} })
  for (const role of roleIds) {
    const { data } = await as(role).get('/admin/views')
    const allowed = Object.entries(needs).filter(([, key]) => defaultGrants[role].includes(key))
    expect([role, data.map(({ list }: { list: string }) => list)]).toEqual([
      role,
      allowed.map(([list]) => list),
    ])
  }
})

test('a user saves up to 50 views per list, and their shared views never hide those of others', async () => {
  const { as, db } = await startTestApp()
  const save = (name: string) =>
    as('editor').post('/admin/views', {
      list: 'contracts',
      path: '/contracts',
      name,
      shared: true,
      address: {},
    })
  const viewsOf = async () =>
    (await as('admin').get('/admin/views?list=contracts'))['data'] as { name: string }[]
  const view = { list: 'contracts', path: '/contracts', shared: true, address: '{}' }
  const staff_id = as('editor').id
  await db
    .insertInto('saved_views')
    .values(Array.from({ length: 49 }, (_, at) => ({ ...view, staff_id, name: `A ${at}` })))
    .execute()
  expect(await save('A 49')).toMatchObject({ status: 200 })
  expect(await save('A 50')).toMatchObject({ status: 422, errors: { name: [expect.stringContaining('50')] } })
  await db
    .insertInto('saved_views')
    .values(Array.from({ length: 451 }, (_, at) => ({ ...view, staff_id, name: `Earlier ${at}` })))
    .execute()
  await as('admin').post('/admin/views', { list: 'contracts', path: '/contracts', name: 'Z', address: {} })
  expect((await viewsOf()).at(-1)).toMatchObject({ name: 'Z' })
})

async function saveHot(app: Awaited<ReturnType<typeof startTestApp>>, more: object = {}) {
  const view = {
    list: 'leads',
    path: '/demo-leads',
    name: 'Hot',
    shared: true,
    address: { status: 1 },
    ...more,
  }
  const { id } = await app.as('crm').post('/admin/views', view)
  return id as number
}
const update = (body: object) => ({ _method: 'PUT', version: 1, ...body })

test('the owner renames, updates, and unshares a view, and others see who changed it', async () => {
  const app = await startTestApp()
  const { as } = app
  const path = `/admin/views/${await saveHot(app)}`
  const seen = async (who: string) =>
    (await as(who).get('/admin/views?list=leads'))['data'].find(({ id }: { id: number }) =>
      path.endsWith(`/${id}`),
    )
  expect(await seen('admin')).toMatchObject({ version: 1, changed_by: null, own: false, may_change: true })
  expect(await seen('digital_marketing')).toMatchObject({ may_change: false })
  const change = { address: { status: 2 }, hidden_columns: ['email'], shown_columns: [] }
  expect(await as('crm').post(path, update({ name: 'Hot leads', ...change }))).toMatchObject({ status: 200 })
  expect(await seen('digital_marketing')).toMatchObject({
    name: 'Hot leads',
    version: 2,
    changed_by: { id: as('crm').id },
    ...change,
  })
  await as('digital_marketing').post(`${path}/default`, { is_default: true })
  expect(await seen('digital_marketing')).toMatchObject({ is_default: true })
  expect(await seen('crm')).toMatchObject({ is_default: false })
  await as('crm').post(path, update({ version: 2, shared: false }))
  expect(await seen('digital_marketing')).toBeUndefined()
  // Shared again, it isn't the default of those who had lost it.
  await as('crm').post(path, update({ version: 3, shared: true }))
  expect(await seen('digital_marketing')).toMatchObject({ is_default: false })
})

test('a view is changed and deleted by its owner, and a shared one by roles 0 and 1', async () => {
  const app = await startTestApp()
  const { as } = app
  const shared = `/admin/views/${await saveHot(app)}`
  const own = `/admin/views/${await saveHot(app, { name: 'Own', shared: false })}`
  for (const body of [update({ name: 'Warm' }), { _method: 'DELETE' }]) {
    expect(await as('digital_marketing').post(shared, body)).toMatchObject({ status: 403 })
    // Someone else's view that isn't shared doesn't exist for anyone else.
    for (const who of ['digital_marketing', 'admin', 'super_admin'])
      expect(await as(who).post(own, body)).toMatchObject({ status: 404 })
    // Without access to the list, a shared view can't be changed either.
    expect(await as('editor').post(shared, body)).toMatchObject({ status: 403 })
  }
  expect(await as('editor').post(`${shared}/default`, { is_default: true })).toMatchObject({ status: 403 })
  expect(await as('admin').post(`${own}/default`, { is_default: true })).toMatchObject({ status: 404 })
  const leads = { list: 'leads', path: '/demo-leads', name: 'Mine', address: {} }
  expect(await as('editor').post('/admin/views', leads)).toMatchObject({ status: 403 })
  expect(await as('admin').post(shared, update({ name: 'Warm' }))).toMatchObject({ status: 200 })
  expect(await as('admin').post(shared, { _method: 'DELETE' })).toMatchObject({ status: 200 })
  expect(await as('crm').post(own, { _method: 'DELETE' })).toMatchObject({ status: 200 })
})

test('a change based on an earlier version, and a name that is in use, change nothing', async () => {
  const app = await startTestApp()
  const { as } = app
  const path = `/admin/views/${await saveHot(app)}`
  await saveHot(app, { name: 'Cold' })
  await as('admin').post(path, update({ address: { status: 3 } }))
  const stale = await as('crm').post(path, update({ address: { status: 4 } }))
  expect(stale).toMatchObject({
    status: 409,
    message: expect.stringContaining('Someone else changed this view'),
  })
  for (const refused of [
    await as('crm').post(path, update({ version: 2, name: 'Cold' })),
    await as('crm').post('/admin/views', { list: 'leads', path: '/demo-leads', name: 'Cold', address: {} }),
  ])
    expect(refused).toMatchObject({
      status: 422,
      errors: { name: [expect.stringContaining('name already')] },
    })
  const { data } = await as('crm').get('/admin/views?list=leads')
  expect(data).toMatchObject([{ name: 'Cold' }, { name: 'Hot', address: { status: 3 }, version: 2 }])
})
