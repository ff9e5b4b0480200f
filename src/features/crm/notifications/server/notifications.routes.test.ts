import { expect, test } from 'vitest'
import { defaultGrants, isAdminRole, roleIds, type Permission } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { withoutStyles } from '#server/mail/mail.testing.ts'

const path = '/admin/users/send-notification-all'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const picture = (name: string) => ({ name, bytes: png, type: 'image/png' })
const news = { subject: 'News', message: '<p>We moved.</p>' }

async function withUsers() {
  const started = await startTestApp({ env: { PUBLIC_URL: 'https://panel.example.com' } })
  const org = await enterOrganization(started.db)
  await enterUser(started.db, org, 'Zoe')
  await enterUser(started.db, org, 'Ben', { is_subscribed: 0 })
  await enterUser(started.db, org, 'Ann', { banned_at: '2026-01-01T00:00:00Z' })
  await enterUser(started.db, org, 'Joe')
  return started
}
const addresses = async (db: Awaited<ReturnType<typeof withUsers>>['db']) =>
  (await db.selectFrom('mail_recipients').select('address').orderBy('address').execute()).map(
    ({ address }) => address,
  )

/** Creating and deleting also require an admin role. */
const calls: readonly (readonly [
  call: string,
  method: string,
  path: string,
  key: Permission,
  adminsOnly: boolean,
])[] = [
  ['send-notification-all', 'POST', path, 'send_new_list', true],
  ['recipients', 'POST', '/admin/users/notification-recipients', 'send_new_list', true],
  ['preview', 'POST', '/admin/users/notification-preview', 'send_new_list', true],
  ['get-all-notifications', 'GET', '/admin/users/get-all-notifications', 'all_notifications_list', false],
  ['read', 'GET', '/admin/users/notification/999', 'all_notifications_list', false],
  ['update', 'PUT', '/admin/users/notification/999', 'all_notifications_list', false],
  ['delete', 'DELETE', '/admin/users/notification/999', 'send_new_list', true],
]

test('each call admits the roles with its key, of all fourteen, and no one without a session', async () => {
  const { as } = await startTestApp()
  for (const role of [...roleIds, undefined])
    for (const [call, method, address, key, adminsOnly] of calls) {
      const { status } = await as(role).send(method, address, method === 'GET' ? undefined : news)
      const may =
        role !== undefined && defaultGrants[role].includes(key) && (!adminsOnly || isAdminRole(role))
      if (may) expect([200, 404, 422], `${call} for ${role}`).toContain(status)
      else expect([call, role, status]).toEqual([call, role, role === undefined ? 401 : 403])
    }
})

test('the key alone does not send: creating and deleting is for roles 0 and 1', async () => {
  const { as, db } = await withUsers()
  const keys = ['send_new_list', 'all_notifications_list']
  await db
    .insertInto('role_permissions')
    .values(keys.map((permission) => ({ role_id: 4, permission })))
    .execute()
  const { data } = await as('admin').post(path, { ...news, draft: 1 })
  expect(await as('support').post(path, news)).toMatchObject({ status: 403 })
  expect(await as('support').send('DELETE', `/admin/users/notification/${data.id}`)).toMatchObject({
    status: 403,
  })
  expect(await as('support').post('/admin/records/notification/trash', { ids: [data.id] })).toMatchObject({
    status: 403,
  })
  expect(await as('admin').post(`/admin/users/notification/${data.id}`, { _method: 'DELETE' })).toMatchObject(
    { status: 200 },
  )
})

