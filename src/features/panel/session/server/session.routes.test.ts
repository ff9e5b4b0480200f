import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { client, startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { profileMessages } from '#features/admin/staff/input.contract.ts'
import { messages } from '#features/panel/session/contract.ts'
import { linkForMail, mailInvitation } from '#features/admin/staff/server/invitations.queries.ts'
import { cast } from '#server/db/seed/cast.ts'

const password = 'demo-password'
const signIn = (body: object) => ({ username: 'crm', password, rememberMe: false, ...body })

test('auth.login returns the user, a token, the products, their ids, and permissions', async () => {
  const { as } = await startTestApp()
  const reply = await as(undefined).post('/auth/login', signIn({}))
  expect(reply).toMatchObject({
    status: 200,
    user: {
      first_name: 'Paula',
      last_name: 'Ferreira',
      name: 'Paula Ferreira',
      role_id: 2,
      slug: 'crm',
      avatar: null,
    },
    user_product: [1, 2, 3, 4],
    products: [
      { id: 1, slug: expect.any(String), name: 'Linen', status: 1 },
      { id: 2, name: 'staffer' },
      { id: 3, name: 'equipmate' },
      { id: 4, name: 'lineniq' },
    ],
  })
  expect([...reply['user_permissions']].sort()).toEqual([...defaultGrants[2]].sort())
  expect(reply['token']).toMatch(/^[\w-]{43}$/)
})

test('auth.login accepts the email as the username, ignoring case', async () => {
  const { as } = await startTestApp()
  expect(
    await as(undefined).post('/auth/login', signIn({ username: 'Paula.Ferreira@Example.COM' })),
  ).toMatchObject({ status: 200 })
})

test.each([
  ['both empty', { username: '', password: '' }, messages.bothEmpty],
  ['an empty username', { username: '  ' }, messages.usernameEmpty],
  ['an empty password', { password: '' }, messages.passwordEmpty],
])('auth.login with %s says what is required', async (_what, body, message) => {
  const { as } = await startTestApp()
  expect(await as(undefined).post('/auth/login', signIn(body))).toMatchObject({ status: 422, message })
})

test('a wrong password, an unknown user, and a banned one get the same answer', async () => {
  const { as, db } = await startTestApp()
  await db
    .updateTable('staff')
    .set({ banned_at: '2026-03-01T00:00:00Z' })
    .where('user_name', '=', 'editor')
    .execute()
  for (const body of [{ password: 'wrong-password' }, { username: 'nobody' }, { username: 'editor' }]) {
    const { request_id: _, ...reply } = await as(undefined).post('/auth/login', signIn(body))
    expect(reply).toEqual({ status: 401, message: messages.loginFailed })
  }
})

test('the token is stored as a hash only, and a sign-in is in the audit log', async () => {
  const { as, db } = await startTestApp()
  const { token, user } = await as(undefined).post('/auth/login', signIn({}))
  const stored = await db.selectFrom('sessions').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  expect(stored.token_hash).toHaveLength(32)
  expect(JSON.stringify(stored)).not.toContain(token)
  expect(await db.selectFrom('audit_log').selectAll().execute()).toMatchObject([
    { staff_id: user.id, endpoint: 'POST /auth/login', target_type: 'session', target_id: stored.id },
  ])
})

test('the eleventh attempt after ten failures is 429 with Retry-After, and works again once the time has passed', async () => {
  const { as, db } = await startTestApp({ env: { RATE_LIMITS: 'on' } })
  for (let attempt = 0; attempt < 10; attempt++)
    expect(await as(undefined).post('/auth/login', signIn({ password: 'wrong-password' }))).toMatchObject({
      status: 401,
    })
  const refused = await as(undefined).post('/auth/login', signIn({}))
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(await as(undefined).post('/auth/login', signIn({ username: 'editor' }))).toMatchObject({
    status: 200,
  })
  await db.updateTable('login_failures').set({ expire: 1 }).execute()
  expect(await as(undefined).post('/auth/login', signIn({}))).toMatchObject({ status: 200 })
})

test('username and email count as one account', async () => {
  const { as } = await startTestApp({ env: { RATE_LIMITS: 'on' } })
  const statuses: number[] = []
  for (let attempt = 0; attempt < 6; attempt++)
    for (const username of ['crm', 'Paula.Ferreira@example.com'])
      statuses.push(
        (await as(undefined).post('/auth/login', signIn({ username, password: 'wrong-password' }))).status,
      )
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
})

test('strangers cannot lock out a user who has signed in from their address before', async () => {
  const { app } = await startTestApp({ env: { RATE_LIMITS: 'on' } })
  const from = async (remoteAddress: string, body: object) =>
    (await app.http.inject({ method: 'POST', url: '/api/auth/login', payload: signIn(body), remoteAddress }))
      .statusCode
  expect(await from('192.0.2.7', {})).toBe(200)
  for (let attempt = 0; attempt < 11; attempt++) await from('198.51.100.9', { password: 'wrong-password' })
  expect(await from('198.51.100.9', {})).toBe(429)
  expect(await from('203.0.113.5', {})).toBe(429)
  expect(await from('192.0.2.7', {})).toBe(200)
  // Attempts from this device are counted separately, with the same limit.
  for (let attempt = 0; attempt < 10; attempt++)
    expect(await from('192.0.2.7', { password: 'wrong-password' })).toBe(401)
  expect(await from('192.0.2.7', {})).toBe(429)
})

test("sign-ins, refusals, the first blocked attempt, and session ends are logged; a typed name only if it is an account's", async () => {
  const { app, as, db } = await startTestApp({ env: { RATE_LIMITS: 'on' } })
  const { before } = await db
    .selectFrom('sign_ins')
    .select((of) => of.fn.max('id').as('before'))
    .executeTakeFirstOrThrow()
  const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' }
  const { token } = await as(undefined).post('/auth/login', signIn({}), { headers })
  await as(undefined).post('/auth/login', signIn({ username: 'my secret password' }), { headers })
  for (let attempt = 0; attempt < 13; attempt++)
    await as(undefined).post('/auth/login', signIn({ username: 'editor', password: 'wrong-password' }))
  await client(app, token).post('/auth/logout')
  const rows = await db.selectFrom('sign_ins').selectAll().where('id', '>', before).orderBy('id').execute()
  const of = { staff_id: as('crm').id, user_name: 'crm', address: '127.0.0.1', device: 'Firefox on Windows' }
  expect(rows).toMatchObject([
    { ...of, outcome: 'signed_in' },
    { ...of, outcome: 'refused', staff_id: null, user_name: null },
    ...Array.from({ length: 10 }, () => ({
      staff_id: as('editor').id,
      user_name: 'editor',
      outcome: 'refused',
    })),
    { user_name: 'editor', outcome: 'locked' },
    { ...of, outcome: 'ended' },
  ])
  expect(JSON.stringify(rows)).not.toContain('secret')
  await expect(db.deleteFrom('sign_ins').execute()).rejects.toThrow('append-only')
})

test('thirty concurrent sign-ins neither starve other requests nor escape the count', async () => {
  const { as } = await startTestApp({ env: { RATE_LIMITS: 'on' } })
  const guesses = Array.from({ length: 30 }, () =>
    as(undefined).post('/auth/login', signIn({ password: 'wrong-password' })),
  )
  const meanwhile = await as('admin').get('/common/team/all')
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(meanwhile.status).toBe(200)
  expect(statuses.filter((status) => status === 401)).toHaveLength(10)
  expect(statuses.filter((status) => status === 429)).toHaveLength(20)
})

test('failed sign-ins with an odd name keep no one from changing their password', async () => {
  const { as } = await startTestApp({ env: { RATE_LIMITS: 'on' } })
  const me = as('crm')
  for (let attempt = 0; attempt < 11; attempt++)
    await as(undefined).post('/auth/login', { username: `password:${me.id}`, password: 'x' })
  expect(
    await me.post('/admin/users/reset-user-password', {
      oldPassword: password,
      newPassword: 'a-new-password',
      id: me.id,
    }),
  ).toMatchObject({
    status: 200,
    flag: false,
  })
})

const hour = 3_600_000
test.each([
  [false, 8 * hour - 60_000, true],
  [false, 8 * hour + 60_000, false],
  [true, 29 * 24 * hour, true],
  [true, 31 * 24 * hour, false],
])('a session with Remember me %s that was idle for %d ms is alive: %s', async (rememberMe, idle, alive) => {
  const { app, as, clock } = await startTestApp()
  const { token } = await as(undefined).post('/auth/login', signIn({ rememberMe }))
  clock.advance(idle)
  expect((await client(app, token).get('/auth/admin-user')).status).toBe(alive ? 200 : 401)
})

test('settings change how long sessions last, and how many attempts an account has', async () => {
  const env = {
    SESSION_HOURS: '3',
    IDLE_HOURS: '1',
    REMEMBER_DAYS: '2',
    ACCOUNT_ATTEMPTS: '3',
    RATE_LIMITS: 'on',
  }
  const { app, as, clock } = await startTestApp({ env })
  const open = async (rememberMe: boolean) =>
    client(app, (await as(undefined).post('/auth/login', signIn({ rememberMe })))['token'])
  const isOpen = async (one: TestClient) => (await one.get('/auth/admin-user')).status === 200

  expect(await as(undefined).get('/config')).toMatchObject({ remember_days: 2 })
  const idle = await open(false)
  const remembered = await open(true)
  clock.advance(hour - 60_000)
  expect([await isOpen(idle), await isOpen(remembered)]).toEqual([true, true])
  clock.advance(hour + 120_000)
  expect([await isOpen(idle), await isOpen(remembered)]).toEqual([false, true])
  clock.advance(46 * hour)
  expect(await isOpen(remembered)).toBe(false)

  const wrong = () => as(undefined).post('/auth/login', signIn({ password: 'a wrong password' }))
  const statuses = []
  for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await wrong()).status)
  expect(statuses).toEqual([401, 401, 401, 429])
})

