import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { endpoint } from '#shared/endpoint.ts'
import { requiredText } from '#shared/schemas.ts'
import { describeApi } from '#server/http/openapi.ts'
import { client, startTestApp, type Reply } from '#app/testing/start.testing.ts'

/*
 * Guarantees of the platform, tested on existing endpoints: teams are the simplest read, and roles the
 * simplest write.
 */

const rolesChange = { role_id: 6, grant: ['view_task'], revoke: [] }
const taskGrants = (db: Awaited<ReturnType<typeof startTestApp>>['db']) =>
  db
    .selectFrom('role_permissions')
    .select('permission')
    .where('role_id', '=', 6)
    .where('permission', '=', 'view_task')
    .execute()
const auditRows = (db: Awaited<ReturnType<typeof startTestApp>>['db']) =>
  db.selectFrom('audit_log').selectAll().orderBy('id').execute()

test('team.all, team.commonAll, and team.allType answer every signed-in role, by GET and, where the seeds are ambiguous, by POST', async () => {
  const { as } = await startTestApp()
  const expected = { status: 200, data: expect.arrayContaining([{ id: expect.any(Number), name: 'Design' }]) }
  expect(await as('designer').get('/team/all')).toMatchObject(expected)
  expect(await as('qa').get('/common/team/all')).toMatchObject(expected)
  expect(await as('qa').post('/common/team/all', {})).toMatchObject(expected)
  expect(await as('qa').get('/common/team/alltype')).toMatchObject({
    status: 200,
    data: expect.arrayContaining([{ id: expect.any(Number), name: 'Bug' }]),
  })
  for (const path of ['/team/all', '/common/team/all', '/common/team/alltype'])
    expect(await as(undefined).get(path)).toMatchObject({ status: 401 })
})

test('a POST that only reads leaves no audit row', async () => {
  const { as, db } = await startTestApp()
  await as('qa').post('/common/team/all', {})
  expect(await auditRows(db)).toEqual([])
})

test('a wrong method is 405 and names the allowed ones', async () => {
  const { as } = await startTestApp()
  const reply = await as('admin').send('DELETE', '/common/team/all')
  expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, POST'])
  expect(await as('admin').send('PUT', '/admin/roles/change-permissions', rolesChange)).toMatchObject({
    status: 405,
  })
})

test('a POST to a path that only has a DELETE is 405 without _method, and never deletes', async () => {
  const { as } = await startTestApp()
  const own = (await as('crm').get('/auth/sessions'))['data'][0].id
  for (const body of [{}, { _method: 'GET' }, { _method: 'PUT' }, { _method: '' }])
    expect(await as('crm').post(`/auth/sessions/${own}`, body)).toMatchObject({ status: 405 })
  expect(await as('crm').get('/auth/admin-user')).toMatchObject({ status: 200 })
})

test.each(['query', 'JSON', 'form', 'multipart'] as const)(
  '_method in the %s overrides the method',
  async (place) => {
    const { as } = await startTestApp()
    const me = as('crm')
    const { token } = await as(undefined).post('/auth/login', { username: 'crm', password: 'demo-password' })
    expect(token).toBeTruthy()
    const other = ((await me.get('/auth/sessions'))['data'] as { id: number; current: boolean }[]).find(
      (one) => !one.current,
    )!
    const path = `/auth/sessions/${other.id}`
    const reply =
      place === 'query'
        ? await me.post(`${path}?_method=DELETE`)
        : place === 'JSON'
          ? await me.post(path, { _method: 'DELETE' })
          : place === 'form'
            ? await me.send('POST', path, '_method=delete', {
                headers: { 'content-type': 'application/x-www-form-urlencoded' },
              })
            : await me.post(path, undefined, { form: { _method: 'DELETE' } })
    expect(reply).toMatchObject({ status: 200 })
    expect(((await me.get('/auth/sessions'))['data'] as unknown[]).length).toBe(1)
  },
)

test('a GET takes no override', async () => {
  const { as } = await startTestApp()
  const own = (await as('crm').get('/auth/sessions'))['data'][0].id
  expect(await as('crm').get(`/auth/sessions/${own}?_method=DELETE`)).toMatchObject({ status: 405 })
})

test('X-Permission changes nothing: missing, wrong, duplicated, or forged', async () => {
  const { as, db } = await startTestApp()
  for (const header of ['admin_users_list', 'lead_list, admin_users_list', '', 'x'.repeat(5000)]) {
    expect(
      await as('crm').get('/admin/users/get-all-users', { headers: { 'x-permission': header } }),
    ).toMatchObject({ status: 403 })
    expect(
      await as('crm').post('/admin/roles/change-permissions', rolesChange, {
        headers: { 'x-permission': header },
      }),
    ).toMatchObject({ status: 403 })
    expect(
      await as('admin').get('/admin/users/get-all-users', { headers: { 'x-permission': header } }),
    ).toMatchObject({ status: 200 })
  }
  expect(await taskGrants(db)).toEqual([])
})

