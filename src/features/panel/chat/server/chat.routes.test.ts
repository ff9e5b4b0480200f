import Echo from 'laravel-echo'
import { io } from 'socket.io-client'
import { expect, onTestFinished, test } from 'vitest'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'
import { startAnother, startTestApp, type TestApp } from '#app/testing/start.testing.ts'

const texts = ({ data }: { data?: { message: string }[] }) => data?.map(({ message }) => message)

/** Connects a standard Echo client that collects messages in the order received. */
function echo(
  { live, addresses }: Pick<TestApp['app'], 'live' | 'addresses'>,
  token: string,
): {
  heard: { id: number; message: string }[]
  subscribed: Promise<void>
  stop: () => void
  isConnected: () => boolean
} {
  const client = new Echo({
    broadcaster: 'socket.io',
    client: io,
    host: `http://127.0.0.1:${addresses.livePort}`,
    auth: { headers: { Authorization: `Bearer ${token}` } },
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
  })
  const heard: { id: number; message: string }[] = []
  const room = client
    .private('authors-chat')
    .listen('.message.sent', (message: { id: number; message: string }) => heard.push(message))
  const socket = (room as unknown as { socket: ReturnType<typeof io> }).socket
  const stop = () => void socket.disconnect()
  onTestFinished(stop)
  const subscribed = new Promise<void>((done, fail) => {
    socket.once('connect', done)
    socket.once('connect_error', fail)
  }).then(() => expect.poll(() => live.listenersOf('private-authors-chat')).toBe(1))
  return { heard, subscribed, stop, isConnected: () => socket.connected }
}

async function listening(options: Parameters<typeof startTestApp>[0] = {}): Promise<TestApp> {
  const started = await startTestApp(options)
  await started.app.listen()
  return started
}

test('chat.list: ten at a time, newest first, older ones by the id of the oldest; an empty answer is the end', async () => {
  const { as } = await startTestApp()
  for (let n = 1; n <= 20; n += 1) await as('qa').post('/admin/messages', { message: `Message ${n}` })
  const first = await as('designer').get('/admin/messages?limit=10')
  expect(texts(first as never)).toEqual(Array.from({ length: 10 }, (_, at) => `Message ${20 - at}`))
  expect(first['data'][0]).toMatchObject({
    id: expect.any(Number),
    user: { slug: expect.any(String), name: expect.any(String), avatar: null },
  })
  const second = await as('designer').get(`/admin/messages?limit=10&id=${first['data'][9].id}`)
  expect(texts(second as never)?.[9]).toBe('Message 1')
  expect(await as('designer').get(`/admin/messages?limit=10&id=${second['data'][9].id}`)).toMatchObject({
    status: 200,
    data: [],
  })
  expect(texts((await as('designer').get(`/admin/messages?after=${first['data'][1].id}`)) as never)).toEqual([
    'Message 20',
  ])
})

test('chat.send: every signed-in role can send messages, others cannot', async () => {
  const { as } = await startTestApp()
  for (const role of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] as const)
    expect(await as(role).post('/admin/messages', { message: `Role ${role}` })).toMatchObject({
      status: 200,
      data: { user: { id: as(role).id } },
    })
  expect(await as(undefined).post('/admin/messages', { message: 'x' })).toMatchObject({ status: 401 })
  expect(await as(undefined).get('/admin/messages')).toMatchObject({ status: 401 })
})

test.each([
  ['nothing', { message: '' }],
  ['blanks', { message: ' \n ' }],
  ['100 kB', { message: 'x'.repeat(100_000) }],
  ['5001 characters', { message: 'x'.repeat(5001) }],
  ['NUL', { message: 'a\u0000b' }],
  ['no text', { message: ['a'] }],
])('%s is refused at the field, and nothing is stored', async (_what, body) => {
  const { as } = await startTestApp()
  expect(await as('qa').post('/admin/messages', body)).toMatchObject({
    status: 422,
    errors: { message: [expect.any(String)] },
  })
  expect(await as('qa').get('/admin/messages')).toMatchObject({ data: [] })
})

test.each(['limit=abc', 'limit=0', 'id=0', 'id=-1', 'after=x'])('?%s is 422', async (query) => {
  const { as } = await startTestApp()
  expect(await as('qa').get(`/admin/messages?${query}`)).toMatchObject({ status: 422 })
})