test('a session in use all day ends after twelve hours', async () => {
  const { app, as, clock, db } = await startTestApp()
  const { token } = await as(undefined).post('/auth/login', signIn({}))
  const alive: number[] = []
  for (let used = 0; used < 13; used++) {
    clock.advance(hour - 1000)
    alive.push((await client(app, token).get('/auth/admin-user')).status)
    await expect
      .poll(
        async () =>
          (
            await db
              .selectFrom('sessions')
              .select('last_used_at')
              .orderBy('id', 'desc')
              .executeTakeFirstOrThrow()
          ).last_used_at === clock.now().toISOString() || alive.at(-1) === 401,
      )
      .toBe(true)
  }
  expect(alive).toEqual([...Array(12).fill(200), 401])
})

test.each(['', 'Bearer ', 'Bearer x', `Bearer ${'A'.repeat(43)}`, `Basic ${'A'.repeat(43)}`])(
  'the authorization "%s" is not a user',
  async (authorization) => {
    const { as } = await startTestApp()
    expect(await as(undefined).get('/auth/admin-user', { headers: { authorization } })).toMatchObject({
      status: 401,
      message: 'Sign in to continue.',
      request_id: expect.any(String),
    })
  },
)

test.each(roleIds)('auth.adminUser returns role %d its own permissions', async (role) => {
  const { as } = await startTestApp()
  const reply = await as(role).get('/auth/admin-user')
  expect(reply).toMatchObject({
    status: 200,
    user: { role_id: role, name: `${cast[role]!.first_name} ${cast[role]!.last_name}` },
  })
  expect([...reply['user_permissions']].sort()).toEqual([...defaultGrants[role]].sort())
})