test('without addresses it goes to subscribed users who are not banned, each once, with its image', async () => {
  const { as, db } = await withUsers()
  expect(await as('admin').post('/admin/users/notification-recipients', { emails: 'all' })).toMatchObject({
    total: 2,
    left_out: expect.arrayContaining([
      { why: 'Banned', count: 1 },
      { why: 'Unsubscribed', count: 1 },
    ]),
  })
  const sent = await as('admin').post(path, undefined, {
    form: { ...news, type: '2', notification_image: { name: 'a.png', bytes: png, type: 'image/png' } },
  })
  expect(sent).toMatchObject({
    status: 200,
    data: { status: 1, sent_to: 2, type: 2, notification_image: { name: 'a.png' } },
  })
  expect(await addresses(db)).toEqual(['joe@aalto.example', 'zoe@aalto.example'])
  expect(await db.selectFrom('mails').select(['unsubscribable', 'record_type']).execute()).toEqual([
    { unsubscribable: true, record_type: 'notification' },
  ])
  expect(
    await as('admin').get('/admin/users/get-all-notifications?page=1&status=1&search=new'),
  ).toMatchObject({
    total: 1,
    per_page: 20,
    data: [{ subject: 'News' }],
  })
  expect(await as('admin').get('/admin/users/get-all-notifications?status=0')).toMatchObject({ total: 0 })
})

test('it begins with a greeting unless its text already does, and the preview shows it', async () => {
  const { as, db } = await withUsers()
  const preview = async (message: string) =>
    (await as('admin').post('/admin/users/notification-preview', { subject: 'To {{name}}', message }))['data']
  const plain = await preview('<p>We moved.</p>')
  expect(plain.subject).toBe('To Martin')
  expect(withoutStyles(plain.html)).toContain('<p>Hello Martin,</p>')
  expect(plain.html).toContain('Unsubscribe')
  const greeted = await preview('<p>Dear {{name}},</p><p>We moved.</p>')
  expect(greeted.html).toContain('Dear Martin,')
  expect(greeted.html).not.toContain('Hello')
  expect(await db.selectFrom('mails').select('id').execute()).toEqual([])
  await as('admin').post(path, { ...news, message: '<p>Dear {{name}},</p><p>We moved.</p>' })
  const sent = await db.selectFrom('mails').select(['text', 'html']).executeTakeFirstOrThrow()
  expect(sent.text).toMatch(/^Dear \{\{name\}\},/)
  expect(sent.html).not.toContain('Hello')
})

test('placeholders are tolerant, and unknown ones are named before sending, testing, or previewing', async () => {
  const { as, db } = await withUsers()
  const message = '<p>Dear {{ Name }}, {{first_name}}</p>'
  const whyNot = ['“{{first_name}}” isn’t a placeholder. Use {{name}}, or remove the braces.']
  const preview = (values: object) =>
    as('admin').post('/admin/users/notification-preview', { subject: 'News', message, ...values })
  const send = (values: object) => as('admin').post(path, { ...news, message, ...values })
  for (const refused of [preview({}), send({}), send({ test: 1 })])
    expect(await refused).toMatchObject({ status: 422, errors: { message: whyNot } })
  expect(await send({ subject: '{{first_name}}', message: '<p>Hi</p>' })).toMatchObject({
    status: 422,
    errors: { subject: whyNot },
  })
  expect(await db.selectFrom('mails').select('id').execute()).toEqual([])
  // A draft can still be changed.
  expect(await send({ draft: 1 })).toMatchObject({ status: 200 })
  const tolerant = { subject: 'Hi {{ name }}', message: '<p>Dear {{&nbsp;Name }}, we moved.</p>' }
  const { subject, html } = (await preview(tolerant))['data']
  expect(subject).toBe('Hi Martin')
  expect(withoutStyles(html)).toContain('<p>Dear Martin, we moved.</p>')
})

test('chosen addresses get it, except banned or unsubscribed users', async () => {
  const { as, db } = await withUsers()
  await as('admin').post(path, { ...news, emails: 'zoe@aalto.example, ben@aalto.example' })
  expect(await addresses(db)).toEqual(['zoe@aalto.example'])
  expect(await as('admin').post(path, { ...news, emails: ['ann@aalto.example'] })).toMatchObject({
    status: 422,
    errors: { emails: [expect.any(String)] },
  })
  expect(await as('admin').post(path, { ...news, emails: ['ben@aalto.example', 'bad'] })).toMatchObject({
    status: 422,
    errors: { emails: ['bad isn’t a valid email address.'] },
  })
})

