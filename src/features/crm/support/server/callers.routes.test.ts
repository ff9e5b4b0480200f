import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'

const caller = {
  title: 'Second shift can’t sign in',
  message: '<p>The app stays white.</p>',
  sender_name: 'Anna Reuter',
  sender_phone: '+49 30 5550 1877',
}

test('a ticket of a caller without an account is theirs, written down by the admin user', async () => {
  const { as, db } = await startTestApp()
  const org_id = await enterOrganization(db, { name: 'Pinewald Hotel' })
  const filed = await as('support').post('/admin/support/ticket', { ...caller, org_id })
  expect(filed).toMatchObject({ status: 200, data: { requester: 'Anna Reuter', org_id, unread: false } })
  const { data } = await as('admin').get(`/admin/support/ticket/${filed['data'].id}`)
  expect(data).toMatchObject({
    is_own: false,
    requester_phone: '+49 30 5550 1877',
    requester_email: null,
    messages: [{ who: 'Anna Reuter', author: 'requester', recorded_by: expect.stringMatching(/\w/) }],
  })
  const found = async (search: string) =>
    (await as('support').get(`/admin/support/ticket?search=${encodeURIComponent(search)}`))['total']
  const formats = [
    '030 5550 1877',
    '03055501877',
    '0049 (0)30 55501877',
    'from:03055501877',
    'from:"030 5550 1877"',
  ]
  for (const search of ['reuter', '5550 1877', '493055501877', ...formats])
    expect([search, await found(search)]).toEqual([search, 1])
  // Control: another number.
  expect(await found('030 5550 1878')).toBe(0)
})

test('a reply goes to the address that a caller gave', async () => {
  const { as, db } = await startTestApp()
  const filed = await as('support').post('/admin/support/ticket', {
    ...caller,
    sender_email: 'anna@pinewald.example',
  })
  const { id } = filed['data']
  await as('support').post(`/admin/support/sendReply/${id}`, { message: '<p>Please restart it.</p>' })
  expect(await db.selectFrom('mail_recipients').select('address').execute()).toEqual([
    { address: 'anna@pinewald.example' },
  ])
})

test('a caller needs a name, and an address that is not banned; a user with an account comes first', async () => {
  const { as, db } = await startTestApp()
  const org_id = await enterOrganization(db)
  const user_id = await enterUser(db, org_id, 'Zoe')
  const file = (more: object) => as('support').post('/admin/support/ticket', { ...caller, org_id, ...more })
  expect(await file({ sender_name: '' })).toMatchObject({
    status: 422,
    errors: { sender_name: [expect.any(String)] },
  })
  const { email } = await db
    .updateTable('customer_users')
    .set({ banned_at: new Date().toISOString(), email: 'zoe@aalto.example' })
    .where('id', '=', user_id)
    .returning('email')
    .executeTakeFirstOrThrow()
  expect(await file({ sender_email: email })).toMatchObject({
    status: 422,
    errors: { sender_email: [expect.any(String)] },
  })
  expect(await file({ user_id })).toMatchObject({ status: 200, data: { requester: 'Zoe', user_id } })
})

test('only staff of the desk file tickets of callers', async () => {
  const { as, db } = await startTestApp()
  await db.insertInto('role_permissions').values({ role_id: 3, permission: 'support_view' }).execute()
  expect(await as('editor').post('/admin/support/ticket', caller)).toMatchObject({ status: 403 })
  const own = { title: caller.title, message: caller.message }
  expect(await as('editor').post('/admin/support/ticket', own)).toMatchObject({ status: 200 })
})

test('a ticket for the address of a user is linked to the user and their organization', async () => {
  const { as, db } = await startTestApp()
  const org_id = await enterOrganization(db)
  const user_id = await enterUser(db, org_id, 'Zoe', { email: 'zoe@aalto.example' })
  const file = (more: object) =>
    as('support').post('/admin/support/ticket', { ...caller, sender_email: 'Zoe@Aalto.example', ...more })
  expect(await file({})).toMatchObject({
    message: 'Ticket created.',
    data: { requester: 'Zoe', user_id, org_id },
  })
  const inOrganization = await file({ org_id })
  expect(inOrganization).toMatchObject({ data: { requester: 'Zoe', user_id, org_id } })
  const { data } = await as('support').get(`/admin/support/ticket/${inOrganization['data'].id}`)
  expect(data).toMatchObject({ messages: [{ who: 'Zoe', author: 'requester' }] })

  // The user of another organization than the chosen one isn't the requester.
  const other = await enterOrganization(db, { name: 'Pinewald Hotel' })
  expect(await file({ org_id: other })).toMatchObject({
    message:
      'Ticket created. This address belongs to a user of another organization, so it isn’t linked to them.',
    data: { requester: 'Anna Reuter', user_id: 0, org_id: other },
  })
  // Nor is one in the trash, or of a product that the admin user doesn't have.
  const hidden = await enterOrganization(db, { name: 'Hidden' }, [2])
  await enterUser(db, hidden, 'Kim', { email: 'kim@hidden.example' })
  await db.deleteFrom('staff_products').where('product_id', '=', 2).execute()
  await as('super_admin').post('/admin/records/customer_user/trash', { ids: [user_id] })
  for (const sender_email of ['kim@hidden.example', 'zoe@aalto.example'])
    expect(await file({ sender_email })).toMatchObject({
      message: 'Ticket created.',
      data: { requester: 'Anna Reuter', user_id: 0, org_id: 0 },
    })
})