test('auth.logout ends this session immediately and no other', async () => {
  const { app, as } = await startTestApp()
  const { token } = await as(undefined).post('/auth/login', signIn({}))
  const reply = await client(app, token).send('POST', '/auth/logout', undefined, {
    headers: { 'content-type': 'application/json' },
  })
  expect(reply).toMatchObject({ status: 204 })
  expect(await client(app, token).get('/auth/admin-user')).toMatchObject({ status: 401 })
  expect(await as('crm').get('/auth/admin-user')).toMatchObject({ status: 200 })
})

test('my sessions are listed with the current one marked, and one can be ended, with DELETE or _method', async () => {
  const { app, as } = await startTestApp()
  const agent = {
    headers: {
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0',
    },
  }
  const { token } = await as(undefined).send('POST', '/auth/login', signIn({}), agent)
  const mine = (await as('crm').get('/auth/sessions'))['data'] as {
    id: number
    current: boolean
    device: string
  }[]
  expect(mine).toHaveLength(2)
  const other = mine.find((one) => !one.current)!
  expect(other.device).toBe('Firefox on Windows')
  expect(await as('editor').send('DELETE', `/auth/sessions/${other.id}`)).toMatchObject({ status: 404 })
  expect(await client(app, token).get('/auth/admin-user')).toMatchObject({ status: 200 })
  expect(await as('crm').post(`/auth/sessions/${other.id}?_method=DELETE`)).toMatchObject({ status: 200 })
  expect(await client(app, token).get('/auth/admin-user')).toMatchObject({ status: 401 })
  const third = await as(undefined).post('/auth/login', signIn({}))
  const ids = (await as('crm').get('/auth/sessions'))['data'] as { id: number; current: boolean }[]
  expect(
    await as('crm').send('DELETE', `/auth/sessions/${ids.find((one) => !one.current)!.id}`),
  ).toMatchObject({ status: 200 })
  expect(await client(app, third['token']).get('/auth/admin-user')).toMatchObject({ status: 401 })
})