test('the same message sent again with its client id is stored once; HTML stays text', async () => {
  const { as } = await startTestApp()
  const body = { message: '<img src=x onerror=alert(1)>', client_id: crypto.randomUUID() }
  const { data } = await as('qa').post('/admin/messages', body)
  expect(await as('qa').post('/admin/messages', body)).toMatchObject({
    data: { id: data.id, message: body.message },
  })
  expect((await as('qa').get('/admin/messages'))['data']).toHaveLength(1)
})

test("unread counts other users' messages since, and never goes back", async () => {
  const { as } = await startTestApp()
  const { data } = await as('qa').post('/admin/messages', { message: 'One' })
  await as('qa').post('/admin/messages', { message: 'Two' })
  expect(await as('crm').get('/admin/messages/unread')).toMatchObject({ count: 2, last_read_id: 0 })
  expect(await as('qa').get('/admin/messages/unread')).toMatchObject({ count: 0 })
  await as('crm').post('/admin/messages/read', { id: data.id + 1 })
  await as('crm').post('/admin/messages/read', { id: data.id })
  expect(await as('crm').get('/admin/messages/unread')).toMatchObject({ count: 0, last_read_id: data.id + 1 })
})

test("of 1,000 concurrent messages from one user 40 are accepted, and other users' messages are not held up", async () => {
  const { as } = await startTestApp({ env: { RATE_LIMITS: 'on' } })
  const replies = await Promise.all(
    Array.from({ length: 1000 }, (_, n) => as('qa').post('/admin/messages', { message: `${n}` })),
  )
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(960)
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(40)
  expect(await as('crm').post('/admin/messages', { message: 'Others continue' })).toMatchObject({
    status: 200,
  })
})

test('a standard Laravel Echo client receives messages sent to any process, complete and in order', async () => {
  const started = await listening()
  const other = await startAnother(started)
  const here = echo(started.app, started.as('qa').token)
  const there = echo(other, started.as('crm').token)
  await Promise.all([here.subscribed, there.subscribed])
  const long = 'ü'.repeat(5000)
  await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      started.as('designer').post('/admin/messages', { message: n === 7 ? long : `Message ${n}` }),
    ),
  )
  await expect.poll(() => [here.heard.length, there.heard.length]).toEqual([30, 30])
  for (const { heard } of [here, there]) {
    const ids = heard.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(heard.some(({ message }) => message === long)).toBe(true)
  }
})

test('without a token, with a dead one, or with an ended session a client receives nothing', async () => {
  const started = await listening()
  await expect(echo(started.app, '').subscribed).rejects.toThrow()
  await expect(echo(started.app, 'A'.repeat(43)).subscribed).rejects.toThrow()
  const other = await startAnother(started)
  const client = echo(other, started.as('qa').token)
  await client.subscribed
  await started.as('qa').post('/auth/logout')
  await expect.poll(() => client.isConnected()).toBe(false)
})

test('the tab that sent a message does not get its event', async () => {
  const started = await listening()
  const socket = io(`http://127.0.0.1:${started.app.addresses.livePort}`, {
    auth: { token: started.as('qa').token },
    transports: ['websocket'],
    forceNew: true,
  })
  onTestFinished(() => void socket.disconnect())
  await new Promise((done) => socket.once('connect', () => done(undefined)))
  const { auth } = await started
    .as('qa')
    .post('/broadcasting/auth', { socket_id: socket.id, channel_name: 'private-authors-chat' })
  await socket.emitWithAck('subscribe', { channel: 'private-authors-chat', auth })
  const heard: string[] = []
  socket.on('message.sent', (_channel: string, { message }: { message: string }) => heard.push(message))
  await started
    .as('qa')
    .post('/admin/messages', { message: 'Mine' }, { headers: { 'x-socket-id': socket.id! } })
  await started.as('qa').post('/admin/messages', { message: 'From my other tab' })
  await expect.poll(() => heard).toEqual(['From my other tab'])
})

test('a message notifies the people that it mentions, without an email, and leads to the message', async () => {
  const { as, db, live } = await startTestApp()
  const body = {
    message: '@Paula Ferreira can you take the demo?',
    tag_user: [as('crm').id, as('qa').id],
    client_id: crypto.randomUUID(),
  }
  const { data } = await as('qa').post('/admin/messages', body)
  await as('qa').post('/admin/messages', body)
  expect(await as('crm').get('/admin/notices')).toMatchObject({
    data: [{ record_type: 'chat', record_id: 0, anchor: `chat-${data.id}`, words: body.message }],
  })
  expect(await as('qa').get('/admin/notices')).toMatchObject({ data: [] })
  expect(live).toContainEqual({ channel: `private-staff.${as('crm').id}`, event: 'notices', payload: {} })
  expect(await db.selectFrom('mails').select('kind').execute()).toEqual([])
})

