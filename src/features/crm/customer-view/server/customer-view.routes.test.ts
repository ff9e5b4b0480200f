import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { mayOpen, roleIds } from '#shared/access.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'

test('the view is for the roles of the guard, and each part needs the key of its area', async () => {
  const { as, db } = await startTestApp()
  const id = await enterOrganization(db)
  await enterUser(db, id, 'Aino', { phone: '+1 555 0100' })
  for (const role of [...roleIds, undefined])
    expect([role, (await as(role).get('/admin/customer-view?q=5550')).status]).toEqual([
      role,
      role === undefined ? 401 : mayOpen(role, '/customer-view') ? 200 : 403,
    ])
  expect((await as('support').get('/admin/customer-view?q=5550'))['data']).toMatchObject([
    { kind: 'user', organization_id: id, name: 'Aino' },
  ])
  expect((await as('adh').get('/admin/customer-view?q=aalto'))['data']).toEqual([
    { kind: 'organization', organization_id: id, name: 'Aalto Linen', detail: '' },
  ])
  const parts = async (role: string) => {
    const { data } = await as(role).get(`/admin/customer-view/${id}`)
    return [data.organization !== null, data.users !== null, data.onboardings !== null]
  }
  expect([await parts('support'), await parts('adh'), await parts('csm')]).toEqual([
    [true, true, false],
    [true, false, false],
    [true, true, true],
  ])
  expect(await as('editor').get(`/admin/customer-view/${id}`)).toMatchObject({ status: 404 })
})

test('open tickets are on the sheet with the support key; settled ones and those of others are not', async () => {
  const { as, db } = await startTestApp()
  const [id, other] = [await enterOrganization(db), await enterOrganization(db, { name: 'Baltic Spa' })]
  const open = await enterTicket(db, { organization_id: id, title: 'Still open' })
  const closed = await enterTicket(db, { organization_id: id, title: 'Closed long ago' })
  await db.updateTable('tickets').set({ status: 5 }).where('id', '=', closed.id).execute()
  await enterTicket(db, { organization_id: other, title: "Another user's" })
  expect((await as('support').get(`/admin/customer-view/${id}`))['data'].tickets).toMatchObject([
    { id: open.id, title: 'Still open' },
  ])
  await db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 4)
    .where('permission', '=', 'all_tickets_list')
    .execute()
  expect((await as('support').get(`/admin/customer-view/${id}`))['data'].tickets).toBeNull()
})
