import { io, type Socket } from 'socket.io-client'
import { expect, onTestFinished, test } from 'vitest'
import { startAnother, startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { Presence } from '#server/live/presence.ts'

interface Tab {
  socket: Socket
  /** Names of the users who have the lead open, one list per message, in order. */
  told: string[][]
  join: (channel: string) => Promise<boolean>
}

/** Opens a browser tab for a user on one of the processes. */
async function openTab(
  test: TestApp,
  who: string,
  app: { addresses: { livePort: number } } = test.app,
): Promise<Tab> {
  const socket = io(`http://127.0.0.1:${app.addresses.livePort}`, {
    auth: { token: test.as(who).token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  })
  onTestFinished(() => void socket.disconnect())
  await new Promise<void>((done, fail) => socket.once('connect', done).once('connect_error', fail))
  const told: string[][] = []
  socket.on('presence', ({ people }: { people: { name: string }[] }) =>
    told.push(people.map(({ name }) => name)),
  )
  const join = async (channel: string) => {
    const { auth } = await test
      .as(who)
      .post('/broadcasting/auth', { socket_id: socket.id, channel_name: channel })
    return (
      (await socket.emitWithAck('subscribe', { channel, auth: auth ?? 'forged' })) as { joined: boolean }
    ).joined
  }
  return { socket, told, join }
}

async function startListening() {
  const test = await startTestApp()
  await test.app.listen()
  return test
}

test('users with a lead open see each other, until they leave it or disconnect', async () => {
  const test = await startListening()
  const id = await enterLead(test.db)
  const channel = `private-lead.${id}`
  const [paula, martin, jonas] = [
    await openTab(test, 'crm'),
    await openTab(test, 'admin'),
    await openTab(test, 'digital_marketing'),
  ]
  expect(await paula.join(channel)).toBe(true)
  expect(await martin.join(channel)).toBe(true)
  expect(await jonas.join(channel)).toBe(true)
  await expect.poll(() => paula.told.at(-1)).toEqual(['Jonas Lindqvist', 'Martin Keller', 'Paula Ferreira'])
  expect((await test.as('crm').get(`/admin/users/lead-presence?ids=${id},99`)).data).toEqual([
    {
      lead_id: id,
      people: [expect.objectContaining({ name: 'Jonas Lindqvist' }), expect.anything(), expect.anything()],
    },
  ])
  martin.socket.emit('unsubscribe', { channel })
  await expect.poll(() => paula.told.at(-1)).toEqual(['Jonas Lindqvist', 'Paula Ferreira'])
  jonas.socket.disconnect()
  await expect.poll(() => paula.told.at(-1)).toEqual(['Paula Ferreira'])
  for (const nonsense of [
    undefined,
    'x',
    {},
    { channel: 7 },
    { channel: 'private-lead.0' },
    { channel: paula.socket.id },
  ])
    paula.socket.emit('unsubscribe', nonsense)
  expect(await paula.join(channel)).toBe(true)
})

test('two tabs of one user are one viewer, until the last is closed', async () => {
  const test = await startListening()
  const channel = `private-lead.${await enterLead(test.db)}`
  const [one, two, other] = [
    await openTab(test, 'crm'),
    await openTab(test, 'crm'),
    await openTab(test, 'admin'),
  ]
  for (const tab of [one, two, other]) await tab.join(channel)
  await expect.poll(() => other.told.at(-1)).toEqual(['Martin Keller', 'Paula Ferreira'])
  one.socket.disconnect()
  await expect.poll(() => other.told.length).toBeGreaterThan(1)
  expect(other.told.at(-1)).toEqual(['Martin Keller', 'Paula Ferreira'])
  two.socket.disconnect()
  await expect.poll(() => other.told.at(-1)).toEqual(['Martin Keller'])
})

test('only users with access to the lead get its presence; a revoked permission ends it', async () => {
  const test = await startListening()
  const [id, foreign] = [await enterLead(test.db), await enterLead(test.db, { lead_for: 3 })]
  await test.db
    .deleteFrom('staff_products')
    .where('staff_id', '=', test.as('crm').id)
    .where('product_id', '=', 3)
    .execute()
  const [crm, support, admin] = [
    await openTab(test, 'crm'),
    await openTab(test, 'support'),
    await openTab(test, 'admin'),
  ]
  expect(await support.join(`private-lead.${id}`)).toBe(false)
  for (const channel of [
    `private-lead.${foreign}`,
    'private-lead.99999',
    'private-lead.0',
    'private-lead.x',
    'private-lead.',
    'private-lead.99999999999',
  ])
    expect([channel, await crm.join(channel)]).toEqual([channel, false])
  await admin.join(`private-lead.${foreign}`)
  expect((await test.as('crm').get(`/admin/users/lead-presence?ids=${foreign}`)).data).toEqual([])
  expect(await test.as('support').get(`/admin/users/lead-presence?ids=${id}`)).toMatchObject({ status: 403 })
  for (const ids of ['', 'x', '0', Array.from({ length: 101 }, (_, index) => index + 1).join()])
    expect((await test.as('crm').get(`/admin/users/lead-presence?ids=${ids}`)).status).toBe(422)
  await crm.join(`private-lead.${id}`)
  await admin.join(`private-lead.${id}`)
  await expect.poll(() => admin.told.at(-1)).toEqual(['Martin Keller', 'Paula Ferreira'])
  await test
    .as('super_admin')
    .post('/admin/roles/change-permissions', { role_id: 2, revoke: ['lead_detail'] })
  await expect.poll(() => admin.told.at(-1)).toEqual(['Martin Keller'])
})

test('an organization’s presence is for those who can see organizations', async () => {
  const test = await startListening()
  const id = await enterOrganization(test.db)
  const channel = `private-organization.${id}`
  const [csm, admin, editor] = [
    await openTab(test, 'csm'),
    await openTab(test, 'admin'),
    await openTab(test, 'editor'),
  ]
  expect(await editor.join(channel)).toBe(false)
  expect(await csm.join('private-organization.99999')).toBe(false)
  expect(await csm.join(channel)).toBe(true)
  expect(await admin.join(channel)).toBe(true)
  await expect.poll(() => admin.told.at(-1)).toHaveLength(2)
  expect(editor.told).toEqual([])
})

test("two processes see each other's viewers, whichever started first", async () => {
  const test = await startListening()
  const other = await startAnother(test)
  const channel = `private-lead.${await enterLead(test.db)}`
  const first = await openTab(test, 'crm')
  await first.join(channel)
  const second = await openTab(test, 'admin', other)
  await second.join(channel)
  await expect.poll(() => first.told.at(-1)).toEqual(['Martin Keller', 'Paula Ferreira'])
  await expect.poll(() => second.told.at(-1)).toEqual(['Martin Keller', 'Paula Ferreira'])
  second.socket.disconnect()
  await expect.poll(() => first.told.at(-1)).toEqual(['Paula Ferreira'])
})

test('viewers of a process that goes silent disappear', () => {
  let now = 0
  const presence = new Presence(() => now)
  presence.hear('c', 'other process', [{ id: 1, name: 'Paula' }])
  presence.enter('c', 'socket', { id: 2, name: 'Martin' })
  expect(presence.peopleIn('c').map(({ name }) => name)).toEqual(['Martin', 'Paula'])
  now = 60_000
  expect(presence.peopleIn('c').map(({ name }) => name)).toEqual(['Martin'])
  expect(presence.forgetSilent()).toEqual(['c'])
  expect(presence.forgetSilent()).toEqual([])
})
