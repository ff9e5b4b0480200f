import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'

const filed = {
  title: 'Your invoice of March',
  message: '<p>It was printed twice.</p>',
  to_customer: 1,
}

const create = ({ as }: Pick<TestApp, 'as'>, values: object, role: 'support' | 'designer' = 'support') =>
  as(role).post('/admin/support/ticket', { ...filed, ...values })

const counts = async ({ db }: Pick<TestApp, 'db'>) => [
  (await db.selectFrom('tickets').select('id').execute()).length,
  (await db.selectFrom('mails').select('id').execute()).length,
]

test('a conversation that the desk starts is sent to the customer, and waits for the answer', async () => {
  const started = await startTestApp()
  const organization_id = await enterOrganization(started.db)
  const user_id = await enterUser(started.db, organization_id, 'Zoe')
  const { status, data } = await create(started, { user_id })
  expect(status).toBe(200)
  expect(data).toMatchObject({ status: 3, org_id: organization_id, last_by_admin: true })
  const ticket = (await started.as('support').get(`/admin/support/ticket/${data.id}`))['data']
  expect(ticket).toMatchObject({
    requester: 'Zoe',
    messages: [{ message: filed.message, sent_by_admin: true, mail: { state: 'held' } }],
  })
  const mails = await started.db
    .selectFrom('mails as m')
    .innerJoin('mail_recipients as r', 'r.mail_id', 'm.id')
    .select(['r.address', 'm.record_id', 'm.kind'])
    .execute()
  expect(mails).toEqual([{ address: 'zoe@aalto.example', record_id: data.id, kind: 'ticket-reply' }])
})

test('without someone who can get it, a message is refused, and no ticket is created', async () => {
  const started = await startTestApp()
  const organization_id = await enterOrganization(started.db)
  const user_id = await enterUser(started.db, organization_id, 'Zoe')
  expect(await create(started, { org_id: organization_id })).toMatchObject({
    status: 422,
    errors: { user_id: ['Choose the user who gets your message, or enter an email address.'] },
  })
  expect(await create(started, { user_id, message: '<p>Hello {{first_name}}</p>' })).toMatchObject({
    status: 422,
    errors: { message: [expect.stringMatching(/^Replace .* before you send/)] },
  })
  await started.db.updateTable('customer_users').set({ banned_at: 'now()' }).execute()
  expect(await create(started, { user_id })).toMatchObject({
    status: 422,
    errors: { user_id: ['This user is banned or has no email address.'] },
  })
  expect(await counts(started)).toEqual([0, 0])
  // Only those who see all tickets write to customers.
  expect(await create(started, { user_id }, 'designer')).toMatchObject({ status: 403 })
})

test('a conversation can begin with the address of someone without an account, who stays unknown', async () => {
  const started = await startTestApp()
  const { status, data } = await create(started, { sender_email: 'anna@pinewald.example' })
  expect(status).toBe(200)
  expect(data).toMatchObject({
    status: 3,
    user_id: 0,
    requester: 'anna@pinewald.example',
    last_by_admin: true,
  })
  const to = await started.db
    .selectFrom('mail_recipients as r')
    .innerJoin('mails as m', 'm.id', 'r.mail_id')
    .select(['r.address', 'm.record_id'])
    .execute()
  expect(to).toEqual([{ address: 'anna@pinewald.example', record_id: data.id }])
  const named = await create(started, { sender_email: 'bo@pinewald.example', sender_name: 'Bo Berg' })
  expect(named['data']).toMatchObject({ requester: 'Bo Berg' })
})

test('without an address, a message to someone without an account is refused at its field', async () => {
  const started = await startTestApp()
  expect(await create(started, { sender_name: 'Anna Reuter' })).toMatchObject({
    status: 422,
    errors: { sender_email: ['Enter the address that your message goes to.'] },
  })
  const organization = await enterOrganization(started.db)
  await enterUser(started.db, organization, 'Zoe', { email: 'zoe@aalto.example' })
  await started.db.updateTable('customer_users').set({ banned_at: 'now()' }).execute()
  expect(await create(started, { sender_email: 'zoe@aalto.example' })).toMatchObject({
    status: 422,
    errors: { sender_email: [expect.stringContaining('banned')] },
  })
  expect(await counts(started)).toEqual([0, 0])
})
