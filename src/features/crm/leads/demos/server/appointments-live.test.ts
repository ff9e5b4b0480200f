import { io, type Socket } from 'socket.io-client'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const channel = 'private-records.appointments'

async function openTab({ app, as }: TestApp, who: string): Promise<{ socket: Socket; joined: boolean }> {
  const socket = io(`http://127.0.0.1:${app.addresses.livePort}`, {
    auth: { token: as(who).token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  })
  onTestFinished(() => void socket.disconnect())
  await new Promise<void>((done, fail) => socket.once('connect', done).once('connect_error', fail))
  const { auth } = await as(who).post('/broadcasting/auth', { socket_id: socket.id, channel_name: channel })
  const { joined } = (await socket.emitWithAck('subscribe', { channel, auth: auth ?? 'forged' })) as {
    joined: boolean
  }
  return { socket, joined }
}

test('an open form hears of a session of a lead that its reader can’t see, but not of which', async () => {
  const test = await startTestApp()
  await test.app.listen()
  const { as, db } = test
  const lead_id = await enterLead(db, { lead_for: 2, company_name: 'Secret Spa' })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 2)
    .execute()
  const { socket, joined } = await openTab(test, 'crm')
  expect(joined).toBe(true)
  const heard = new Promise((done) => socket.once('changed', (...parts: unknown[]) => done(parts.at(-1))))
  await as('admin').post('/admin/users/save-demo-session', {
    lead_id,
    sessions: [{ type: 'Demo', final_date: '2026-11-26T10:00:00Z', host_ids: [as('crm').id] }],
  })
  expect(await heard).toMatchObject({ type: 'appointments', ids: [] })
})

test('roles that see no schedule can’t listen', async () => {
  const test = await startTestApp()
  await test.app.listen()
  expect((await openTab(test, 'designer')).joined).toBe(false)
})
