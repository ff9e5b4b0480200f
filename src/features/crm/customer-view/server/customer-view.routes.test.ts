import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { mayOpen, roleIds } from '#shared/access.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'

test('the view is for the roles of the guard, and each part needs the key of its area', async () => {
  const { as, db } = await startTestApp()
  const id = await enterOrganization(db)
  const aino = await enterUser(db, id, 'Aino', { phone: '+1 555 0100' })
  for (const role of [...roleIds, undefined])
    expect([role, (await as(role).get('/admin/customer-view?q=5550')).status]).toEqual([
      role,
      role === undefined ? 401 : mayOpen(role, '/customer-view') ? 200 : 403,
    ])
  expect((await as('support').get('/admin/customer-view?q=5550'))['data']).toMatchObject([
    { kind: 'user', id: aino, organization_id: id, name: 'Aino' },
  ])
  expect((await as('adh').get('/admin/customer-view?q=aalto'))['data']).toEqual([
    { kind: 'organization', id, organization_id: id, name: 'Aalto Linen', detail: '1 user' },
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

test('organizations with the same name are distinguished by their users and place', async () => {
  const { as, db } = await startTestApp()
  await enterOrganization(db, { name: 'Grand Hotel', state: 'Nova Scotia', country: 'Canada' })
  const other = await enterOrganization(db, { name: 'Grand Hotel', country: 'Portugal' })
  await enterUser(db, other, 'Aino')
  await enterUser(db, other, 'Bela')
  const { data } = await as('csm').get('/admin/customer-view?q=grand')
  expect(data.map(({ detail }: { detail: string }) => detail)).toEqual([
    '0 users · Nova Scotia, Canada',
    '2 users · Portugal',
  ])
})

test('open and settled tickets are on the sheet with the support key; those of others are not', async () => {
  const { as, db } = await startTestApp()
  const [id, other] = [await enterOrganization(db), await enterOrganization(db, { name: 'Baltic Spa' })]
  const open = await enterTicket(db, { organization_id: id, title: 'Still open' })
  const closed = await enterTicket(db, { organization_id: id, title: 'Closed long ago' })
  await db.updateTable('tickets').set({ status: 5 }).where('id', '=', closed.id).execute()
  await enterTicket(db, { organization_id: other, title: "Another user's" })
  expect((await as('support').get(`/admin/customer-view/${id}`))['data']).toMatchObject({
    tickets: [{ id: open.id, title: 'Still open' }],
    settled_tickets: [{ id: closed.id, title: 'Closed long ago' }],
    ticket_count: 2,
  })
  await db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 4)
    .where('permission', '=', 'all_tickets_list')
    .execute()
  expect((await as('support').get(`/admin/customer-view/${id}`))['data']).toMatchObject({
    tickets: null,
    settled_tickets: null,
    ticket_count: null,
  })
})

test('the last notes are those about the organization and its users, each with the key of its area', async () => {
  const { as, db } = await startTestApp()
  const [id, other] = [await enterOrganization(db), await enterOrganization(db, { name: 'Baltic Spa' })]
  const user = await enterUser(db, id, 'Aino')
  const stranger = await enterUser(db, other, 'Bela')
  const note = (type: string, record: number, text: string) =>
    as('csm').post(`/admin/general/notes/${type}/${record}`, { note: text })
  await note('organization', id, 'Pays late')
  await note('customer_user', user, 'Prefers a call')
  await note('customer_user', stranger, 'Elsewhere')
  const notesFor = async (role: string) => (await as(role).get(`/admin/customer-view/${id}`))['data'].notes
  expect(await notesFor('csm')).toMatchObject([
    { body: 'Prefers a call', about: { id: user, name: 'Aino' } },
    { body: 'Pays late', about: null },
  ])
  // ADH sees organizations, but not their users.
  expect(await notesFor('adh')).toMatchObject([{ body: 'Pays late' }])
  await db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 4)
    .where('permission', 'in', ['all_organization_list', 'all_users_list'])
    .execute()
  expect(await notesFor('support')).toBeNull()
})

test('the chosen user is on the sheet, also beyond the listed ones, and must be of the organization', async () => {
  const { as, db } = await startTestApp()
  const [id, other] = [await enterOrganization(db), await enterOrganization(db, { name: 'Baltic Spa' })]
  const [user, stranger] = [await enterUser(db, id, 'Aino'), await enterUser(db, other, 'Bela')]
  const show = (role: string, chosen: number) => as(role).get(`/admin/customer-view/${id}?user=${chosen}`)
  expect((await show('support', user))['data'].user).toMatchObject({ id: user, name: 'Aino', status: 1 })
  expect((await as('support').get(`/admin/customer-view/${id}`))['data'].user).toBeNull()
  expect(await show('support', stranger)).toMatchObject({ status: 404 })
  // Without the key of users, the answer is the same for a user and for a number that no one has.
  expect((await show('adh', user))['data'].user).toBeNull()
  expect((await show('adh', stranger))['data'].user).toBeNull()
})

test('calls are listed for the person who logged them, with names that they can see', async () => {
  const { as, db, clock } = await startTestApp()
  const id = await enterOrganization(db)
  const aino = await enterUser(db, id, 'Aino')
  const logged = await as('support').post(`/admin/customer-view/${id}/calls`, { user: aino, seconds: 192 })
  expect(logged).toMatchObject({ status: 200, message: 'Call with Aino logged: 3 min.' })
  expect(await as('support').post(`/admin/customer-view/${id}/calls`, { seconds: 20 })).toMatchObject({
    message: 'Call with Aalto Linen logged: less than a minute.',
  })
  const calls = async (who: string) => (await as(who).get('/admin/customer-view/calls'))['data']
  expect(await calls('support')).toMatchObject([
    { organization: 'Aalto Linen', user: null, seconds: 20 },
    {
      organization_id: id,
      user_id: aino,
      user: 'Aino',
      seconds: 192,
      started_at: new Date(clock.now().getTime() - 192_000).toISOString(),
    },
  ])
  expect(await calls('csm')).toEqual([])

  await as('admin').post('/admin/roles/change-permissions', { role_id: 4, revoke: ['all_users_list'] })
  expect(await calls('support')).toMatchObject([{ user: null }, { user_id: null, user: null }])
  await as('admin').post('/admin/roles/change-permissions', {
    role_id: 4,
    revoke: ['all_organization_list', 'all_tickets_list', 'onboarding_list'],
  })
  expect(await calls('support')).toEqual([])
})

test('a logged call can be undone by the person who logged it, and redone', async () => {
  const { as, db } = await startTestApp()
  const id = await enterOrganization(db)
  const csm = as('csm')
  await csm.post(`/admin/customer-view/${id}/calls`, { seconds: 20 })
  const { operation } = await csm.post(`/admin/customer-view/${id}/calls`, { seconds: 192 })
  const seconds = async () =>
    (await csm.get('/admin/customer-view/calls'))['data'].map((call: { seconds: number }) => call.seconds)
  const undo = `/admin/operations/${operation.id}/undo`
  expect((await as('support').post(undo, {})).status).toBe(404)
  expect(await seconds()).toEqual([20, 192])
  expect(await csm.post(undo, {})).toMatchObject({ status: 200 })
  expect(await seconds()).toEqual([20])
  expect(await csm.post(undo.replace('undo', 'redo'), {})).toMatchObject({ status: 200 })
  expect(await seconds()).toEqual([20, 192])
})

test('a call needs the role of the guard, a customer whom the viewer can see, and its user', async () => {
  const { as, db } = await startTestApp()
  const [id, other] = [await enterOrganization(db), await enterOrganization(db, { name: 'Baltic Spa' })]
  const elsewhere = await enterUser(db, other, 'Bela')
  const log = async (who: string, organization: number, body: object) =>
    (await as(who).post(`/admin/customer-view/${organization}/calls`, body)).status
  expect(await log('qa', id, { seconds: 5 })).toBe(403)
  expect(await log('editor', id, { seconds: 5 })).toBe(404)
  expect(await log('support', 999_999, { seconds: 5 })).toBe(404)
  expect(await log('support', id, { seconds: 5, user: elsewhere })).toBe(404)
  expect(await log('support', id, { seconds: 90_000 })).toBe(422)
  expect((await as('qa').get('/admin/customer-view/calls')).status).toBe(403)
})
