import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import pg from 'pg'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { asHttpError } from '#server/http/errors.ts'

const foreign = [
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { purpose: 'prefetch' },
  { 'sec-purpose': 'prefetch;prerender' },
]
const securityNames = [
  'content-security-policy',
  'x-content-type-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
]

/** Sends a request over the network with its URL exactly as written, because `inject` would normalize it. */
const ask = (port: number | string, { body, ...options }: RequestOptions & { body?: string }) =>
  new Promise<IncomingMessage>((done, fail) => {
    httpRequest({ host: '127.0.0.1', port, ...options }, (response) => done(response.resume()))
      .once('error', fail)
      .end(body)
  })

test.each(['/api/', '/%61pi/', '/a%70i/', 'http://evil.example/api/'])(
  'the rules of the API apply to addresses that start with %s',
  async (prefix) => {
    const { app, as } = await startTestApp()
    const { port } = new URL(await app.listen())
    const authorization = `Bearer ${as('crm').token}`
    const login = { method: 'POST', path: `${prefix}auth/login`, body: 'username=crm&password=demo-password' }
    for (const headers of foreign) {
      const read = await ask(port, { path: `${prefix}auth/sessions`, headers: { authorization, ...headers } })
      expect([headers, read.statusCode]).toEqual([headers, 403])
      const write = await ask(port, {
        ...login,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      })
      expect([headers, write.statusCode]).toEqual([headers, 403])
    }
    const own = await ask(port, { path: `${prefix}auth/sessions`, headers: { authorization } })
    expect(own.statusCode).toBe(200)
    expect(own.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
  },
)

test('refusals carry the security headers: of another site, of a malformed URL, of no URL', async () => {
  const { app } = await startTestApp()
  const replies = [
    [403, await app.http.inject({ url: '/api/auth/sessions', headers: { 'sec-fetch-site': 'cross-site' } })],
    [400, await app.http.inject('/api/%')],
    [404, await app.http.inject('/api/nothing')],
  ] as const
  for (const [status, reply] of replies) {
    expect(reply.statusCode).toBe(status)
    expect(Object.keys(reply.headers)).toEqual(expect.arrayContaining(securityNames))
  }
})

test('the live port answers with security headers, and waits no longer for slow headers than the panel', async () => {
  const { app } = await startTestApp()
  await app.listen()
  for (const path of ['/', '/socket.io/?EIO=4&transport=polling'])
    expect(Object.keys((await ask(app.addresses.livePort, { path })).headers)).toEqual(
      expect.arrayContaining(securityNames),
    )
  const socket = connect(app.addresses.livePort, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n')
  // Without the panel's limit, Node waits longer than a test may take.
  await new Promise((done) => socket.once('close', done).resume())
})

test.each(['9999-12-31', '9999-12-25', '0001-01-01', '1899-12-31', '2200-01-01'])(
  'the date %s is refused wherever a date is sent',
  async (day) => {
    const { as } = await startTestApp()
    const admin = as('admin')
    for (const path of [
      `/admin/users/lead-numbers?today=${day}`,
      `/admin/users/get-demo-leads?today=${day}`,
      `/admin/users/get-demo-requests?today=${day}&followup_filter=3`,
      `/admin/users/export-leads?today=${day}&followup_filter=4`,
      `/admin/users/demo-schedule?from=${day}&to=${day}`,
    ])
      expect([path, (await admin.get(path)).status]).toEqual([path, 422])
  },
)

test.each(['1900-01-01', '2199-12-31'])('the date %s, the last one accepted, breaks nothing', async (day) => {
  const { as } = await startTestApp()
  const admin = as('admin')
  for (const path of [
    `/admin/users/lead-numbers?today=${day}`,
    `/admin/users/get-demo-leads?today=${day}`,
    ...['0', '1', '2', '3', '4'].map(
      (filter) => `/admin/users/get-demo-requests?today=${day}&followup_filter=${filter}`,
    ),
    `/admin/users/demo-schedule?from=${day}&to=${day}&timezone=Pacific/Kiritimati`,
  ])
    expect([path, (await admin.get(path)).status]).toEqual([path, 200])
})

test('a body nested deeper than 64 levels is refused; brackets in a text do not count', async () => {
  const { as } = await startTestApp()
  const crm = as('crm')
  const { data: lead } = await crm.post('/admin/users/save-demo-requests', {
    companyName: 'Aalto Linen',
    lead_for: 1,
  })
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const change = (phone: string) =>
    crm.send(
      'POST',
      '/admin/users/update-demo-requests',
      `{"lead_id":${lead.lead_id},"version":99,"phone":"1","base":{"phone":${phone}}}`,
      {
        headers: { 'content-type': 'application/json', 'idempotency-key': 'deep-json-1' },
      },
    )
  for (const levels of [63, 3000, 5000, 400_000])
    expect([levels, (await change(nested(levels))).status]).toEqual([levels, 400])
  expect((await change(nested(62))).status).toBe(409)
  expect((await change(JSON.stringify(`\\"${'['.repeat(100)}`))).status).not.toBe(400)
})

test('HEAD on a GET that writes is 405 and writes nothing', async () => {
  const { app, as, db } = await startTestApp()
  const { data: lead } = await as('crm').post('/admin/users/save-demo-requests', {
    companyName: 'Aalto Linen',
    lead_for: 1,
  })
  const reply = await as('crm').send('HEAD', `/admin/users/change-lead-status?id=${lead.lead_id}&status=3`)
  expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET'])
  expect(await db.selectFrom('leads').select('status').executeTakeFirst()).toEqual({ status: lead.status })
  // On a read-only endpoint, HEAD works as usual in HTTP.
  expect((await app.http.inject({ method: 'HEAD', url: '/api/config' })).statusCode).toBe(200)
})

test('a method that an address doesn’t have is refused before the body is read, with the methods that it has', async () => {
  const { app } = await startTestApp()
  for (const url of ['/api/auth/admin-user', '/%61pi/auth/admin-user', '/api/auth/admin-user?_method=PUT']) {
    const reply = await app.http.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      payload: '{',
    })
    expect([url, reply.statusCode, reply.headers['allow']]).toEqual([url, 405, 'GET'])
    expect(reply.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
  }
  expect((await app.http.inject({ method: 'OPTIONS', url: '/api/auth/admin-user' })).statusCode).toBe(405)
  expect((await app.http.inject({ method: 'POST', url: '/api/nothing', payload: '{' })).statusCode).toBe(404)
})

test('a form that is refused midway closes its connection, so that no further request waits behind the rest', async () => {
  const { app, as } = await startTestApp()
  await app.listen()
  const { port } = app.http.server.address() as AddressInfo
  const head = [
    'POST /api/common/task/save HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${as('super_admin').token}`,
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Length: 20000000',
  ]
  const part = '--x\r\nContent-Disposition: form-data; name="wrong"; filename="a.txt"\r\n\r\n'
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes) => (answer += String(bytes))).on('error', () => {})
  socket.write(`${head.join('\r\n')}\r\n\r\n${part}${'a'.repeat(300_000)}`)
  await once(socket, 'close')
  expect(answer).toMatch(/^HTTP\/1\.1 422 [^]*connection: close/i)
})

