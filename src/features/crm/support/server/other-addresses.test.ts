import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { receiveRaw } from '#server/inbound/receive-raw.ts'

const own = 'zoe@aalto.example'
const other = 'zoe.berg@mail.example'

/** Starts the panel with a customer user, Zoe. */
async function withUser(env: Record<string, string> = {}) {
  const started = await startTestApp({ env })
  const organization = await enterOrganization(started.db)
  const user = await enterUser(started.db, organization, 'Zoe', { email: own })
  return { ...started, organization, user }
}

let emails = 0
/** Receives an email; `headers` are further headers, such as the result of a check. */
async function receive({ app }: TestApp, from: string, subject = 'Help', headers: string[] = []) {
  emails += 1
  const lines = [
    ...headers,
    `From: ${from}`,
    'To: help@panel.example',
    `Subject: ${subject}`,
    `Message-ID: <other-${emails}@mail.example>`,
  ]
  return receiveRaw(app, Buffer.from(`${lines.join('\r\n')}\r\n\r\nIt stopped.\r\n`), {})
}

const file = ({ as }: TestApp, id: number, body: object) =>
  as('support').post(`/admin/unsorted/${id}/file`, body)
const show = async ({ as }: TestApp, id: number) =>
  (await as('support').get(`/admin/support/ticket/${id}`))['data']
const addressesOf = async ({ as }: TestApp, user: number) =>
  (await as('support').get(`/admin/users/${user}`))['data'].addresses as string[]

/** Replies to a ticket, and returns the address to which the email goes. */
async function answeredTo({ as, db }: TestApp, id: number): Promise<string> {
  const { data } = await as('support').post(`/admin/support/sendReply/${id}`, {
    message: '<p>Charge it.</p>',
  })
  const { address } = await db
    .selectFrom('mail_recipients')
    .select('address')
    .where('mail_id', '=', data.mail_id)
    .executeTakeFirstOrThrow()
  return address
}

test('a new ticket for a user, of an email from another address, is answered there, and the address is remembered', async () => {
  const started = await withUser()
  const { id } = await receive(started, other)
  const filed = await file(started, id, { type: 'ticket', user_id: started.user })
  expect(filed).toMatchObject({
    status: 200,
    message: expect.stringMatching(
      /^Filed under a new ticket #\d+\. zoe\.berg@mail\.example is now an address/,
    ),
  })
  const ticket = filed['record'].id
  expect(await show(started, ticket)).toMatchObject({
    user_id: started.user,
    requester_email: other,
    messages: [{ author: 'requester' }],
  })
  expect(await answeredTo(started, ticket)).toBe(other)
  expect(await addressesOf(started, started.user)).toEqual([other])
  const next = await receive(started, other, 'Another question')
  expect(next.record).toMatchObject({ type: 'ticket' })
  expect(await show(started, next.record!.id)).toMatchObject({
    user_id: started.user,
    requester_email: other,
  })
})

test('replies go to the address from which the requester wrote last on this ticket', async () => {
  const started = await withUser()
  const { id } = (await receive(started, own)).record!
  const add = { address: other }
  expect((await started.as('support').post(`/admin/users/${started.user}/addresses`, add)).status).toBe(200)
  expect((await show(started, id)).requester_email).toBe(own)
  await receive(started, other, `Re: Help [#${id}]`)
  expect(await show(started, id)).toMatchObject({
    requester_email: other,
    messages: [{ author: 'requester' }, { author: 'requester' }],
  })
  expect(await answeredTo(started, id)).toBe(other)
  await receive(started, own, `Re: Help [#${id}]`)
  expect((await show(started, id)).requester_email).toBe(own)
})

test('a removed address gets no more replies; removing and adding are in the history of the user', async () => {
  const started = await withUser()
  const { as, user } = started
  const { id } = await receive(started, other)
  const ticket = (await file(started, id, { type: 'ticket', user_id: user }))['record'].id
  const removed = await as('support').post(`/admin/users/${user}/addresses/remove`, { address: other })
  expect(removed.status).toBe(200)
  expect((await show(started, ticket)).requester_email).toBe(own)
  const gone = await as('support').post(`/admin/users/${user}/addresses/remove`, { address: other })
  expect(gone.status).toBe(404)
  expect((await receive(started, other)).record).toBeNull()
  const { data } = await as('support').get(`/admin/records/customer_user/${user}/history`)
  expect(data.flatMap(({ changes }: { changes: object[] }) => changes)).toEqual(
    expect.arrayContaining([
      { field: 'other_address', before: other, after: null },
      { field: 'other_address', before: null, after: other },
    ]),
  )
})

test('returning the email to Unsorted removes the address', async () => {
  const started = await withUser()
  const { id } = await receive(started, other)
  await file(started, id, { type: 'customer_user', record_id: started.user })
  expect(await addressesOf(started, started.user)).toEqual([other])
  expect((await started.as('support').post(`/admin/unsorted/${id}/undo`)).status).toBe(200)
  expect(await addressesOf(started, started.user)).toEqual([])
})