test('a caller without permission is refused before the body is read', async () => {
  const { as } = await startTestApp()
  expect(
    await as(undefined).send('POST', '/admin/roles/change-permissions', '{ no json', {
      headers: { 'content-type': 'application/json' },
    }),
  ).toMatchObject({
    status: 401,
  })
})

test.each([
  ['text that is not JSON', '{ no json', 'application/json', 400],
  ['another content type', '<a/>', 'application/xml', 415],
  ['more than 1 MB', JSON.stringify({ x: 'x'.repeat(1_100_000) }), 'application/json', 413],
  ['10M', 'x'.repeat(10_000_000), 'application/json', 413],
  ['a multipart body without its boundary', 'x', 'multipart/form-data', 400],
  [
    'a truncated multipart body',
    '--b\r\nContent-Disposition: form-data; name="role_id"\r\n\r\n6',
    'multipart/form-data; boundary=b',
    400,
  ],
  ['an array', '[]', 'application/json', 422],
  ['a prototype', '{"__proto__":{"role_id":6}}', 'application/json', 400],
  ['a text', '"x"', 'application/json', 422],
  ['null', 'null', 'application/json', 422],
])('%s is clearly refused and changes nothing', async (_what, payload, type, status) => {
  const { as, db } = await startTestApp()
  const reply = await as('admin').send('POST', '/admin/roles/change-permissions', payload, {
    headers: { 'content-type': type },
  })
  expect(reply).toMatchObject({ status, message: expect.any(String), request_id: expect.any(String) })
  expect(await auditRows(db)).toEqual([])
})

test('an unknown parameter is refused by name, an unknown field of a body is dropped', async () => {
  const { as } = await startTestApp()
  expect(await as('admin').get('/common/team/all?color=red')).toMatchObject({
    status: 422,
    errors: { color: ['Unknown parameter.'] },
  })
  expect(await as('admin').get('/admin/users/get-all-users?role_id=1&role_id=2')).toMatchObject({
    status: 422,
    errors: { role_id: expect.any(Array) },
  })
  expect(
    await as('admin').post('/admin/roles/change-permissions', { ...rolesChange, created_at: 'x' }),
  ).toMatchObject({ status: 200 })
})

test('a write leaves one audit row with who, what, from where, before, and after', async () => {
  const { as, db } = await startTestApp()
  const reply = await as('admin').post('/admin/roles/change-permissions', rolesChange)
  const [row, ...others] = await auditRows(db)
  expect(others).toEqual([])
  expect(row).toMatchObject({
    staff_id: as('admin').id,
    endpoint: 'POST /admin/roles/change-permissions',
    target_type: 'role',
    target_id: 6,
    address: '127.0.0.1',
    request_id: reply.headers['x-request-id'],
  })
  const [before, after] = (row!.changes as { permissions: [string[], string[]] }).permissions
  expect(after.filter((name) => !before.includes(name))).toEqual(['view_task'])
})

test('secrets are masked in the audit log', async () => {
  const { as, db } = await startTestApp()
  await as('crm').post('/admin/users/reset-user-password', {
    oldPassword: 'demo-password',
    newPassword: 'a-new-password',
    id: as('crm').id,
  })
  const [row] = await auditRows(db)
  expect(row!.changes).toEqual({ password: ['•••', '•••'] })
})