test('a user ends all other sessions in one go, but not the current one or those of other users', async () => {
  const { app, as } = await startTestApp()
  const first = await as(undefined).post('/auth/login', signIn({}))
  const second = await as(undefined).post('/auth/login', signIn({ rememberMe: true }))
  const others = await as(undefined).post('/auth/login', signIn({ username: 'editor' }))
  expect(await as('crm').send('DELETE', '/auth/sessions')).toMatchObject({
    status: 200,
    message: 'Ended 2 other sessions.',
  })
  for (const { token } of [first, second])
    expect(await client(app, token).get('/auth/admin-user')).toMatchObject({ status: 401 })
  expect(await client(app, others['token']).get('/auth/admin-user')).toMatchObject({ status: 200 })
  expect(await as('crm').get('/auth/sessions')).toMatchObject({ data: [{ current: true }] })
  expect(await as(undefined).send('DELETE', '/auth/sessions')).toMatchObject({ status: 401 })
})

test('auth.resetUserPassword: flag true means that the current password is wrong, and nothing changes', async () => {
  const { as } = await startTestApp()
  const me = as('crm')
  expect(
    await me.post('/admin/users/reset-user-password', {
      oldPassword: 'something',
      newPassword: 'a-new-password',
      id: me.id,
    }),
  ).toMatchObject({
    status: 200,
    flag: true,
    message: messages.passwordWrong,
  })
  expect(await as(undefined).post('/auth/login', signIn({}))).toMatchObject({ status: 200 })
})

test('an Idempotency-Key reused with another password is refused, and not answered as done', async () => {
  const { as } = await startTestApp()
  const me = as('crm')
  const change = (body: object) =>
    me.post(
      '/admin/users/reset-user-password',
      { oldPassword: password, newPassword: 'a-new-password', id: me.id, ...body },
      { headers: { 'idempotency-key': 'change-my-password' } },
    )
  expect(await change({})).toMatchObject({ status: 200, flag: false })
  for (const other of [{ newPassword: 'another-password' }, { oldPassword: 'a-wrong-one' }])
    expect(await change(other)).toMatchObject({ status: 422 })
})

test('a changed password ends every other session and works from then on', async () => {
  const { app, as } = await startTestApp()
  const { token } = await as(undefined).post('/auth/login', signIn({}))
  const me = as('crm')
  expect(
    await me.post('/admin/users/reset-user-password', {
      oldPassword: password,
      newPassword: 'a-new-password',
      id: me.id,
    }),
  ).toMatchObject({
    status: 200,
    flag: false,
    message: expect.stringContaining('changed'),
  })
  expect(await client(app, token).get('/auth/admin-user')).toMatchObject({ status: 401 })
  expect(await me.get('/auth/admin-user')).toMatchObject({ status: 200 })
  expect(await as(undefined).post('/auth/login', signIn({}))).toMatchObject({ status: 401 })
  expect(await as(undefined).post('/auth/login', signIn({ password: 'a-new-password' }))).toMatchObject({
    status: 200,
  })
})

test('users change only their own password, and it has at least eight characters', async () => {
  const { as, db } = await startTestApp()
  const before = await db.selectFrom('staff').select('password_hash').orderBy('id').execute()
  expect(
    await as('super_admin').post('/admin/users/reset-user-password', {
      oldPassword: password,
      newPassword: 'a-new-password',
      id: as('crm').id,
    }),
  ).toMatchObject({ status: 403 })
  expect(
    await as('crm').post('/admin/users/reset-user-password', {
      oldPassword: password,
      newPassword: 'seven77',
      id: as('crm').id,
    }),
  ).toMatchObject({
    status: 422,
    errors: { newPassword: [messages.passwordTooShort] },
  })
  expect(await db.selectFrom('staff').select('password_hash').orderBy('id').execute()).toEqual(before)
})

test.each(roleIds)(
  'auth.getAdminUser: role %d loads its own profile, and another one only with admin_users_list',
  async (role) => {
    const { as } = await startTestApp()
    const me = as(role)
    const other = as(role === 3 ? 4 : 3)
    expect(await me.get(`/admin/users/get-all-users?id=${me.id}`)).toMatchObject({
      status: 200,
      data: {
        user_name: cast[role]!.user_name,
        first_name: cast[role]!.first_name,
        last_name: cast[role]!.last_name,
        email: cast[role]!.email,
      },
    })
    const allowed = defaultGrants[role].includes('admin_users_list')
    expect((await me.get(`/admin/users/get-all-users?id=${other.id}`)).status).toBe(allowed ? 200 : 403)
    expect((await me.get('/admin/users/get-all-users')).status).toBe(allowed ? 200 : 403)
  },
)