test('it is not sent if the number of recipients differs from the one the author saw', async () => {
  const { as, db } = await withUsers()
  expect(await as('admin').post(path, { ...news, expected: 3 })).toMatchObject({
    status: 409,
    current: { total: 2 },
  })
  expect(await addresses(db)).toEqual([])
  expect(await as('admin').get('/admin/users/get-all-notifications')).toMatchObject({ total: 0 })
})

test('a test goes to the author only, and nothing is stored', async () => {
  const { as, db } = await withUsers()
  const me = await db
    .selectFrom('staff')
    .select('email')
    .where('id', '=', as('admin').id)
    .executeTakeFirstOrThrow()
  expect(await as('admin').post(path, { ...news, test: 1 })).toMatchObject({ status: 200, data: null })
  expect(await addresses(db)).toEqual([me.email])
  expect(await as('admin').get('/admin/users/get-all-notifications')).toMatchObject({ total: 0 })
})

test("a test carries the image of the form, and the draft's only if the form has none", async () => {
  const { as, db } = await withUsers()
  const stage = async (who: string, name: string) =>
    (await as(who).post('/files/stage', undefined, { form: { file: picture(name) } }))['data'].id as number
  const attached = async () =>
    (await db.selectFrom('mail_attachments').select('name').orderBy('mail_id').execute()).map(
      ({ name }) => name,
    )
  const chosen = await stage('admin', 'chosen.png')
  await as('admin').post(path, { ...news, test: 1, file_ids: [chosen] })
  expect(await attached()).toEqual(['chosen.png'])
  await as('admin').post(path, undefined, {
    form: { ...news, test: '1', notification_image: picture('sent.png') },
  })
  expect(await attached()).toEqual(['chosen.png', 'sent.png'])
  const { data: draft } = await as('admin').post(path, undefined, {
    form: { ...news, draft: '1', notification_image: picture('kept.png') },
  })
  await as('admin').post(path, { ...news, test: 1, id: draft.id })
  await as('admin').post(path, { ...news, test: 1, id: draft.id, file_ids: [draft.notification_image.id] })
  await as('admin').post(path, { ...news, test: 1, id: draft.id, file_ids: [] })
  expect(await attached()).toEqual(['chosen.png', 'sent.png', 'kept.png', 'kept.png'])
  // A file staged by another user is treated as unknown.
  expect(
    await as('admin').post(path, { ...news, test: 1, file_ids: [await stage('crm', 'theirs.png')] }),
  ).toMatchObject({
    status: 422,
    errors: { 'file_ids.0': [expect.any(String)] },
  })
  expect(await as('admin').get('/admin/users/get-all-notifications')).toMatchObject({ total: 1 })
})

test('an invalid image is refused, uploaded with the form or before it, and nothing is stored', async () => {
  const { as, db } = await withUsers()
  const words = { name: 'a.png', bytes: 'No picture', type: 'image/png' }
  expect(
    await as('admin').post(path, undefined, { form: { ...news, draft: '1', notification_image: words } }),
  ).toMatchObject({ status: 422 })
  const staged = await as('admin').post('/files/stage', undefined, {
    form: { file: { name: 'a.txt', bytes: 'Words', type: 'text/plain' } },
  })
  expect(await as('admin').post(path, { ...news, draft: 1, file_ids: [staged['data'].id] })).toMatchObject({
    status: 422,
    errors: { notification_image: ['Choose an image file.'] },
  })
  expect(await db.selectFrom('notifications').select('id').execute()).toEqual([])
})