test('a refused write leaves nothing behind, not even its key', async () => {
  const { as, db } = await startTestApp()
  expect(
    await as('admin').post(
      '/admin/roles/change-permissions',
      { role_id: 0, revoke: ['lead_list'] },
      { headers: { 'idempotency-key': 'a-key-of-mine' } },
    ),
  ).toMatchObject({ status: 409 })
  expect(await auditRows(db)).toEqual([])
  expect(await db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
})

test('a repeated request gets the first answer, and happens once', async () => {
  const { as, db } = await startTestApp()
  const send = () =>
    as('admin').post('/admin/roles/change-permissions', rolesChange, {
      headers: { 'idempotency-key': 'a-key-of-mine' },
    })
  const first = await send()
  expect(first.status).toBe(200)
  await as('admin').post('/admin/roles/change-permissions', { role_id: 6, revoke: ['view_task'] })
  expect(await send()).toEqual(first)
  expect(await taskGrants(db)).toEqual([])
  expect(await auditRows(db)).toHaveLength(2)
})

test('the reply of a write names what it changed; of a repeated one, that is unknown', async () => {
  const { as } = await startTestApp()
  const send = () =>
    as('admin').post('/admin/roles/change-permissions', rolesChange, {
      headers: { 'idempotency-key': 'a-key-of-mine' },
    })
  expect((await send()).headers['x-changed']).toBe('role,roles')
  expect((await send()).headers['x-changed']).toBe('*')
  const refused = await as('crm').post('/admin/roles/change-permissions', rolesChange)
  expect([refused.status, refused.headers['x-changed']]).toEqual([403, undefined])
})

test('the reply of a move to the trash names the lists of the records only, and of its undo the records', async () => {
  const { as } = await startTestApp()
  const { data } = await as('crm').post('/common/quick-task', { title: 'Call Cedar' })
  const trashed = await as('crm').post('/admin/records/quick_task/trash', { ids: [data.id] })
  expect(trashed.headers['x-changed']).toBe('quick_task;lists')
  const undone = await as('crm').post(`/admin/operations/${trashed['operation'].id}/undo`)
  expect(undone.headers['x-changed']).toContain('quick_task')
  expect(undone.headers['x-changed']).not.toContain(';')
})

test('leads have one name, under which pages listen to them', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db)
  const noted = await as('crm').post(`/admin/general/notes/lead/${id}`, { note: 'Called.' })
  expect(noted.headers['x-changed']).toBe('leads')
  const trashed = await as('crm').post('/admin/records/lead/trash', { ids: [id] })
  expect(String(trashed.headers['x-changed']).split(',')).toContain('leads;lists')
})

test('eight concurrent requests with one key happen once', async () => {
  const { as, db } = await startTestApp()
  const replies = await Promise.all(
    Array.from({ length: 8 }, () =>
      as('admin').post('/admin/roles/change-permissions', rolesChange, {
        headers: { 'idempotency-key': 'one-key-for-all' },
      }),
    ),
  )
  expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
  expect(replies[0]).toMatchObject({ status: 200 })
  expect(await auditRows(db)).toHaveLength(1)
  // Control: without a key, each request is a separate change.
  await Promise.all(
    Array.from({ length: 3 }, () => as('admin').post('/admin/roles/change-permissions', rolesChange)),
  )
  expect(await auditRows(db)).toHaveLength(4)
})

test('a key used for another request, or malformed, is refused', async () => {
  const { as } = await startTestApp()
  const send = (body: object, key: string) =>
    as('admin').post('/admin/roles/change-permissions', body, { headers: { 'idempotency-key': key } })
  expect(await send(rolesChange, 'a-key-of-mine')).toMatchObject({ status: 200 })
  expect(await send({ ...rolesChange, role_id: 5 }, 'a-key-of-mine')).toMatchObject({ status: 422 })
  expect(await send(rolesChange, 'short')).toMatchObject({ status: 422 })
  // Keys are scoped to an admin user.
  expect(
    await as('super_admin').post('/admin/roles/change-permissions', rolesChange, {
      headers: { 'idempotency-key': 'a-key-of-mine' },
    }),
  ).toMatchObject({
    status: 200,
  })
})

test('calls from another site are refused, calls from our own pages and from outside a page are not', async () => {
  const { as, app } = await startTestApp()
  const own = app.addresses.publicUrl
  const status = async (headers: Record<string, string>) =>
    (await as('admin').get('/common/team/all', { headers })).status
  expect(await status({})).toBe(200)
  expect(await status({ origin: own, 'sec-fetch-site': 'same-origin' })).toBe(200)
  expect(await status({ origin: 'https://example.com' })).toBe(403)
  expect(await status({ origin: 'null' })).toBe(403)
  expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await status({ 'sec-fetch-site': 'same-site' })).toBe(403)
  expect(await status({ 'sec-purpose': 'prefetch' })).toBe(403)
})

test('every API response has the security headers and is not stored', async () => {
  const { as } = await startTestApp()
  for (const reply of [
    await as('admin').get('/common/team/all'),
    await as(undefined).get('/common/team/all'),
    await as('admin').get('/nothing-here'),
  ]) {
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-request-id': expect.any(String),
    })
    expect(reply.headers['x-powered-by']).toBeUndefined()
  }
})

test('an internal error is a 500 without internals, with the id under which it is logged', async () => {
  const { app, as, db } = await startTestApp()
  await db.schema.dropTable('task_types').cascade().execute()
  const reply = await as('admin').get('/common/team/alltype')
  expect(reply).toEqual({
    status: 500,
    message: 'Something went wrong on our end.',
    request_id: expect.any(String),
  })
  expect(app.implemented.length).toBeGreaterThan(0)
})