test('a sender whom the mail server couldn’t verify changes nothing', async () => {
  const started = await withUser({ INBOUND_AUTHSERV_ID: 'mx.panel.example' })
  const { as, db, user } = started
  const { id } = await receive(started, other)
  const ticket = (await file(started, id, { type: 'ticket', user_id: user }))['record'].id
  expect(await addressesOf(started, user)).toEqual([])
  const { requester_email, messages } = await show(started, ticket)
  expect([requester_email, messages[0].can_be_requesters]).toEqual([own, false])
  // Also once the address is known.
  await as('support').post(`/admin/users/${user}/addresses`, { address: other })
  expect((await show(started, ticket)).requester_email).toBe(own)
  await db.updateTable('ticket_messages').set({ customer_user_id: null }).execute()
  const { id: message } = messages[0]
  const path = `/admin/support/ticket/${ticket}/message/${message}/author`
  expect((await as('support').post(path, { is_requester: true })).status).toBe(409)
  // Control: one that it verified.
  const proof = 'Authentication-Results: mx.panel.example; dmarc=pass header.from=mail.example'
  const verified = await receive(started, other, 'Another', [proof])
  expect((await show(started, verified.record!.id)).requester_email).toBe(other)
})

test('a colleague says that a message of another address is the requester’s, and can undo it', async () => {
  const started = await withUser()
  const { as, db, user } = started
  const { id } = (await receive(started, own)).record!
  const { id: mail } = await receive(started, other)
  await file(started, mail, { type: 'ticket', record_id: id })
  const before = await show(started, id)
  expect(before).toMatchObject({
    requester_email: own,
    messages: [{ can_be_requesters: false }, { author: 'other', can_be_requesters: true }],
  })
  expect(await addressesOf(started, user)).toEqual([])
  const path = `/admin/support/ticket/${id}/message/${before.messages[1].id}/author`
  expect((await as('designer').post(path, { is_requester: true })).status).toBe(403)
  expect((await as('support').post(path, { is_requester: true })).status).toBe(200)
  expect(await show(started, id)).toMatchObject({
    requester_email: other,
    messages: [{}, { author: 'requester', can_be_requesters: false }],
  })
  expect((await as('support').post(path, { is_requester: false })).status).toBe(200)
  expect((await show(started, id)).messages[1]).toMatchObject({ author: 'other' })
  expect(await addressesOf(started, user)).toEqual([])
  // A requester without an account has no further addresses.
  await db.updateTable('tickets').set({ customer_user_id: null, sender_email: own }).execute()
  expect((await as('support').post(path, { is_requester: true })).status).toBe(409)
})

test('an address belongs to one user; that of a deleted user can be given to another', async () => {
  const started = await withUser()
  const { as, db, organization, user } = started
  const bo = await enterUser(db, organization, 'Bo', { email: 'bo@aalto.example' })
  const add = (id: number, address: string, by = 'support') =>
    as(by).post(`/admin/users/${id}/addresses`, { address })
  expect((await add(user, other)).status).toBe(200)
  for (const address of [other, own, 'BO@aalto.example']) expect((await add(bo, address)).status).toBe(409)
  expect((await add(bo, 'not an address')).status).toBe(422)
  expect((await add(bo, 'bo@mail.example', 'designer')).status).toBe(403)
  await db
    .updateTable('customer_users')
    .set({ deleted_at: new Date().toISOString(), deleted_by: as('admin').id })
    .where('id', '=', user)
    .execute()
  expect((await add(bo, other)).status).toBe(200)
  expect(await addressesOf(started, bo)).toEqual([other])
})

test('an email of a banned user’s other address is kept under Banned', async () => {
  const started = await withUser()
  const { as, user } = started
  await as('support').post(`/admin/users/${user}/addresses`, { address: other })
  await as('support').post(`/admin/users/${user}/ban`, { reason: 'Spam' })
  expect(await receive(started, other)).toMatchObject({ state: 'banned', record: null })
})

test('messages that the requester got at another address are quoted', async () => {
  const started = await withUser()
  const { as, db, user } = started
  const { id } = (await receive(started, own)).record!
  await as('support').post(`/admin/support/sendReply/${id}`, { message: '<p>Is it charged?</p>' })
  await as('support').post(`/admin/users/${user}/addresses`, { address: other })
  await receive(started, other, `Re: Help [#${id}]`)
  const { data } = await as('support').post(`/admin/support/sendReply/${id}`, { message: '<p>Good.</p>' })
  const { text } = await db
    .selectFrom('mails')
    .select('text')
    .where('id', '=', data.mail_id)
    .executeTakeFirstOrThrow()
  expect(text).toContain('> Is it charged?')
})