test('drafts are found by type, move to the trash and return; an edit of an older version is 409 with the current one', async () => {
  const { as } = await withUsers()
  const first = (await as('admin').post(path, { ...news, type: 1, draft: 1 }))['data']
  const second = (await as('admin').post(path, { ...news, subject: 'Prices', type: 2, draft: 1 }))['data']
  const ids = async (query: string) =>
    ((await as('admin').get(`/admin/users/get-all-notifications?${query}`))['data'] as { id: number }[]).map(
      ({ id }) => id,
    )
  expect(await ids('type=2')).toEqual([second.id])
  expect(await ids('type=1')).toEqual([first.id])
  expect(await ids('column=subject&direction=asc')).toEqual([first.id, second.id])

  await as('admin').send('DELETE', `/admin/users/notification/${first.id}`)
  expect(await ids('')).toEqual([second.id])
  expect(await as('admin').get(`/admin/users/notification/${first.id}`)).toMatchObject({ status: 404 })
  expect(await as('admin').post('/admin/records/notification/restore', { ids: [first.id] })).toMatchObject({
    restored: [first.id],
  })
  expect(await as('admin').get(`/admin/users/notification/${first.id}`)).toMatchObject({
    status: 200,
    data: { subject: 'News' },
  })

  const edit = (values: object) => as('admin').send('PUT', `/admin/users/notification/${second.id}`, values)
  expect(
    await edit({ subject: 'New prices', version: second.version, base: { subject: 'Prices' } }),
  ).toMatchObject({ status: 200 })
  expect(
    await edit({ subject: 'Old prices', version: second.version, base: { subject: 'Prices' } }),
  ).toMatchObject({
    status: 409,
    current: { subject: 'New prices' },
  })
})

test('a draft is edited by admins and moderators, then sent; a sent notification cannot be edited', async () => {
  const { as, db } = await withUsers()
  await db
    .insertInto('role_permissions')
    .values({ role_id: 3, permission: 'all_notifications_list' })
    .execute()
  const { data } = await as('admin').post(path, { ...news, draft: 1 })
  const edit = (who: string, subject: string) =>
    as(who).post(`/admin/users/notification/${data.id}`, { _method: 'PUT', subject })
  expect(await edit('editor', 'By an editor')).toMatchObject({ status: 403 })
  const category = await db
    .insertInto('article_categories')
    .values({ title: 'One', slug: 'one', product_id: 1 } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('category_moderators')
    .values({ category_id: category.id, staff_id: as('editor').id })
    .execute()
  expect(await edit('editor', 'By a moderator')).toMatchObject({
    status: 200,
    data: { subject: 'By a moderator', message: news.message },
  })
  await as('admin').post(path, { ...news, id: data.id, emails: ['zoe@aalto.example'] })
  expect(await edit('admin', 'Too late')).toMatchObject({ status: 409 })
  expect(await as('admin').post(path, { ...news, id: data.id })).toMatchObject({ status: 409 })
  expect(await addresses(db)).toEqual(['zoe@aalto.example'])
})

test('a chosen address of a banned or unsubscribed user gets nothing, whatever their product and status', async () => {
  const { as, db } = await startTestApp()
  const [mine, foreign] = [await enterOrganization(db), await enterOrganization(db, { name: 'Other' }, [4])]
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 4)
    .execute()
  const banned_at = '2026-03-01T00:00:00Z'
  await enterUser(db, mine, 'Inactive', { status: 0, banned_at })
  await enterUser(db, foreign, 'Foreign', { banned_at })
  await enterUser(db, foreign, 'Quiet', { is_subscribed: 0, status: 0 })
  // Two users share an email address, and one of them is banned.
  await enterUser(db, mine, 'Good', { email: 'shared@aalto.example' })
  await enterUser(db, mine, 'Bad', { email: 'SHARED@aalto.example', banned_at })
  const emails = [
    'inactive@aalto.example',
    'foreign@aalto.example',
    'quiet@aalto.example',
    'shared@aalto.example',
    'stranger@inn.example',
  ]
  expect(await as('admin').post('/admin/users/notification-recipients', { emails })).toMatchObject({
    total: 2,
    left_out: [
      { why: 'Banned', count: 2 },
      { why: 'Unsubscribed', count: 1 },
    ],
  })
})