test('an unknown path of the API is 404 as JSON', async () => {
  const { as } = await startTestApp()
  for (const path of ['/nothing', '/admin/users/0x10', '/auth/login/x'])
    expect(await as('admin').get(path)).toMatchObject({ status: 404, message: expect.any(String) })
  for (const id of ['99999999999', 'abc', '-1', '1.5'])
    expect(await as('admin').send('DELETE', `/auth/sessions/${id}`)).toMatchObject({ status: 404 })
})

test("the hash stored with a key distinguishes passwords, and reveals nothing about them without the session's token", async () => {
  const { app, as, db } = await startTestApp()
  const { token } = await as(undefined).post('/auth/login', { username: 'crm', password: 'demo-password' })
  const send = (newPassword: string, key: string, who = as('crm')) =>
    who.post(
      '/admin/users/reset-user-password',
      { oldPassword: 'not-the-right-one', newPassword, id: as('crm').id },
      { headers: { 'idempotency-key': key } },
    )
  await send('one-password', 'first-key')
  await send('another-password', 'second-key')
  await send('one-password', 'third-key', client(app, token))
  const rows = await db.selectFrom('idempotency_keys').select('request_hash').orderBy('key').execute()
  const [one, another, ofAnotherSession] = rows.map(({ request_hash }) => request_hash.toString('hex'))
  expect(one).not.toBe(another)
  // The hash is keyed with the session's token, which is not stored.
  expect(one).not.toBe(ofAnotherSession)
})

test('the API description and its page are public', async () => {
  const { as } = await startTestApp()
  expect(await as(undefined).get('/openapi.json')).toMatchObject({
    openapi: '3.1.0',
    paths: expect.objectContaining({ '/auth/login': expect.anything() }),
  })
  expect((await as(undefined).get('/docs')).text).toContain('/api/auth/login')
})

test('the API description defines a repeated schema once, and every reference resolves', () => {
  const row = z.object({
    id: z.number().int(),
    title: z.string().max(200),
    text: z.string().max(5000),
    due_date: z.string().nullable(),
    done: z.boolean(),
  })
  const read = (path: string) =>
    endpoint({
      method: 'GET',
      path,
      summary: 'Rows.',
      access: 'signed-in',
      response: z.object({ data: z.array(row) }),
    })
  const described = JSON.stringify(describeApi([read('/one'), read('/other')], '1'))
  expect(described.split('"due_date":').length - 1).toBe(1)
  const { components } = JSON.parse(described) as { components: { schemas: object } }
  const references = [...described.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name!)
  expect(references.filter((name) => !(name in components.schemas))).toEqual([])
  expect(references).toContain('get_one')
})

test('responses above a kilobyte are compressed for clients that accept it', async () => {
  const { app, as } = await startTestApp()
  const ask = (encoding: string) =>
    app.http.inject({
      url: '/api/admin/roles',
      headers: {
        authorization: `Bearer ${as('admin').token}`,
        ...(encoding ? { 'accept-encoding': encoding } : {}),
      },
    })
  expect((await ask('br')).headers['content-encoding']).toBe('br')
  expect((await ask('gzip')).headers['content-encoding']).toBe('gzip')
  expect((await ask('')).headers['content-encoding']).toBeUndefined()
})

test('a handler that breaks its contract fails in tests', async () => {
  const { app, as } = await startTestApp()
  const broken = app.implemented.find(({ endpoint: shape }) => shape.path === '/common/team/alltype')!
  expect(await as('qa').get('/common/team/alltype')).toMatchObject({ status: 200 })
  broken.handler = async () => ({ data: [{ id: 'x' }] })
  expect(await as('qa').get('/common/team/alltype')).toMatchObject({ status: 500 })
})

test('an endpoint without access does not compile', () => {
  // @ts-expect-error access is missing
  endpoint({ method: 'GET', path: '/x', summary: 'x', query: z.object({ a: requiredText(1) }) })
  expect(client).toBeTypeOf('function')
})

test('while a change runs, PostgreSQL shows its request; afterward, the connection has its own name again', async () => {
  const { as, db } = await startTestApp()
  const names = async () => {
    const { rows } = await sql<{ application_name: string }>`select application_name from pg_stat_activity
      where datname = current_database() and application_name like 'admin-panel %'`.execute(db)
    return rows.map(({ application_name }) => application_name)
  }
  let shown: string[] = []
  let change: Promise<Reply> | undefined
  await db.transaction().execute(async (trx) => {
    await sql`lock table audit_log in exclusive mode`.execute(trx)
    change = as('admin').post('/common/quick-task', { title: 'Count the towels' })
    await expect.poll(async () => (shown = await names())).toHaveLength(1)
  })
  const { status, headers } = (await change)!
  expect([status, shown]).toEqual([200, [`admin-panel ${String(headers['x-request-id'])}`]])
  expect(await names()).toEqual([])
})