test('with LIVE_URL, browsers learn that address, and their pages may connect to it and to no other', async () => {
  const connections = async (env: Record<string, string>) => {
    const { app, as } = await startTestApp({ env })
    const { headers } = await app.http.inject('/')
    const policy = String(headers['content-security-policy'])
    return [(await as(undefined).get('/config')).live_url, /connect-src ([^;]*)/.exec(policy)?.[1]]
  }
  expect(await connections({ LIVE_URL: 'https://live.example.com' })).toEqual([
    'https://live.example.com',
    "'self' https://live.example.com wss://live.example.com",
  ])
  expect(await connections({ PUBLIC_URL: 'https://panel.example.com', LIVE_PORT: '6001' })).toEqual([
    null,
    "'self' https://panel.example.com:6001 wss://panel.example.com:6001",
  ])
})

test('a full disk of the database is a 507 with a sentence', () => {
  const error = Object.assign(new pg.DatabaseError('could not extend file', 1, 'error'), { code: '53100' })
  expect(asHttpError(error)).toMatchObject({ status: 507, message: expect.stringContaining('disk space') })
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:50001', '203.0.113.9'],
  ['[2001:db8::9]:50001', '2001:db8::9'],
  ['[2001:db8::9]', '2001:db8::9'],
  ['2001:db8::9', '2001:db8::9'],
  ['192.0.2.1, 203.0.113.9:50001', '203.0.113.9'],
])('a client behind a proxy that sends X-Forwarded-For: %s has the address %s', async (sent, address) => {
  const { app, db } = await startTestApp({
    env: { TRUST_PROXY: '1', DEMO_PASSWORD: 'a long other password' },
  })
  await app.http.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'x-forwarded-for': sent },
    payload: { username: 'crm', password: 'wrong-password' },
  })
  const newest = db.selectFrom('sign_ins').select('address').orderBy('id', 'desc')
  expect(await newest.executeTakeFirst()).toEqual({ address })
})