test('an empty list of addresses reaches no one: it is refused, for a send, a test, a draft, and the preview', async () => {
  const { as, db } = await startTestApp()
  const refused = { status: 422, errors: { emails: [expect.stringMatching(/at least one/)] } }
  for (const emails of [[], '', ' , ', ['']])
    for (const more of [{}, { test: 1 }, { draft: 1 }])
      expect(await as('admin').post(path, { ...news, ...more, emails })).toMatchObject(refused)
  expect(await as('admin').post('/admin/users/notification-recipients', { emails: [] })).toMatchObject(
    refused,
  )
  expect(await db.selectFrom('mails').select('id').execute()).toEqual([])
})

/** Returns an app in which `admin` has product 1 only, with a user of a customer of product 1 and one of product 4. */
async function withForeign() {
  const started = await startTestApp()
  const { as, db } = started
  const own = await enterUser(db, await enterOrganization(db), 'Own')
  const other = await enterOrganization(db, { name: 'Other' }, [4])
  const [foreign, second] = [await enterUser(db, other, 'Foreign'), await enterUser(db, other, 'Faraway')]
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '<>', 1)
    .execute()
  const send = async (values: object) =>
    (await as('super_admin').post(path, { ...news, ...values }))['data'] as { id: number; mail_id: number }
  return { ...started, send, own, foreign, second }
}
const whyNot = 'You can’t do this because some recipients are users of customers you don’t have access to.'
const steps = ['stop', 'resume', 'retry', 'call-off']

test('a notification to users of other products only does not exist, nor does its email', async () => {
  const { as, send } = await withForeign()
  const { id, mail_id } = await send({ emails: ['foreign@aalto.example'] })
  const admin = as('admin')
  for (const address of [
    `/admin/users/notification/${id}`,
    `/admin/records/notification/${id}/history`,
    `/admin/mails/notification/${id}`,
    `/admin/mail/${mail_id}`,
    `/admin/mail/${mail_id}/recipients`,
  ]) {
    expect([address, (await admin.get(address)).status]).toEqual([address, 404])
    expect([address, (await as('super_admin').get(address)).status]).toEqual([address, 200])
  }
  for (const step of steps)
    expect([step, (await admin.post(`/admin/mail/${mail_id}/${step}`)).status]).toEqual([step, 404])
  for (const list of ['/admin/users/get-all-notifications', '/admin/outbox'])
    expect([list, (await admin.get(list))['total']]).toEqual([list, 0])
  expect((await as('super_admin').post(`/admin/mail/${mail_id}/stop`)).status).toBe(200)
})