test('the admin user list filters by search, role, team, and product, 300 per page', async () => {
  const { as, db } = await startTestApp()
  const admin = as('admin')
  const names = async (query: string) =>
    ((await admin.get(`/admin/users/get-all-users?${query}`))['data'] as { user_name: string }[])
      .map((one) => one.user_name)
      .sort()
  expect(await admin.get('/admin/users/get-all-users')).toMatchObject({ total: 14, per_page: 300 })
  expect(await names('search=tanaka')).toEqual(['developer'])
  expect(await names('role_id=0')).toEqual(['super_admin'])
  const design = await db
    .selectFrom('teams')
    .select('id')
    .where('name', '=', 'Design')
    .executeTakeFirstOrThrow()
  expect(await names(`team_id=${design.id}`)).toEqual(['designer'])
  await db
    .deleteFrom('staff_products')
    .where('product_id', '=', 3)
    .where('staff_id', '!=', as('qa').id)
    .execute()
  expect(await names('products[]=3')).toEqual(['qa'])
  expect(await names('page=2')).toEqual([])
})

test('each filter of the admin user list needs its own permission', async () => {
  const { as } = await startTestApp()
  const rights = {
    admin_users_search: 'search=a',
    admin_users_filter_type: 'role_id=0',
    admin_users_filter_team: 'team_id=1',
  }
  const change = (body: object) =>
    as('super_admin').post('/admin/roles/change-permissions', { role_id: 12, ...body })
  await change({ grant: ['admin_users_list'] })
  const status = async (query: string) => (await as('qa').get(`/admin/users/get-all-users?${query}`)).status
  expect(await status('products[]=1')).toBe(200)
  for (const [right, query] of Object.entries(rights)) {
    expect([right, await status(query)]).toEqual([right, 403])
    await change({ grant: [right] })
    expect([right, await status(query)]).toEqual([right, 200])
  }
})

const profileOf = (role: number, change: object) => {
  const { user_name, first_name, last_name, email } = cast[role]!
  return { user_name, first_name, last_name, email, role_id: role, ...change }
}

test('auth.updateAdminUser: users change their own profile, never their own role', async () => {
  const { as } = await startTestApp()
  for (const role of roleIds) {
    const me = as(role)
    expect(
      await me.post('/admin/users/update-admin-user', {
        id: me.id,
        ...profileOf(role, { last_name: 'Newname' }),
      }),
    ).toMatchObject({
      status: 200,
      message: profileMessages.updated,
      data: { last_name: 'Newname', role_id: role },
    })
    expect(
      await me.post('/admin/users/update-admin-user', {
        id: me.id,
        ...profileOf(role, { role_id: role === 1 ? 2 : 1 }),
      }),
    ).toMatchObject({ status: 403 })
  }
})

test.each(roleIds)("role %d changes another user's profile only as role 0 or 1", async (role) => {
  const { as } = await startTestApp()
  const other = role === 3 ? 4 : 3
  expect(
    (
      await as(role).post('/admin/users/update-admin-user', {
        id: as(other).id,
        ...profileOf(other, { first_name: 'Updated' }),
      })
    ).status,
  ).toBe(role === 0 || role === 1 ? 200 : 403)
})

test("a new role ends the user's sessions", async () => {
  const { as } = await startTestApp()
  expect(
    await as('admin').post('/admin/users/update-admin-user', {
      id: as('crm').id,
      ...profileOf(2, { role_id: 6 }),
    }),
  ).toMatchObject({
    status: 200,
    data: { role_id: 6 },
  })
  expect(await as('crm').get('/auth/admin-user')).toMatchObject({ status: 401 })
})