test('a message that mentions someone who cannot sign in is refused and not stored', async () => {
  const { as, db } = await startTestApp()
  await db.updateTable('staff').set({ banned_at: '2026-03-16' }).where('id', '=', as('crm').id).execute()
  for (const id of [as('crm').id, 999_999])
    expect(await as('qa').post('/admin/messages', { message: 'Hello', tag_user: [id] })).toMatchObject({
      status: 422,
      errors: { tag_user: [expect.any(String)] },
    })
  expect(await as('qa').get('/admin/messages')).toMatchObject({ data: [] })
})

test('a user who muted the chat gets no more notices from it', async () => {
  const { as } = await startTestApp()
  const mention = () =>
    as('qa').post('/admin/messages', { message: '@Paula Ferreira', tag_user: [as('crm').id] })
  await mention()
  const [notice] = (await as('crm').get('/admin/notices'))['data']
  expect(await as('crm').post(`/admin/notices/mute/${notice.id}`, { muted: true })).toMatchObject({
    status: 200,
  })
  await mention()
  expect((await as('crm').get('/admin/notices'))['data']).toHaveLength(1)
})

test('a user mutes and unmutes the chat itself, for themselves only', async () => {
  const { as } = await startTestApp()
  const mention = (who: 'crm' | 'editor') =>
    as('qa').post('/admin/messages', { message: '@You', tag_user: [as(who).id] })
  expect(await as('crm').post('/admin/messages/mute', { muted: true })).toMatchObject({ status: 200 })
  expect(await as('crm').get('/admin/messages/unread')).toMatchObject({ muted: true })
  expect(await as('editor').get('/admin/messages/unread')).toMatchObject({ muted: false })
  await mention('crm')
  await mention('editor')
  expect(await as('crm').get('/admin/notices')).toMatchObject({ data: [] })
  expect((await as('editor').get('/admin/notices'))['data']).toHaveLength(1)
  await as('crm').post('/admin/messages/mute', { muted: false })
  await mention('crm')
  expect((await as('crm').get('/admin/notices'))['data']).toHaveLength(1)
  expect(await as(undefined).post('/admin/messages/mute', { muted: true })).toMatchObject({ status: 401 })
})

test('records.cards: names and states of the records that the reader can open, and nothing of the others', async () => {
  const { as, db } = await startTestApp()
  const { lead_id } = await db
    .insertInto('leads')
    .values({ lead_for: 1, lead_type: 1, company_name: 'Aalto Linen' })
    .returning('lead_id')
    .executeTakeFirstOrThrow()
  const { id: ticket } = await enterTicket(db)
  const task = await enterTask(db, { title: 'Fix the scanner' })
  const path = `/admin/records/cards?records=lead:${lead_id},ticket:${ticket},task:${task},designer_task:${task}`
  const namedFor = async (who: string | undefined) =>
    ((await as(who).get(path))['data'] as { type: string }[]).map(({ type }) => type).toSorted()
  expect((await as('super_admin').get(path))['data']).toContainEqual({
    type: 'lead',
    id: lead_id,
    name: 'Aalto Linen',
    state: { name: 'New', tone: expect.any(String) },
  })
  expect((await as('developer').get(path))['data']).toEqual([
    {
      type: 'task',
      id: task,
      name: 'Fix the scanner',
      state: { name: expect.any(String), tone: expect.any(String) },
    },
  ])
  expect(await namedFor('super_admin')).toEqual(['lead', 'task', 'ticket'])
  expect(await namedFor('editor')).toEqual([])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 1)
    .execute()
  expect(await namedFor('crm')).not.toContain('lead')
  await as('super_admin').post('/admin/records/lead/trash', { ids: [lead_id] })
  expect(await namedFor('super_admin')).toEqual(['task', 'ticket'])
  expect(await as(undefined).get(path)).toMatchObject({ status: 401 })
  for (const records of ['', 'lead', 'lead:x', 'towel:1', Array(51).fill('lead:1').join(',')])
    expect(await as('qa').get(`/admin/records/cards?records=${records}`)).toMatchObject({ status: 422 })
})
