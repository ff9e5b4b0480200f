import { io, type Socket } from 'socket.io-client'
import { expect, onTestFinished, test } from 'vitest'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { startAnother, startTestApp } from '#app/testing/start.testing.ts'

/** Opens a user's live connection to a process, and joins a channel with it. */
async function join(livePort: number, token: string, channel: string): Promise<Socket> {
  const socket = io(`http://127.0.0.1:${livePort}`, {
    auth: { token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  })
  onTestFinished(() => void socket.disconnect())
  const headers = { Authorization: `Bearer ${token}` }
  expect(await socket.emitWithAck('subscribe', { channel, auth: { headers } })).toMatchObject({
    joined: true,
  })
  return socket
}

test('users who have a record open in any process hear who is writing, and nothing is logged', async () => {
  const test = await startTestApp()
  await test.app.listen()
  const other = await startAnother(test)
  const { id } = await enterTicket(test.db)
  const channel = `private-ticket.${id}`
  const last: unknown[] = [undefined, undefined]
  for (const [index, process] of [test.app, other].entries()) {
    const socket = await join(process.addresses.livePort, test.as('support').token, channel)
    socket.on('writing', (event) => (last[index] = event))
  }
  const { id: by } = test.as('admin')
  const announce = (body: object) => test.as('admin').post(`/admin/records/ticket/${id}/writing`, body)
  const logged = () => test.db.selectFrom('audit_log').select('id').execute()
  const before = await logged()
  // The other process may not listen yet.
  await expect
    .poll(async () => {
      await announce({ what: 'note' })
      return last
    })
    .toEqual([1, 2].map(() => ({ channel, id: by, name: expect.stringMatching(/\w+ \w+/), what: 'note' })))
  await announce({ what: 'note', stopped: true })
  await expect.poll(() => last).toEqual([1, 2].map(() => expect.objectContaining({ id: by, what: null })))
  expect(await logged()).toEqual(before)
})

test('only those who can see a record announce that they write on it', async () => {
  const { as, db } = await startTestApp()
  const { id: ticket } = await enterTicket(db)
  const lead = await enterLead(db, { lead_for: 2 })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 2)
    .execute()
  const statusOf = async (who: string, path: string, body: object = { what: 'reply' }) =>
    (await as(who).post(`/admin/records/${path}/writing`, body)).status
  expect(await statusOf('support', `ticket/${ticket}`)).toBe(200)
  expect(await statusOf('designer', `ticket/${ticket}`)).toBe(403)
  expect(await statusOf('super_admin', `lead/${lead}`)).toBe(200)
  expect(await statusOf('crm', `lead/${lead}`)).toBe(404)
  expect(await statusOf('support', 'ticket/999999')).toBe(404)
  for (const body of [{}, { what: 'a poem' }, { what: 'note', stopped: 'later' }])
    expect(await statusOf('support', `ticket/${ticket}`, body)).toBe(422)
})
