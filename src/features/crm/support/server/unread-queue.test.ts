import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { endSnoozes } from '#features/crm/support/server/snoozes.ts'
import { inboundSecret } from '#features/crm/support/server/support.testing.ts'

const support = '/admin/support'

/** Starts the panel with a ticket that a customer opened by email, which is unread for everyone. */
async function withEmail() {
  const started = await startTestApp({ env: inboundSecret })
  await enterUser(started.db, await enterOrganization(started.db), 'Zoe')
  const write = async (message_id: string, references = '') => {
    const email = { message_id, references, from: 'zoe@aalto.example', subject: 'Help', text: 'It stopped.' }
    const headers = { 'x-inbound-secret': inboundSecret.INBOUND_SECRET }
    return (await started.as(undefined).post('/inbound/ticket', email, { headers }))['id'] as number
  }
  const id = await write('<m1@aalto.example>')
  return { ...started, id, writeAgain: () => write('<m2@aalto.example>', '<m1@aalto.example>') }
}

/** Returns which of some members of the cast have the ticket in Unread. */
async function unreadFor({ as }: TestApp, names = ['support', 'csm', 'admin', 'adh']): Promise<string[]> {
  const found: string[] = []
  for (const name of names) {
    const { data } = await as(name).get(`${support}/ticket?queue=unread`)
    const { data: counts } = await as(name).get(`${support}/queues`)
    expect([name, counts.unread]).toEqual([name, data.length])
    if (data.length > 0) found.push(name)
  }
  return found
}

const answer = ({ as }: TestApp, id: number, by = 'support') =>
  as(by).post(`${support}/sendReply/${id}`, { message: '<p>Charge it.</p>', assignee_id: 0 })

test('an answer takes a ticket out of everyone’s Unread, until the customer writes again', async () => {
  const started = await withEmail()
  expect(await unreadFor(started)).toEqual(['support', 'csm', 'admin', 'adh'])
  expect((await answer(started, started.id)).status).toBe(200)
  expect(await unreadFor(started)).toEqual([])
  expect((await started.as('csm').get(`${support}/ticket?search=is:unread`))['data']).toEqual([])
  expect((await started.as('csm').get(`${support}/ticket`))['data'][0]).toMatchObject({ is_new: false })
  await started.writeAgain()
  expect(await unreadFor(started)).toEqual(['support', 'csm', 'admin', 'adh'])
})

test('an undone answer returns the ticket to Unread', async () => {
  const started = await withEmail()
  const { data } = await answer(started, started.id)
  expect((await started.as('support').post(`/admin/mail/${data.mail_id}/call-off`)).status).toBe(200)
  expect(await unreadFor(started, ['csm', 'admin'])).toEqual(['csm', 'admin'])
})

test('the assignee, followers, and those who marked it or whose snooze ended keep a ticket that a colleague answers', async () => {
  const started = await withEmail()
  const { as, db, app, clock, id } = started
  await db
    .updateTable('tickets')
    .set({ assignee_id: as('csm').id })
    .execute()
  await as('admin').post(`${support}/ticket/${id}/follow`, { follow: true })
  await as('adh').post(`${support}/ticket/${id}/unread`)
  const until = new Date(clock.now().getTime() + 60_000).toISOString()
  await as('super_admin').post(`${support}/ticket/${id}/snooze`, { until })
  clock.advance(120_000)
  await endSnoozes(app)
  await as('support').post(`${support}/sendReply/${id}`, { message: '<p>Charge it.</p>' })
  const names = ['support', 'csm', 'admin', 'adh', 'super_admin']
  expect(await unreadFor(started, names)).toEqual(['csm', 'admin', 'adh', 'super_admin'])
})

test('a ticket that a colleague solves leaves Unread, and returns when that is undone', async () => {
  const started = await withEmail()
  const { as, id } = started
  await as('adh').post(`${support}/ticket/${id}/unread`)
  const solved = await as('support').post(`${support}/change-ticket-status/${id}/4`)
  expect(await unreadFor(started)).toEqual(['adh'])
  const undone = await as('support').post(`/admin/operations/${solved['operation'].id}/undo`)
  expect(undone.status).toBe(200)
  expect(await unreadFor(started)).toEqual(['support', 'csm', 'admin', 'adh'])
})

test('a merge keeps what is unread of both tickets', async () => {
  const started = await withEmail()
  const { as, id } = started
  await answer(started, id)
  const other = await started.as('admin').post(`${support}/ticket`, {
    title: 'Again',
    message: '<p>It stopped again.</p>',
    sender_email: 'zoe@aalto.example',
  })
  const merged = await as('support').post(`${support}/ticket/${other['data'].id}/merge`, { into: id })
  expect(merged.status).toBe(200)
  expect(await unreadFor(started, ['csm', 'adh'])).toEqual(['csm', 'adh'])
})