test('only a Super Admin grants role 0 or changes a Super Admin, and the last one cannot be demoted', async () => {
  const { as, db } = await startTestApp()
  expect(
    await as('admin').post('/admin/users/update-admin-user', {
      id: as('crm').id,
      ...profileOf(2, { role_id: 0 }),
    }),
  ).toMatchObject({ status: 403 })
  expect(
    await as('admin').post('/admin/users/update-admin-user', {
      id: as('super_admin').id,
      ...profileOf(0, { role_id: 2 }),
    }),
  ).toMatchObject({ status: 403 })
  expect(
    await as('super_admin').post('/admin/users/update-admin-user', {
      id: as('crm').id,
      ...profileOf(2, { role_id: 0 }),
    }),
  ).toMatchObject({ status: 200 })
  await db.updateTable('staff').set({ role_id: 2 }).where('user_name', '=', 'crm').execute()
  await expect(
    db.updateTable('staff').set({ role_id: 1 }).where('user_name', '=', 'super_admin').execute(),
  ).rejects.toThrow('last Super Admin')
})

test.each([
  ['user_name', ' ', 'required'],
  ['first_name', '', 'required'],
  ['last_name', '\t', 'required'],
  ['email', '', 'required'],
  ['email', 'no-address', 'email'],
  ['email', cast[3]!.email.toUpperCase(), 'This email is already in use.'],
  ['user_name', 'Editor', 'This username is already taken.'],
  ['role_id', 14, 'This role doesn’t exist.'],
  ['role_id', 'x', 'number'],
  ['first_name', 'NUL \u0000', 'NUL'],
])('a profile with %s = "%s" is refused at the field', async (field, value, text) => {
  const { as, db } = await startTestApp()
  const before = await db.selectFrom('staff').selectAll().orderBy('id').execute()
  const reply = await as('crm').post('/admin/users/update-admin-user', {
    id: as('crm').id,
    ...profileOf(2, { [field]: value }),
  })
  expect(reply).toMatchObject({ status: 422, errors: { [field]: [expect.stringContaining(text)] } })
  expect(await db.selectFrom('staff').selectAll().orderBy('id').execute()).toEqual(before)
})

