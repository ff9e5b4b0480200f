import { io, type Socket } from 'socket.io-client'
import { expect, onTestFinished, test } from 'vitest'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'
import { startAnother, startTestApp, type TestApp } from '#app/testing/start.testing.ts'

/** Opens a browser's live connection; returns undefined if the handshake is rejected. */
async function connect(
  { app }: Pick<TestApp, 'app'>,
  token: string,
  origin?: string,
): Promise<Socket | undefined> {
  const socket = io(`http://127.0.0.1:${app.addresses.livePort}`, {
    auth: { token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    ...(origin ? { extraHeaders: { origin } } : {}),
  })
  onTestFinished(() => void socket.disconnect())
  return new Promise((done) =>
    socket.once('connect', () => done(socket)).once('connect_error', () => done(undefined)),
  )
}

/** Joins a channel as the client does: authorized over HTTP, then subscribed on the socket. */
async function join(
  test: TestApp,
  who: string,
  socket: Socket,
  channel: string,
): Promise<{ status: number; joined: boolean }> {
  const { status, auth } = await test
    .as(who)
    .post('/broadcasting/auth', { socket_id: socket.id, channel_name: channel })
  const { joined } = (await socket.emitWithAck('subscribe', { channel, auth: auth ?? 'forged' })) as {
    joined: boolean
  }
  return { status, joined }
}

const next = (socket: Socket, event: string) => new Promise((done) => socket.once(event, done))

/** Sends changes from one process until a socket of another process, which may not listen yet, hears one. */
async function sendUntilHeard({ live }: Pick<TestApp['app'], 'live'>, socket: Socket): Promise<void> {
  let hasHeard = false
  socket.once('changed', () => (hasHeard = true))
  await expect
    .poll(() => {
      live.changed('roles', [1], null)
      return hasHeard
    })
    .toBe(true)
}

async function startListening() {
  const test = await startTestApp()
  await test.app.listen()
  return test
}

test('a handshake without a session, with an ended one, or from another site is refused', async () => {
  const test = await startListening()
  expect(await connect(test, '')).toBeUndefined()
  expect(await connect(test, 'A'.repeat(43))).toBeUndefined()
  expect(await connect(test, test.as('crm').token, 'https://example.com')).toBeUndefined()
  expect(await connect(test, test.as('crm').token, test.app.addresses.publicUrl)).toBeDefined()
})

test('joining a channel needs its permission, over HTTP and on the socket', async () => {
  const test = await startListening()
  const [crm, designer] = [
    (await connect(test, test.as('crm').token))!,
    (await connect(test, test.as('designer').token))!,
  ]
  expect(await join(test, 'crm', crm, 'private-records.leads')).toEqual({ status: 200, joined: true })
  expect(await join(test, 'designer', designer, 'private-records.leads')).toEqual({
    status: 403,
    joined: false,
  })
  expect(await join(test, 'crm', crm, `private-staff.${test.as('designer').id}`)).toEqual({
    status: 403,
    joined: false,
  })
  expect(await join(test, 'crm', crm, 'no-such-channel')).toEqual({ status: 403, joined: false })
  // Authorization for one socket does not let another socket join the channel.
  const { auth } = await test
    .as('crm')
    .post('/broadcasting/auth', { socket_id: crm.id, channel_name: 'private-records.leads' })
  expect(await designer.emitWithAck('subscribe', { channel: 'private-records.leads', auth })).toEqual({
    joined: false,
  })
  for (const nonsense of [
    undefined,
    'x',
    {},
    { channel: 1, auth: 2 },
    { channel: 'x'.repeat(5000), auth: 'x' },
  ])
    expect(await crm.emitWithAck('subscribe', nonsense)).toEqual({ joined: false })
})

test('a tab that joins learns of a change that it may have missed, except its own and those of other products', async () => {
  const test = await startListening()
  const [crm, admin] = [
    (await connect(test, test.as('crm').token))!,
    (await connect(test, test.as('admin').token))!,
  ]
  const ask = (socket: Socket, who: string, channel: string) =>
    socket.emitWithAck('subscribe', {
      channel,
      auth: { headers: { Authorization: `Bearer ${test.as(who).token}` } },
    }) as Promise<{ joined: boolean; ms_since_last?: number }>
  await test.db
    .deleteFrom('staff_products')
    .where('staff_id', '=', test.as('crm').id)
    .where('product_id', '=', 2)
    .execute()
  const [theirs, ours] = [
    await enterLead(test.db, { lead_for: 2 }),
    await enterLead(test.db, { lead_for: 1 }),
  ]
  const askForLeads = async () => {
    crm.emit('unsubscribe', { channel: 'private-records.leads' })
    return (await ask(crm, 'crm', 'private-records.leads')).ms_since_last
  }
  const hear = async (id: number) => {
    const heard = next(admin, 'changed')
    test.app.live.changed('leads', [id], null)
    await heard
  }
  await ask(admin, 'admin', 'private-records.leads')
  await hear(theirs)
  expect(await askForLeads()).toBeUndefined()
  await hear(ours)
  expect(await askForLeads()).toBeTypeOf('number')
  test.app.live.changed('roles', [1], test.as('admin').id, admin.id)
  expect(await ask(admin, 'admin', 'private-records.roles')).toEqual({ joined: true })
  test.app.live.changed('settings', [1], test.as('admin').id, admin.id)
  const { joined, ms_since_last } = await ask(crm, 'crm', 'private-records.settings')
  expect([joined, typeof ms_since_last]).toEqual([true, 'number'])
})

test('a change reaches the listeners after it is stored', async () => {
  const test = await startListening()
  const admin = (await connect(test, test.as('admin').token))!
  await join(test, 'admin', admin, 'private-records.roles')
  const heard = next(admin, 'changed')
  await test.as('super_admin').post('/admin/roles/change-permissions', { role_id: 9, grant: ['lead_list'] })
  expect(await heard).toEqual({ type: 'roles', ids: [9], by: test.as('super_admin').id })
})

test("the tab that made a change is skipped, other tabs are not, and no one can skip another user's tab", async () => {
  const test = await startListening()
  const [mine, other, theirs] = await Promise.all(
    ['admin', 'admin', 'super_admin'].map((who) => connect(test, test.as(who).token) as Promise<Socket>),
  )
  await join(test, 'admin', mine!, 'private-records.roles')
  await join(test, 'admin', other!, 'private-records.roles')
  await join(test, 'super_admin', theirs!, 'private-records.roles')
  const heard = { mine: 0, other: 0, theirs: 0 }
  mine!.on('changed', () => (heard.mine += 1))
  other!.on('changed', () => (heard.other += 1))
  theirs!.on('changed', () => (heard.theirs += 1))
  const grants = ['view_task', 'lead_list', 'lead_edit', 'lead_create']
  for (const [index, socket] of [mine!.id!, theirs!.id!, 'private-records.roles', 'x'.repeat(5000)].entries())
    await test
      .as('admin')
      .post(
        '/admin/roles/change-permissions',
        { role_id: 9, grant: [grants[index]], revoke: [] },
        { headers: { 'x-socket-id': socket } },
      )
  await expect.poll(() => heard.theirs).toBe(4)
  expect(heard).toEqual({ mine: 3, other: 4, theirs: 4 })
})

test('a revoked permission closes the channel immediately and notifies the user', async () => {
  const test = await startListening()
  const crm = (await connect(test, test.as('crm').token))!
  await join(test, 'crm', crm, 'private-records.leads')
  await join(test, 'crm', crm, `private-staff.${test.as('crm').id}`)
  const heard: { ids: number[] }[] = []
  crm.on('changed', (event: { ids: number[] }) => heard.push(event))
  const id = await enterLead(test.db, {})
  test.app.live.changed('leads', [id], null)
  await expect.poll(() => heard.length).toBe(1)
  const told = next(crm, 'rights')
  await test
    .as('super_admin')
    .post('/admin/roles/change-permissions', { role_id: 2, revoke: ['lead_list', 'lead_detail'] })
  await told
  await expect.poll(() => test.app.live.listenersOf('private-records.leads')).toBe(0)
  const admin = (await connect(test, test.as('admin').token))!
  await join(test, 'admin', admin, 'private-records.leads')
  const heardByAdmin = next(admin, 'changed')
  test.app.live.changed('leads', [id], null)
  await heardByAdmin
  // The answer would come after the event, because one socket receives everything in order.
  await crm.emitWithAck('subscribe', undefined)
  expect(heard).toHaveLength(1)
})

test("users receive events of leads of their own products only, and of no one else's operation", async () => {
  const test = await startListening()
  await test.db
    .deleteFrom('staff_products')
    .where('staff_id', '=', test.as('crm').id)
    .where('product_id', '=', 2)
    .execute()
  const crm = (await connect(test, test.as('crm').token))!
  const admin = (await connect(test, test.as('admin').token))!
  await join(test, 'crm', crm, 'private-records.leads')
  await join(test, 'admin', admin, 'private-records.leads')
  expect(await join(test, 'crm', crm, 'private-records.leads#2')).toEqual({ status: 403, joined: false })
  const heard: Record<string, number[][]> = { crm: [], admin: [] }
  crm.on('changed', ({ ids }: { ids: number[] }) => heard['crm']!.push(ids))
  admin.on('changed', ({ ids }: { ids: number[] }) => heard['admin']!.push(ids))
  const [own, foreign] = [
    await enterLead(test.db, { lead_for: 1 }),
    await enterLead(test.db, { lead_for: 2 }),
  ]
  const asked: number[][] = []
  test.app.live.setProductsOf('leads', async (ids) => {
    asked.push([...ids])
    return ids.map((id) => ({ id, product: id === own ? 1 : 2 }))
  })
  test.app.live.changed('leads', [foreign], test.as('admin').id)
  test.app.live.changed('leads', [foreign, own], test.as('admin').id)
  await expect.poll(() => heard['admin']!.length).toBe(3)
  expect(heard['crm']).toEqual([[own]])
  // Simultaneous changes share a single query, and a change without IDs needs none.
  expect(asked).toEqual([[foreign, own]])
  test.app.live.changed('leads', [], test.as('admin').id)
  await expect.poll(() => heard['admin']!.length).toBe(4)
  expect([heard['crm']!.at(-1), asked.length]).toEqual([[], 1])
  // A socket that has left the channel receives nothing.
  crm.emit('unsubscribe', { channel: 'private-records.leads' })
  await expect.poll(() => test.app.live.listenersOf('private-records.leads')).toBe(1)
  test.app.live.changed('leads', [own], null)
  await expect.poll(() => heard['admin']!.length).toBe(5)
  expect(heard['crm']).toHaveLength(2)
})

test('logout closes the sockets of that session and of no other', async () => {
  const test = await startListening()
  const [mine, others] = [
    (await connect(test, test.as('crm').token))!,
    (await connect(test, test.as('admin').token))!,
  ]
  const closed = next(mine, 'disconnect')
  await test.as('crm').post('/auth/logout')
  await closed
  expect(others.connected).toBe(true)
})

test("a socket does not outlive its session: neither an expired one nor a banned user's", async () => {
  const test = await startListening()
  const [banned, expired, alive] = [
    (await connect(test, test.as('crm').token))!,
    (await connect(test, test.as('editor').token))!,
    (await connect(test, test.as('admin').token))!,
  ]
  await test.db
    .updateTable('staff')
    .set({ banned_at: test.clock.now().toISOString() })
    .where('user_name', '=', 'crm')
    .execute()
  await test.db
    .updateTable('sessions')
    .set({ expires_at: '2026-03-01T00:00:00Z' })
    .where('staff_id', '=', test.as('editor').id)
    .execute()
  const closed = Promise.all([next(banned, 'disconnect'), next(expired, 'disconnect')])
  await test.app.live.checkSockets()
  await closed
  expect(alive.connected).toBe(true)
})

test('a 1 MB frame ends its connection and no other', async () => {
  const test = await startListening()
  const [sender, other] = [
    (await connect(test, test.as('crm').token))!,
    (await connect(test, test.as('admin').token))!,
  ]
  await join(test, 'admin', other, 'private-records.roles')
  const closed = next(sender, 'disconnect')
  sender.emit('subscribe', { channel: 'x'.repeat(1_000_000) })
  await closed
  const heard = next(other, 'changed')
  test.app.live.changed('roles', [1], null)
  expect(await heard).toMatchObject({ ids: [1] })
})

test('a client that never reads is disconnected, and the others receive everything', async () => {
  const test = await startListening()
  const [stuck, reads] = [
    (await connect(test, test.as('crm').token))!,
    (await connect(test, test.as('admin').token))!,
  ]
  const room = 'private-authors-chat'
  await join(test, 'crm', stuck, room)
  await join(test, 'admin', reads, room)
  expect(test.app.live.listenersOf(room)).toBe(2)
  ;(stuck.io.engine as unknown as { transport: { ws: { pause: () => void } } }).transport.ws.pause()
  let heard = 0
  reads.on('filler', () => (heard += 1))
  const filler = 'x'.repeat(5000)
  let sent = 0
  while (test.app.live.listenersOf(room) > 1 && sent < 20_000) {
    for (let n = 0; n < 100; n += 1) test.app.live.send(room, 'filler', filler)
    sent += 100
    // Give the other sockets time to read, as they would have at a realistic rate.
    await expect.poll(() => heard, { interval: 2 }).toBe(sent)
  }
  expect(test.app.live.listenersOf(room)).toBe(1)
  expect(sent).toBeLessThan(20_000)
})

test('an unreadable notice ends nothing', async () => {
  const test = await startListening()
  const admin = (await connect(test, test.as('admin').token))!
  await join(test, 'admin', admin, 'private-records.roles')
  const other = await startAnother(test)
  await sendUntilHeard(other, admin)
  for (const nonsense of ['not JSON', '{}', '{"from":"x","published":1}', '[]', 'null'])
    await test.app.pool.query('select pg_notify($1, $2)', ['live', nonsense])
  let heard: unknown
  admin.on('changed', ({ ids }) => (heard = ids))
  other.live.changed('roles', [2], null)
  await expect.poll(() => heard).toEqual([2])
})

test('two processes on one database notify each other', async () => {
  const test = await startListening()
  const other = await startAnother(test)
  const socket = (await connect({ app: other }, test.as('admin').token))!
  const { auth } = await test
    .as('admin')
    .post('/broadcasting/auth', { socket_id: socket.id, channel_name: 'private-records.roles' })
  expect(await socket.emitWithAck('subscribe', { channel: 'private-records.roles', auth })).toEqual({
    joined: true,
  })
  await sendUntilHeard(test.app, socket)
  const closed = next(socket, 'disconnect')
  await test.as('admin').post('/auth/logout')
  await closed
})

test('a typo in a live name does not compile', async () => {
  const { app } = await startTestApp()
  // @ts-expect-error this name does not exist
  app.live.changed('organisation', [1], null)
  // @ts-expect-error nor here
  expect(() => app.live.onChanged('contracts', () => {})).not.toThrow()
})

test('a socket that floods the server with subscriptions is closed, one that joins many channels is not', async () => {
  const test = await startListening()
  const [calm, flooding] = [
    (await connect(test, test.as('crm').token))!,
    (await connect(test, test.as('designer').token))!,
  ]
  const joined = await Promise.all(
    Array.from({ length: 60 }, () => calm.emitWithAck('subscribe', { channel: 'x', auth: 'x' })),
  )
  expect(joined).toHaveLength(60)
  const closed = new Promise((done) => flooding.once('disconnect', done))
  const { token } = test.as('designer')
  const auth = { headers: { Authorization: `Bearer ${token}` } }
  for (let count = 0; count < 2000; count += 1)
    flooding.emit('subscribe', { channel: 'private-records.leads', auth })
  await closed
  expect(calm.connected).toBe(true)
})

/**
 * Assigns only these products to a user, listens to a channel as that user, and collects the IDs they
 * receive.
 */
async function hearAs(test: TestApp, who: string, products: number[], channel: string): Promise<number[][]> {
  const staff_id = test.as(who).id
  await test.db.deleteFrom('staff_products').where('staff_id', '=', staff_id).execute()
  await test.db
    .insertInto('staff_products')
    .values(products.map((product_id) => ({ staff_id, product_id })))
    .execute()
  const socket = (await connect(test, test.as(who).token))!
  expect(await join(test, who, socket, channel)).toEqual({ status: 200, joined: true })
  const heard: number[][] = []
  socket.on('changed', ({ ids }: { ids: number[] }) => heard.push(ids))
  return heard
}

test('many changes reach the listeners of every product, not only of the first hundred records', async () => {
  const test = await startListening()
  const heard = await hearAs(test, 'crm', [2], 'private-records.leads')
  const ids = []
  for (const lead_for of [...Array<number>(120).fill(1), 2]) ids.push(await enterLead(test.db, { lead_for }))
  test.app.live.changed('leads', ids, null)
  await expect.poll(() => heard).toEqual([[ids.at(-1)]])
  // If a large number of records changed, the notification says only that something changed.
  test.app.live.changed('leads', Array<number>(5000).fill(ids[0]!), null)
  await expect.poll(() => heard).toEqual([[ids.at(-1)], []])
})

test('the viewers of the product that a record left hear that their list changed', async () => {
  const test = await startListening()
  const lead_id = await enterLead(test.db, { lead_for: 1 })
  const heard = await hearAs(test, 'crm', [1], 'private-records.leads')
  const reply = await test
    .as('super_admin')
    .post('/admin/users/update-demo-requests', { lead_id, lead_for: 2 })
  expect(reply).toMatchObject({ status: 200 })
  await expect.poll(() => heard).toEqual([[]])

  const [one, two] = [await enterOrganization(test.db), await enterOrganization(test.db, {}, [2])]
  const users = await hearAs(test, 'csm', [1], 'private-records.customer_user')
  const id = await enterUser(test.db, one, 'Aino')
  const { operation } = await test
    .as('super_admin')
    .post('/admin/users/update-org-user', { id, organization_id: two })
  await expect.poll(() => users).toEqual([[]])
  await test.as('super_admin').post(`/admin/operations/${operation.id}/undo`)
  await expect.poll(() => users).toEqual([[], [id]])
})

test('the viewers of a product that was removed from an organization hear that their list changed', async () => {
  const test = await startListening()
  const id = await enterOrganization(test.db, {}, [1, 2])
  const heard = await hearAs(test, 'csm', [1], 'private-records.organization')
  const { operation } = await test
    .as('super_admin')
    .post(`/admin/organization/${id}/update`, { product_ids: [2] })
  await expect.poll(() => heard).toEqual([[]])
  await test.as('super_admin').post(`/admin/operations/${operation.id}/undo`)
  await expect.poll(() => heard).toEqual([[], [id]])
})

test('the viewers of the product that a merged lead left hear that their list changed', async () => {
  const test = await startListening()
  const keep = await enterLead(test.db, { lead_for: 1 })
  const other = await enterLead(test.db, { lead_for: 2 })
  const heard = await hearAs(test, 'crm', [1], 'private-records.leads')
  const body = { keep, other, keep_version: 1, other_version: 1, take: ['lead_for'] }
  const { operation } = await test.as('super_admin').post('/admin/users/merge-leads', body)
  await expect.poll(() => heard).toEqual([[]])
  await test.as('super_admin').post(`/admin/operations/${operation.id}/undo`)
  await expect.poll(() => heard).toEqual([[], [keep]])
  await test.as('super_admin').post(`/admin/operations/${operation.id}/redo`)
  await expect.poll(() => heard).toEqual([[], [keep], []])
})

test('the channel of every record type tells of the products of its listener only', async () => {
  const test = await startListening()
  const heard = await hearAs(test, 'development_lead', [1], 'private-records.task')
  const [own, foreign] = [await enterTask(test.db), await enterTask(test.db, { product_id: 2 })]
  for (const id of [foreign, own])
    await test.as('super_admin').post(`/common/task/${id}`, { title: 'Sort the racks again' })
  await expect.poll(() => heard).toEqual([[own]])
})
