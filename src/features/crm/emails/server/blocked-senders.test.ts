import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { receiveRaw } from '#server/inbound/receive-raw.ts'

const sender = 'offers@prizes.example'

let emails = 0
async function receive({ app }: TestApp, from = sender, subject = 'A free prize') {
  emails += 1
  const lines = [
    `From: ${from}`,
    'To: help@panel.example',
    `Subject: ${subject}`,
    `Message-ID: <blocked-${emails}@x.example>`,
  ]
  return receiveRaw(app, Buffer.from(`${lines.join('\r\n')}\r\n\r\nHello\r\n`), {})
}

const block = ({ as }: TestApp, id: number) => as('support').post(`/admin/unsorted/${id}/block`)
const listed = async ({ as }: TestApp, state: string) =>
  (await as('support').get(`/admin/unsorted?state=${state}`))['data']
const blocked = async ({ as }: TestApp) => (await as('support').get('/admin/unsorted/blocked'))['data']

test('blocking a sender marks the email as spam, and each new one, with the reason', async () => {
  const started = await startTestApp()
  const { id } = await receive(started)
  expect((await block(started, id)).status).toBe(200)
  expect(await receive(started)).toMatchObject({ state: 'spam', record: null })
  const reason = expect.stringMatching(/^Sender blocked by \w/)
  expect(await listed(started, 'spam')).toMatchObject([{ spam_reason: reason }, { id, spam_reason: reason }])
  expect(await blocked(started)).toMatchObject([{ address: sender, blocked_by: expect.any(String) }])
  // Control: other senders still wait in Unsorted.
  expect(await receive(started, 'new@hotel.example')).toMatchObject({ state: 'unsorted' })
})

test('unblocking returns the email if its undo asks for it, and new ones wait in Unsorted', async () => {
  const started = await startTestApp()
  const { id } = await receive(started)
  await block(started, id)
  const unblock = (body: object) => started.as('support').post('/admin/unsorted/unblock', body)
  expect((await unblock({ address: sender, return_id: id })).status).toBe(200)
  expect(await listed(started, 'unsorted')).toMatchObject([{ id, spam_reason: '' }])
  expect(await blocked(started)).toEqual([])
  expect((await unblock({ address: sender })).status).toBe(404)
  expect(await receive(started)).toMatchObject({ state: 'unsorted' })
  await block(started, id)
  await unblock({ address: sender })
  expect(await listed(started, 'spam')).toMatchObject([{ id }])
})

test('the address of a user isn’t blocked, and an answer in a conversation arrives there', async () => {
  const started = await startTestApp()
  const { db } = started
  const { id } = await receive(started)
  await block(started, id)
  const ticket = await enterTicket(db, { sender_email: sender })
  const answer = await receive(started, sender, `Re: The scanner stopped [#${ticket.id}]`)
  expect(answer).toMatchObject({ state: 'filed', record: { type: 'ticket', id: ticket.id } })
  const next = await receive(started, 'zoe@aalto.example')
  await enterUser(db, await enterOrganization(db), 'Zoe')
  expect((await block(started, next.id)).status).toBe(409)
})

test('senders are blocked, unblocked, and listed with all_tickets_view', async () => {
  const started = await startTestApp()
  const { id } = await receive(started)
  for (const role of [...roleIds, undefined]) {
    const client = started.as(role)
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_view')
    const expected = may ? 200 : role === undefined ? 401 : 403
    expect([role, (await client.post(`/admin/unsorted/${id}/block`)).status]).toEqual([role, expected])
    expect([role, (await client.get('/admin/unsorted/blocked')).status]).toEqual([role, expected])
    const undone = await client.post('/admin/unsorted/unblock', { address: sender, return_id: id })
    expect([role, undone.status]).toEqual([role, expected])
  }
})