test('a profile picture becomes a square of 256 pixels that signed-in users can load', async () => {
  const { as } = await startTestApp()
  const bytes = await sharp({ create: { width: 900, height: 500, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  const stored = await as('designer').post('/admin/users/profile-picture', undefined, {
    form: { file: { name: 'me.png', bytes } },
  })
  expect(stored).toMatchObject({ status: 200, avatar: expect.stringMatching(/^[a-f0-9]{40}\.webp$/) })
  const path = `/admin/users/profile-picture/${stored['avatar']}`
  const picture = await as('crm').get(path)
  expect([
    picture.status,
    picture.headers['content-type'],
    picture.headers['content-security-policy'],
  ]).toEqual([200, 'image/webp', "sandbox; default-src 'none'"])
  expect(await as(undefined).get(path)).toMatchObject({ status: 401 })
  expect(await as('crm').get(`/admin/users/profile-picture/${'a'.repeat(40)}.webp`)).toMatchObject({
    status: 404,
  })
  expect(await as('crm').get('/admin/users/profile-picture/..%2f..%2fetc%2fpasswd')).toMatchObject({
    status: 404,
  })
  expect((await as('designer').get('/auth/admin-user'))['user'].avatar).toBe(stored['avatar'])
})

/** Builds a trigger that fails when a user's profile picture is set. */
const failing = (when: string, what: string) => sql`
  create function fail() returns trigger language plpgsql as $$ begin ${sql.raw(what)}; return new; end $$;
  create ${sql.raw(when)} of picture on staff ${sql.raw(when.startsWith('constraint') ? 'deferrable initially deferred' : '')} for each row execute function fail()`

test('a picture whose transaction fails leaves no file; if only the commit gets no answer, it stays', async () => {
  const { as, app, db } = await startTestApp()
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  const upload = async () =>
    (
      await as('designer').post('/admin/users/profile-picture', undefined, {
        form: { file: { name: 'me.png', bytes } },
      })
    ).status
  const files = () => readdir(join(app.settings.dataDir, 'files'))
  const stop = () => sql`drop function fail cascade`.execute(db)

  await failing('trigger fails after update', "raise exception 'no'").execute(db)
  expect(await upload()).toBe(500)
  await expect.poll(files).toEqual([])
  await stop()

  // The file is kept, because the row may have been committed, and an unused picture does less harm than a
  // missing one.
  await failing(
    'constraint trigger fails after update',
    'perform pg_terminate_backend(pg_backend_pid())',
  ).execute(db)
  expect(await upload()).toBe(503)
  await expect.poll(files).toHaveLength(1)
  await stop()

  expect(await upload()).toBe(200)
  await expect.poll(files).toHaveLength(2)
})

test.each([
  ['a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['an SVG named as a PNG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['nothing', Buffer.alloc(0)],
  ['half a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ['more than 2 MB', Buffer.alloc(2_000_001)],
])('a picture that is %s is refused at its field', async (_what, bytes) => {
  const { as, app, db } = await startTestApp()
  expect(
    await as('designer').post('/admin/users/profile-picture', undefined, {
      form: { file: { name: 'me.png', bytes, type: 'image/png' } },
    }),
  ).toMatchObject({
    status: 422,
    errors: { 'file.0': [expect.stringContaining('me.png')] },
  })
  expect(await db.selectFrom('staff').select('id').where('picture', 'is not', null).execute()).toEqual([])
  await expect.poll(() => readdir(join(app.settings.dataDir, 'files')).catch(() => [])).toEqual([])
})

test('a picture of more than 25 million pixels is refused, and concurrent ones are processed one by one', async () => {
  const { as } = await startTestApp()
  const flat = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#888' } })
      .png()
      .toBuffer()
  const upload = (bytes: Buffer) =>
    as('designer').post('/admin/users/profile-picture', undefined, {
      form: { file: { name: 'me.png', bytes } },
    })
  expect(await upload(await flat(5001))).toMatchObject({ status: 422 })
  const large = await flat(5000)
  for (const reply of await Promise.all([upload(large), upload(Buffer.from('x')), upload(large)]))
    expect([200, 422]).toContain(reply.status)
  expect(await upload(large)).toMatchObject({ status: 200 })
})

test('an upload without a file says so', async () => {
  const { as } = await startTestApp()
  expect(
    await as('designer').post('/admin/users/profile-picture', undefined, { form: { other: 'x' } }),
  ).toMatchObject({
    status: 422,
    errors: { file: ['Choose a file.'] },
  })
  expect(await as('designer').post('/admin/users/profile-picture', {})).toMatchObject({ status: 422 })
})

test('a user name contains no @ and is not the email of any user; an existing one stays until it is changed', async () => {
  const { as, db } = await startTestApp()
  const me = as('qa')
  const profile = {
    id: me.id,
    user_name: 'qa',
    first_name: 'Olena',
    last_name: 'Shevchenko',
    email: 'olena.shevchenko@example.com',
    role_id: 12,
  }
  const save = (body: object) => me.post('/admin/users/update-admin-user', { ...profile, ...body })
  for (const user_name of ['Ingrid.Solheim@example.com', 'nobody@example.com', 'a@'])
    expect(await save({ user_name })).toMatchObject({
      status: 422,
      errors: { user_name: [expect.any(String)] },
    })
  const invite = (user_name: string) =>
    as('admin').post('/admin/admin-users/create', {
      user_name,
      first_name: 'A',
      last_name: 'B',
      email: 'a.b@example.com',
      role_id: 12,
      product_ids: [1],
      team_ids: [],
    })
  expect(await invite('tom.whitfield@example.com')).toMatchObject({
    status: 422,
    errors: { user_name: [expect.any(String)] },
  })

  await db.updateTable('staff').set({ user_name: 'old@example.com' }).where('id', '=', me.id).execute()
  expect(await save({ user_name: 'old@example.com', first_name: 'Olga' })).toMatchObject({ status: 200 })
  expect(await as(undefined).post('/auth/login', signIn({ username: 'old@example.com' }))).toMatchObject({
    status: 200,
  })
  // An email address signs in its owner, even if another user has it as a username.
  await db
    .updateTable('staff')
    .set({ user_name: 'ingrid.solheim@example.com' })
    .where('id', '=', me.id)
    .execute()
  const { user } = await as(undefined).post('/auth/login', signIn({ username: 'Ingrid.Solheim@example.com' }))
  expect(user.id).toBe(as('super_admin').id)
})

test('a changed password or email ends open links', async () => {
  const { app, as, db, clock } = await startTestApp()
  const me = as('qa')
  const link = async () => {
    const url = await db
      .transaction()
      .execute((tx) => mailInvitation(app, tx, me.id, 'forgotten', clock.now()))
    return { token: new URL(url).searchParams.get('invitation') }
  }
  const isOpen = async (body: object) => (await as(undefined).post('/auth/invitation', body)).status === 200

  const first = await link()
  expect(await isOpen(first)).toBe(true)
  await me.post('/admin/users/reset-user-password', {
    oldPassword: password,
    newPassword: 'a-new-password',
    id: me.id,
  })
  expect(await isOpen(first)).toBe(false)

  const second = await link()
  const profile = { id: me.id, user_name: 'qa', first_name: 'Olena', last_name: 'Shevchenko', role_id: 12 }
  const save = (email: string) => me.post('/admin/users/update-admin-user', { ...profile, email })
  expect(await save('Olena.Shevchenko@example.com')).toMatchObject({ status: 200 })
  expect(await isOpen(second)).toBe(true)
  expect(await save('olena@example.com')).toMatchObject({ status: 200 })
  expect(await isOpen(second)).toBe(false)
})

test('a sign-in whose password was changed after it was verified does not open a session', async () => {
  const { app, as, db } = await startTestApp()
  const begin = app.db.transaction.bind(app.db)
  // Change the password between its verification and the creation of the session.
  app.db.transaction = () => {
    const transaction = begin()
    const execute = transaction.execute.bind(transaction)
    transaction.execute = async (work) => {
      await db.updateTable('staff').set({ password_hash: 'another' }).where('user_name', '=', 'crm').execute()
      return execute(work)
    }
    return transaction
  }
  expect(await as(undefined).post('/auth/login', signIn({}))).toMatchObject({
    status: 401,
    message: messages.loginFailed,
  })
  expect(
    await db.selectFrom('sessions').select('id').where('staff_id', '=', as('crm').id).execute(),
  ).toHaveLength(1)
})

test('a stored email and a stored reply hold no link; it is made when the email leaves, unless it ended', async () => {
  const { app, as, db, clock } = await startTestApp()
  const headers = { 'idempotency-key': 'invite-somebody' }
  const person = {
    user_name: 'noor',
    first_name: 'Noor',
    last_name: 'Visser',
    email: 'noor@example.com',
    role_id: 2,
    product_ids: [1],
    team_ids: [],
  }
  const invite = () => as('admin').post('/admin/admin-users/create', person, { headers })
  const shown = await invite()
  expect(shown['link']).toMatch(/\?invitation=[\w-]{43}$/)
  expect(await invite()).toMatchObject({ status: 200, id: shown['id'], link: null })
  const stored = await Promise.all([
    db.selectFrom('mails').select(['html', 'text']).execute(),
    db.selectFrom('idempotency_keys').select('reply').execute(),
  ])
  expect(JSON.stringify(stored)).toContain('{{link}}')
  expect(JSON.stringify(stored)).not.toContain('invitation=')

  const { id } = await db.selectFrom('mails').select('id').executeTakeFirstOrThrow()
  const make = () => db.transaction().execute((tx) => linkForMail(app, tx, id, clock.now()))
  const isOpen = async (link: string) =>
    (await as(undefined).post('/auth/invitation', { token: new URL(link).searchParams.get('invitation') }))
      .status
  const made = (await make())!
  expect([await isOpen(made), await isOpen(shown['link'])]).toEqual([200, 200])
  await as('admin').post(`/admin/admin-users/${shown['id']}/ban`, { reason: 'x' })
  expect(await make()).toBeUndefined()
  expect([await isOpen(made), await isOpen(shown['link'])]).toEqual([404, 404])
})

test('requests for a link and typos of others do not keep a known device out', async () => {
  const { app, as } = await startTestApp({ env: { RATE_LIMITS: 'on' } })
  const login = async (body: object, agent: string) =>
    (
      await app.http.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: signIn(body),
        headers: { 'user-agent': agent },
      })
    ).statusCode
  expect(await login({}, 'known')).toBe(200)
  for (let count = 0; count < 31; count += 1)
    await as(undefined).post('/auth/forgot-password', { username: `nobody-${count}` })
  // Requests for a password link do not count as failed sign-ins.
  expect(await login({ username: 'editor' }, 'unknown')).toBe(200)
  const typos: number[] = []
  for (let count = 0; count < 32; count += 1)
    typos.push(await login({ username: `nobody-${count}` }, 'unknown'))
  expect(typos.slice(-1)).toEqual([429])
  expect(await login({ username: 'support' }, 'unknown')).toBe(429)
  expect(await login({}, 'known')).toBe(200)
})

test('a forgotten password is the same work for a known and an unknown name', async () => {
  const { as, db } = await startTestApp()
  for (const username of ['crm', 'nobody']) await as(undefined).post('/auth/forgot-password', { username })
  const { rows } = await sql<{
    data: object
  }>`select data from pgboss.job where name = 'password-link' order by created_on`.execute(db)
  expect(rows.map(({ data }) => data)).toMatchObject([{ staff_id: as('crm').id }, { staff_id: null }])
  await expect
    .poll(() => db.selectFrom('mails').select('kind').execute())
    .toEqual([{ kind: 'forgotten-password' }])
})
