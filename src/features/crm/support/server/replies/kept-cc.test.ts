import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { inboundSecret } from '#features/crm/support/server/support.testing.ts'
import { receiveRaw } from '#server/inbound/receive-raw.ts'

const first = '<1@aalto.example>'

/** Receives an email; returns the number of its ticket. */
async function receive(app: TestApp, email: Record<string, string>): Promise<number> {
  const { id } = await app
    .as(undefined)
    .post(
      '/inbound/ticket',
      { from: 'zoe@aalto.example', subject: 'Towels', text: 'Where are they?', ...email },
      { headers: { 'x-inbound-secret': inboundSecret.INBOUND_SECRET } },
    )
  return id as number
}

async function withTicket() {
  const app = await startTestApp({ env: inboundSecret })
  const id = await receive(app, { message_id: first, cc: 'bo@aalto.example, kim@aalto.example' })
  const desk = app.as('support')
  return {
    app,
    id,
    answer: (body: object) =>
      desk.post(`/admin/support/sendReply/${id}`, { message: '<p>Soon.</p>', ...body }),
    kept: async () => (await desk.get(`/admin/support/ticket/${id}`))['data'].reply_cc,
  }
}

test('those in Cc of the customer’s email stay in Cc, until the author of a reply removes them', async () => {
  const { app, answer, kept } = await withTicket()
  expect(await kept()).toEqual(['bo@aalto.example', 'kim@aalto.example'])
  await answer({ cc: ['bo@aalto.example', 'mia@aalto.example'] })
  expect(await kept()).toEqual(['bo@aalto.example', 'mia@aalto.example'])
  await answer({ cc: [] })
  expect(await kept()).toEqual([])
  await receive(app, { message_id: '<2@aalto.example>', in_reply_to: first, cc: 'kim@aalto.example' })
  expect(await kept()).toEqual(['kim@aalto.example'])
})

test('an email without Cc, and a reply that says nothing about Cc, leave those who are in it', async () => {
  const { app, id, answer, kept } = await withTicket()
  await receive(app, { message_id: '<2@aalto.example>', in_reply_to: first })
  await answer({})
  await app
    .as('support')
    .post('/admin/support/bulk-reply', { message: '<p>Fixed.</p>', ticket_ids: [id], file_ids: [] })
  expect(await kept()).toEqual(['bo@aalto.example', 'kim@aalto.example'])
})

test('an answer by someone in Cc adds those in its Cc; the email of anyone else adds no one', async () => {
  const { app, id, kept } = await withTicket()
  await receive(app, {
    message_id: '<2@aalto.example>',
    from: 'bo@aalto.example',
    subject: `Re: Towels [#${id}]`,
    in_reply_to: first,
    cc: 'lea@aalto.example, zoe@aalto.example',
  })
  const others = ['bo@aalto.example', 'kim@aalto.example', 'lea@aalto.example']
  // Control: the answer of someone in Cc, who belongs to the organization of no one, is a new ticket.
  expect((await app.db.selectFrom('tickets').select('id').execute()).length).toBe(2)
  await app.db.updateTable('ticket_messages').set({ ticket_id: id }).execute()
  expect(await kept()).toEqual(others)
  await app.db
    .updateTable('ticket_messages')
    .set({ sender_email: 'help@supplier.example' })
    .where('sender_email', '=', 'bo@aalto.example')
    .execute()
  expect(await kept()).toEqual(['bo@aalto.example', 'kim@aalto.example'])
})

test('a banned user, and the requester, are never in Cc', async () => {
  const { app, id, kept } = await withTicket()
  const user = await enterUser(app.db, await enterOrganization(app.db), 'Bo')
  await app.db
    .updateTable('customer_users')
    .set({ email: 'bo@aalto.example', banned_at: '2026-01-01' })
    .where('id', '=', user)
    .execute()
  expect(await kept()).toEqual(['kim@aalto.example'])
  await app.db
    .updateTable('tickets')
    .set({ sender_email: 'kim@aalto.example' })
    .where('id', '=', id)
    .execute()
  await app.db.updateTable('ticket_messages').set({ sender_email: 'kim@aalto.example' }).execute()
  expect(await kept()).toEqual([])
})

test('the requester of a request doesn’t see who gets copies', async () => {
  const { app, id } = await withTicket()
  await app.db.insertInto('role_permissions').values({ role_id: 3, permission: 'support_view' }).execute()
  const staff_id = app.as('editor').id
  await app.db.updateTable('tickets').set({ staff_id }).where('id', '=', id).execute()
  await app.db
    .updateTable('ticket_messages')
    .set({ staff_id, sender_email: null })
    .where('ticket_id', '=', id)
    .execute()
  expect((await app.as('support').get(`/admin/support/ticket/${id}`))['data'].reply_cc).not.toEqual([])
  expect((await app.as('editor').get(`/admin/support/requests/${id}/0`))['data']).toMatchObject({
    reply_cc: [],
  })
})

test('the panel’s own addresses are neither kept nor offered, and are refused in Cc, also with a tag', async () => {
  const { app, answer, kept, id } = await withTicket()
  await app.db.insertInto('senders').values({ address: 'bo@aalto.example', product_id: null }).execute()
  expect(await kept()).toEqual(['kim@aalto.example'])
  const { messages } = (await app.as('support').get(`/admin/support/ticket/${id}`))['data']
  expect(messages[0].others).toEqual(['kim@aalto.example'])
  for (const address of ['bo@aalto.example', 'bo+145@aalto.example'])
    expect(await answer({ cc: [address] })).toMatchObject({
      status: 422,
      errors: { cc: [`${address} is an address of this panel. Remove it from Cc.`] },
    })
  expect((await answer({ cc: ['kim@aalto.example'] })).status).toBe(200)
})

test('the alias at which an email arrived is not in Cc', async () => {
  const { app } = await withTicket()
  await enterUser(app.db, await enterOrganization(app.db), 'Zoe')
  const headers = [
    'From: zoe@aalto.example',
    'To: help@panel.example, kim@aalto.example',
    'Delivered-To: desk@panel.example',
    'X-Original-To: help@panel.example',
    'Subject: Racks',
    'Message-ID: <9@aalto.example>',
  ]
  const { record } = await receiveRaw(app.app, Buffer.from(`${headers.join('\r\n')}\r\n\r\nHello\r\n`), {})
  const { data } = await app.as('support').get(`/admin/support/ticket/${record!.id}`)
  expect(data.reply_cc).toEqual(['kim@aalto.example'])
})
