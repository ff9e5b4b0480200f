import { expect, test } from 'vitest'
import { client, startAnother, startTestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { findCredentialsUrl } from '#features/admin/settings/server/panel-settings.queries.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { remindOfOrganizations } from '#features/crm/organizations/server/reminders.queries.ts'

const widget = '/admin/calendly-widget'

test.each([
  ['GET', '/admin/settings', 'admin_portal_list', undefined],
  ['POST', '/admin/settings', 'admin_portal_list', { trial_days: 20 }],
  ['GET', widget, 'calendly_widget_list', undefined],
  ['POST', widget, 'calendly_widget_list', { product_id: 1, url: 'https://book.example.com/a', on: true }],
] as const)('%s %s needs %s', async (method, path, needs, body) => {
  const { as } = await startTestApp()
  for (const role of [...roleIds, undefined])
    expect([role, (await as(role).send(method, path, body)).status]).toEqual([
      role,
      role === undefined ? 401 : defaultGrants[role].includes(needs) ? 200 : 403,
    ])
})

test("settings apply immediately: the trial, the footer, a product's name", async () => {
  const { as, db, live } = await startTestApp()
  await as('admin').post('/admin/settings', {
    trial_days: 3,
    copyright: 'Made in Oslo',
    products: [{ id: 1, name: 'Linen' }],
  })
  const org_id = await enterOrganization(db)
  expect(await as('csm').post('/admin/organization/start-trial', { org_id })).toMatchObject({
    data: { trial_end_date: '2026-03-19' },
  })
  expect(await as(undefined).get('/config')).toMatchObject({ copyright: 'Made in Oslo' })
  expect((await as('crm').get('/auth/admin-user'))['products'][0]).toMatchObject({ name: 'Linen' })
  expect(live.map(({ event }) => event)).toContain('rights')
})

test.each([
  [{ trial_days: 0 }, 'trial_days'],
  [{ working_hours: { start: '17:00', end: '09:00' } }, 'working_hours.end'],
  [{ reminder_days: [] }, 'reminder_days'],
  [{ products: [{ id: 1, credentials_url: 'javascript:alert(1)' }] }, 'products.0.credentials_url'],
  [{ products: [{ id: 1, posts_url: 'ftp://linen.example' }] }, 'products.0.posts_url'],
  [{ products: [1, 2, 3, 4].map((id) => ({ id, status: 0 })) }, 'products'],
])('%j is 422 and changes nothing', async (body, field) => {
  const { as } = await startTestApp()
  const before = await as('admin').get('/admin/settings')
  expect(await as('admin').post('/admin/settings', body)).toMatchObject({
    status: 422,
    errors: { [field]: [expect.any(String)] },
  })
  expect((await as('admin').get('/admin/settings'))['data']).toEqual(before['data'])
})

test("the origin of an active widget is added to the pages' frame-src, and removed again", async () => {
  const { as, app } = await startTestApp()
  const policy = async () =>
    String((await app.http.inject('/')).headers['content-security-policy']).match(/frame-src [^;]*/)![0]
  expect(await policy()).toBe("frame-src 'self'")
  await as('admin').post(widget, { product_id: 1, url: 'https://book.example.com/a?b=c', on: true })
  await expect.poll(policy).toBe("frame-src 'self' https://book.example.com")
  await as('admin').post(widget, { product_id: 1, url: 'https://book.example.com/a?b=c', on: false })
  await expect.poll(policy).toBe("frame-src 'self'")
})

test.each([
  'javascript:alert(1)',
  'http://book.example.com',
  'https://localhost/x',
  'https://a:b@book.example.com/',
])('%s is not a widget URL', async (url) => {
  const { as } = await startTestApp()
  expect(await as('admin').post(widget, { product_id: 1, url, on: true })).toMatchObject({
    status: 422,
    errors: { url: expect.any(Array) },
  })
})

test("another process includes a widget's origin as soon as it is on", async () => {
  const started = await startTestApp()
  const other = await startAnother(started)
  const policy = async () =>
    String((await other.http.inject('/')).headers['content-security-policy']).match(/frame-src [^;]*/)![0]
  expect(await policy()).toBe("frame-src 'self'")
  await started.as('admin').post(widget, { product_id: 1, url: 'https://book.example.com/a', on: true })
  await expect.poll(policy).toBe("frame-src 'self' https://book.example.com")
})

test("pages are offered the active widgets of the caller's products, and the working hours", async () => {
  const { as } = await startTestApp()
  const offered = async (who: string) => (await as(who).get('/admin/settings/offered'))['data']
  expect(await offered('qa')).toEqual({ working_hours: { start: '09:00', end: '17:00' }, widgets: [] })
  await as('admin').post('/admin/settings', { working_hours: { start: '07:30', end: '20:00' } })
  await as('super_admin').post(widget, { product_id: 1, url: 'https://book.example.com/a', on: true })
  await as('super_admin').post(widget, { product_id: 2, url: 'https://book.example.com/b', on: false })
  expect(await offered('super_admin')).toEqual({
    working_hours: { start: '07:30', end: '20:00' },
    widgets: [{ product_id: 1, name: expect.any(String), url: 'https://book.example.com/a' }],
  })
  expect((await as(undefined).get('/admin/settings/offered')).status).toBe(401)
})

test.each(['http://127.0.0.1', 'https://panel.example.com', 'https://panel.example.com:443/login'])(
  '%s is our own address, not a widget',
  async (url) => {
    const { as } = await startTestApp({ env: { PUBLIC_URL: 'https://panel.example.com' } })
    expect(await as('admin').post(widget, { product_id: 1, url, on: true })).toMatchObject({
      status: 422,
      errors: { url: expect.any(Array) },
    })
    expect(
      (await as('admin').get(widget))['data'].map(({ url: stored }: { url: string }) => stored),
    ).not.toContain(url)
  },
)

test('reminder days and the credentials URL apply immediately, and all settings survive a restart', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const set = { reminder_days: [3], trial_days: 20, copyright: 'Made in Oslo' }
  await as('admin').post('/admin/settings', {
    ...set,
    products: [{ id: 1, name: 'Linen', credentials_url: 'https://linen.example/welcome' }],
  })
  const assign_to = as('csm').id
  await enterOrganization(db, { status: 2, trial_end_date: '2026-03-23', assign_to })
  // By default, a reminder is sent seven days before the trial ends; with the changed setting, it is not sent
  // on that day.
  expect(await remindOfOrganizations(db, '2026-03-16')).toEqual([])
  expect(await remindOfOrganizations(db, '2026-03-20')).toEqual([assign_to])
  expect(await findCredentialsUrl(db, 1)).toBe('https://linen.example/welcome')

  const other = client(await startAnother(started), as('admin').token)
  expect((await other.get('/admin/settings'))['data']).toMatchObject(set)
  expect((await other.get('/admin/settings'))['data'].products[0]).toMatchObject({
    name: 'Linen',
    credentials_url: 'https://linen.example/welcome',
  })
})

test('an address without encryption is a warning on the settings page', async () => {
  const warningsWith = async (env: Record<string, string>) =>
    (await (await startTestApp({ env })).as('admin').get('/admin/settings'))['warnings']
  expect(await warningsWith({})).toEqual([])
  expect(await warningsWith({ PUBLIC_URL: 'http://panel.example.com', ALLOW_INSECURE: '1' })).toEqual([
    expect.stringContaining('PUBLIC_URL=http://panel.example.com has no https'),
  ])
})