test('of a notification to users of several products, a reader sees those of their products, and how many others', async () => {
  const { as, send } = await withForeign()
  const admin = as('admin')
  const emails = ['own@aalto.example', 'foreign@aalto.example', 'stranger@inn.example']
  const mixed = await send({ subject: 'Mixed', emails })
  const all = await send({ subject: 'All' })
  expect(await admin.get('/admin/users/get-all-notifications')).toMatchObject({
    total: 2,
    data: [
      { id: all.id, emails: [], hidden_emails: 0, sent_to: 3 },
      { id: mixed.id, emails: ['own@aalto.example', 'stranger@inn.example'], hidden_emails: 1, sent_to: 3 },
    ],
  })
  for (const [{ mail_id, id }, shown] of [
    [mixed, ['own@aalto.example', 'stranger@inn.example']],
    [all, ['own@aalto.example']],
  ] as const) {
    const whole = await admin.get(`/admin/mail/${mail_id}`)
    expect(whole['data']).toMatchObject({
      hidden: 3 - shown.length,
      may_steer: false,
      progress: { total: 3 },
    })
    const page = await admin.get(`/admin/mail/${mail_id}/recipients`)
    expect(page).toMatchObject({ total: shown.length })
    for (const { recipients } of [whole['data'], { recipients: page['data'] }])
      expect(recipients.map(({ address }: { address: string }) => address)).toEqual(shown)
    for (const step of steps)
      expect(await admin.post(`/admin/mail/${mail_id}/${step}`)).toMatchObject({
        status: 403,
        message: whyNot,
      })
    expect(await admin.get(`/admin/records/notification/${id}/history`)).toMatchObject({
      data: [],
      hidden: true,
    })
  }
  expect(await admin.get('/admin/outbox?search=foreign')).toMatchObject({ total: 0 })
  expect((await admin.get('/admin/users/admin-log')).text).not.toMatch(/foreign@|faraway@/)
  // Control: a reader with all products sees everyone, and can stop it.
  expect(await as('super_admin').get('/admin/outbox?search=foreign')).toMatchObject({ total: 2 })
  expect((await as('super_admin').get('/admin/users/admin-log')).text).toContain('foreign@')
  expect(await as('super_admin').get(`/admin/mail/${mixed.mail_id}`)).toMatchObject({
    data: { hidden: 0, may_steer: true },
  })
  expect((await as('super_admin').post(`/admin/mail/${mixed.mail_id}/stop`)).status).toBe(200)
})

test('a draft to users of other products is neither edited nor sent by someone who cannot see them', async () => {
  const { as, send, db } = await withForeign()
  const emails = ['own@aalto.example', 'foreign@aalto.example']
  const { id } = await send({ emails, draft: 1 })
  const admin = as('admin')
  expect(await admin.get(`/admin/users/notification/${id}`)).toMatchObject({
    data: { emails: ['own@aalto.example'], hidden_emails: 1 },
    may_update: false,
  })
  const refused = { status: 403, message: whyNot }
  expect(await admin.send('PUT', `/admin/users/notification/${id}`, { subject: 'Mine' })).toMatchObject(
    refused,
  )
  for (const draft of [0, 1])
    expect(await admin.post(path, { ...news, id, emails: ['own@aalto.example'], draft })).toMatchObject(
      refused,
    )
  expect(await addresses(db)).toEqual([])
  expect((await send({ id, emails })).id).toBe(id)
})

test('the author of a notification sees the addresses that they chose, whatever their product', async () => {
  const { as } = await withForeign()
  const { data } = await as('admin').post(path, { ...news, emails: ['foreign@aalto.example'] })
  expect(data).toMatchObject({ emails: ['foreign@aalto.example'], hidden_emails: 0 })
  expect(await as('admin').get(`/admin/mail/${data.mail_id}`)).toMatchObject({
    data: { hidden: 0, may_steer: true, recipients: [{ address: 'foreign@aalto.example' }] },
  })
  expect((await as('admin').post(`/admin/mail/${data.mail_id}/call-off`)).status).toBe(200)
})

test('an email to chosen users is shown in the same way', async () => {
  const { as, own, foreign, second } = await withForeign()
  const write = async (user: number[]) =>
    (await as('super_admin').post('/admin/users/send-email', { subject: 'Hi', note: 'Hi', user }))['mail_id']
  const [mixed, hidden] = [await write([own, foreign]), await write([foreign, second])]
  expect(await as('admin').get('/admin/outbox')).toMatchObject({ total: 1, data: [{ id: mixed }] })
  expect((await as('admin').get('/admin/outbox')).text).not.toContain('foreign@')
  expect((await as('admin').get(`/admin/mail/${hidden}`)).status).toBe(404)
  expect(await as('admin').post(`/admin/mail/${mixed}/stop`)).toMatchObject({ status: 403, message: whyNot })
  expect(await as('super_admin').get('/admin/outbox')).toMatchObject({ total: 2 })
})
