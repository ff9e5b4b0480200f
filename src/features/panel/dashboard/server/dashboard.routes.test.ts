import { expect, test } from 'vitest'
import { roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'

const lead = { lead_for: 1, status: 1, lead_date: '2026-03-02' }

test('only roles 0 and 1 see the recent changes', async () => {
  const { as } = await startTestApp()
  for (const role of roleIds)
    expect([role, (await as(role).get('/admin/dashboard')).status]).toEqual([
      role,
      role === 0 || role === 1 ? 200 : 403,
    ])
})

test('the dashboard needs a session', async () => {
  const { as } = await startTestApp()
  expect(await as(undefined).get('/admin/dashboard')).toMatchObject({ status: 401 })
})

test('roles 0 and 1 see recent changes with the user and the lead', async () => {
  const { as, db } = await startTestApp()
  const { lead_id } = await db
    .insertInto('leads')
    .values({ ...lead, company_name: 'Aalto Linen' })
    .returning('lead_id')
    .executeTakeFirstOrThrow()
  await as('crm').get(`/admin/users/change-lead-status?id=${lead_id}&status=2`)
  await as('admin').post('/admin/roles/change-permissions', { role_id: 9, grant: ['lead_list'] })
  const lastOf = async (user: 'super_admin' | 'admin') =>
    (await as(user).get('/admin/dashboard'))['audit'].slice(0, 2)
  const [change, status] = await lastOf('super_admin')
  expect(change).toMatchObject({
    who: 'Martin Keller',
    act: 'Changed permissions',
    target: 'role 9',
    record: null,
  })
  expect(status).toMatchObject({
    who: 'Paula Ferreira',
    act: 'Changed status',
    target: 'Aalto Linen',
    record: { type: 'lead', id: lead_id },
  })

  // A viewer who lacks permission for leads does not see its name.
  await as('super_admin').post('/admin/roles/change-permissions', { role_id: 1, revoke: ['lead_detail'] })
  expect((await lastOf('admin'))[1]).toMatchObject({ target: 'role 9' })
  const [, , withoutName] = (await as('admin').get('/admin/dashboard'))['audit']
  expect(withoutName).toMatchObject({ target: `lead ${lead_id}`, record: null })
})

test('changes of other products are left out, as in the audit log', async () => {
  const { as, db } = await startTestApp()
  const [own, foreign] = await db
    .insertInto('leads')
    .values([
      { ...lead, company_name: 'Aalto Linen' },
      { ...lead, company_name: 'Tamsel', lead_for: 2 },
    ])
    .returning('lead_id')
    .execute()
  for (const { lead_id } of [own!, foreign!])
    await as('crm').get(`/admin/users/change-lead-status?id=${lead_id}&status=2`)
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 2)
    .execute()
  const targets = async (who: string) =>
    ((await as(who).get('/admin/dashboard'))['audit'] as { target: string }[]).map(({ target }) => target)
  expect(await targets('super_admin')).toEqual(['Tamsel', 'Aalto Linen'])
  expect(await targets('admin')).toEqual(['Aalto Linen'])
})

test('a record of any type is shown by name to users with access, while it is not in the trash', async () => {
  const { as, db } = await startTestApp()
  const { id } = (await as('admin').post('/common/quick-task', { title: 'Call the linen hire' }))['data']
  const last = async (user: 'super_admin' | 'admin') => (await as(user).get('/admin/dashboard'))['audit'][0]
  expect(await last('admin')).toMatchObject({
    target: 'Call the linen hire',
    record: { type: 'quick_task', id },
  })
  await db
    .updateTable('quick_tasks')
    .set({ deleted_at: '2026-03-16T09:00:00Z', deleted_by: 1 })
    .where('id', '=', id)
    .execute()
  expect(await last('admin')).toMatchObject({ target: `quick_task ${id}`, record: null })
})

test('everyone arranges their own cards, and those who didn’t have none hidden or moved', async () => {
  const { as } = await startTestApp()
  const path = '/admin/dashboard/cards'
  const untouched = { status: 200, data: { hidden: [], order: [] } }
  for (const role of roleIds) expect(await as(role).get(path)).toMatchObject(untouched)
  const mine = { hidden: ['won'], order: ['open-tickets', 'new-leads'] }
  expect(await as('crm').send('PUT', path, mine)).toMatchObject({ status: 200, message: 'Dashboard saved.' })
  expect((await as('crm').get(path))['data']).toEqual(mine)
  expect(await as('support').get(path)).toMatchObject(untouched)
  // Each dashboard is arranged on its own.
  expect(await as('crm').get(`${path}?dashboard=crm`)).toMatchObject(untouched)
  await as('crm').send('PUT', path, { dashboard: 'crm', hidden: ['my-day'], order: [] })
  expect((await as('crm').get(`${path}?dashboard=crm`))['data']).toEqual({ hidden: ['my-day'], order: [] })
  await as('crm').send('PUT', path, { hidden: [], order: [] })
  expect(await as('crm').get(path)).toMatchObject(untouched)
  expect(await as('crm').get(`${path}?dashboard=other`)).toMatchObject({ status: 422 })
})

test.each([
  [{ hidden: ['A card'], order: [] }, 'hidden.0'],
  [{ hidden: Array.from({ length: 101 }, (_, index) => `card-${index}`), order: [] }, 'hidden'],
  [{ hidden: [] }, 'order'],
])('an arrangement with another shape is refused', async (body, field) => {
  const { as } = await startTestApp()
  const refused = await as('crm').send('PUT', '/admin/dashboard/cards', body)
  expect([refused.status, Object.keys(refused['errors'])]).toEqual([422, [field]])
})
