import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { mails } from '#shared/mails.ts'
import { recordTypes } from '#shared/records.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, isAdminRole, roleIds, type Permission, type RoleId } from '#shared/access.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { Unsubscribing } from '#server/mail/unsubscribe.ts'
import { liftEndedBans } from '#features/crm/users/server/users.queries.ts'

const users = '/admin/users'
const holds =
  (...needs: Permission[]) =>
  (role: RoleId) =>
    needs.some((one) => defaultGrants[role].includes(one))
const list = holds('all_users_list')
const mail = { subject: 'News', note: 'Hello' }

const calls: [
  call: string,
  may: (role: RoleId) => boolean,
  method: string,
  path: (id: number) => string,
  body?: (id: number, organization: number) => object,
][] = [
  ['users.list', list, 'GET', () => users],
  ['users.search', list, 'GET', () => `${users}/search?q=aino`],
  ['users.banned', list, 'GET', () => `${users}/banned`],
  ['users.show', list, 'GET', (id) => `${users}/${id}`],
  ['users.getMasterUsers', list, 'GET', () => `${users}/get-master-users`],
  ['users.getMasterUser', list, 'GET', (id) => `/admin/get-master-user/${id}`],
  [
    'users.create',
    list,
    'POST',
    () => `${users}/create-user`,
    (_id, organization_id) => ({ organization_id, first_name: 'New' }),
  ],
  ['users.update', list, 'POST', () => `${users}/update-user`, (id) => ({ id, phone: '1' })],
  ['users.updateOrgUser', list, 'POST', () => `${users}/update-org-user`, (id) => ({ id, status: 0 })],
  ['ban', list, 'POST', (id) => `${users}/${id}/ban`, () => ({ reason: 'Spam' })],
  ['users.assignRole', isAdminRole, 'POST', (id) => `${users}/${id}/assign-role`, () => ({ role: 2 })],
  ['users.delete', isAdminRole, 'POST', (id) => `${users}/${id}`, () => ({ _method: 'DELETE' })],
  [
    'users.saveNote',
    holds('all_organization_note'),
    'POST',
    () => `${users}/save-user-note`,
    (id) => ({ note: 'Called', user: id }),
  ],
  ['users.assignUser', () => true, 'GET', () => `${users}/assign-user`],
  [
    'users.getAdminUsersList',
    holds('admin_users_list', 'task_developer_filter'),
    'GET',
    () => `${users}/get-adminusers-list/0`,
  ],
  ['users.getUsers', holds('all_users_list', 'all_organization_list'), 'GET', () => `${users}/get-users`],
  [
    'users.sendEmail',
    holds('all_organization_email'),
    'POST',
    () => `${users}/send-email`,
    (id) => ({ ...mail, user: id }),
  ],
  [
    'users.emailRecipients',
    holds('all_organization_email'),
    'POST',
    () => `${users}/send-email/recipients`,
    (id) => ({ user: id }),
  ],
  [
    'users.previewEmail',
    holds('all_organization_email'),
    'POST',
    () => `${users}/send-email/preview`,
    () => mail,
  ],
  [
    'users.testBulkEmail',
    holds('all_organization_email'),
    'POST',
    () => `${users}/send-bulk-email/test`,
    () => mail,
  ],
  ['users.senders', holds('all_organization_email'), 'GET', () => `${users}/senders`],
  [
    'users.saveSender',
    holds('all_organization_email'),
    'POST',
    () => `${users}/save-sender`,
    (id) => ({ user_ids: [id] }),
  ],
]

test.each(calls)('%s needs its permission', async (_call, may, method, path, body) => {
  const { as, db } = await startTestApp()
  const organization = await enterOrganization(db)
  for (const role of [...roleIds, undefined]) {
    const id = await enterUser(db, organization, `Aino${role}`, { is_master: true })
    const { status } = await as(role).send(method, path(id), body?.(id, organization))
    expect([role, status]).toEqual([role, role === undefined ? 401 : may(role) ? 200 : 403])
  }
})

test('a user comes with the time zone of their organization, its other users, and who created them', async () => {
  const { as, db } = await startTestApp()
  const organization_id = await enterOrganization(db, { timezone: 'America/Halifax' })
  await enterUser(db, organization_id, 'Bela')
  const { data } = await as('support').post(`${users}/create-user`, { organization_id, first_name: 'Aino' })
  expect((await as('csm').get(`${users}/${data.id}`))['data']).toMatchObject({
    name: 'Aino',
    timezone: 'America/Halifax',
    created_by_name: expect.stringContaining('Tom'),
    created_at: expect.stringMatching(/^\d{4}-/),
    others: 1,
  })
})

test.each([
  ['search=aino', { first_name: 'Aino' }, { first_name: 'Bela' }],
  ['search=%2B358%2040-12', { phone: '+358 (40) 1234' }, { phone: '+358 50 1234' }],
  ['is_subscribed=0', { is_subscribed: 0 }, { is_subscribed: 1 }],
  ['status=0', { status: 0 }, { status: 1 }],
  ['role_id=2', { role_id: 2 }, { role_id: 3 }],
])('%s keeps %j and drops %j', async (filter, kept, dropped) => {
  const { as, db } = await startTestApp()
  const organization = await enterOrganization(db)
  const id = await enterUser(db, organization, 'First', { email: 'first@aalto.example', ...kept })
  await enterUser(db, organization, 'Second', { email: 'second@aalto.example', ...dropped })
  const reply = await as('support').get(`${users}?${filter}`)
  expect([reply['total'], reply['per_page'], reply['data'].map((one: { id: number }) => one.id)]).toEqual([
    1,
    20,
    [id],
  ])
})

test('organization and product keep their own users, and viewers without the product see none of its users', async () => {
  const { as, db } = await startTestApp()
  const [one, other] = [await enterOrganization(db), await enterOrganization(db, { name: 'Other' }, [4])]
  const [mine, foreign] = [await enterUser(db, one, 'Mine'), await enterUser(db, other, 'Foreign')]
  const ids = async (query: string) =>
    (await as('support').get(`${users}${query}`))['data'].map(({ id }: { id: number }) => id)
  expect([await ids(`?organization=${one}`), await ids('?product=4')]).toEqual([[mine], [foreign]])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('support').id)
    .where('product_id', '=', 4)
    .execute()
  expect([await ids(''), (await as('support').get(`${users}/${foreign}`)).status]).toEqual([[mine], 404])
  expect(await as('support').post(`${users}/update-user`, { id: foreign, phone: '1' })).toMatchObject({
    status: 404,
  })
  expect(
    await as('support').post(`${users}/create-user`, { organization_id: other, first_name: 'In' }),
  ).toMatchObject({
    status: 422,
    errors: { organization_id: [expect.any(String)] },
  })
})

test('a phone number is found in any format', async () => {
  const { as, db } = await startTestApp()
  const id = await enterUser(db, await enterOrganization(db), 'Aino', { phone: '+1 (555) 010-4477' })
  for (const q of ['5550104477', '555 010', '010-44', '+1 555', '(555) 0104', '4477'])
    expect([
      q,
      (await as('support').get(`${users}/search?q=${encodeURIComponent(q)}`))['data'].map(
        (one: { id: number }) => one.id,
      ),
    ]).toEqual([q, [id]])
  expect((await as('support').get(`${users}/search?q=999`))['data']).toEqual([])
})

test('words are not ids: every literal path is itself, and an id has only digits', async () => {
  const { as } = await startTestApp()
  for (const path of [
    'log',
    'banned',
    'search',
    'get-users',
    'assign-user',
    'get-master-users',
    'get-all-users',
  ])
    expect([path, (await as('super_admin').get(`${users}/${path}`)).status]).toEqual([path, 200])
  for (const path of ['abc', '1x', '0', '99999999999'])
    expect([path, (await as('super_admin').get(`${users}/${path}`)).status]).toEqual([path, 404])
  expect(await as('super_admin').post(`${users}/1`, {})).toMatchObject({ status: 405 })
})

test('a role id as text: 0 is Super Admin, all is everyone, 00 is nothing', async () => {
  const { as } = await startTestApp()
  const of = async (x: string) => as('admin').get(`${users}/get-adminusers-list/${x}`)
  expect((await of('0'))['data'].map(({ name }: { name: string }) => name)).toEqual(['Ingrid Solheim'])
  expect([(await of('all'))['data'].length, (await of('00')).status, (await of('14')).status]).toEqual([
    14, 404, 404,
  ])
})

test('assign-role is for master users only', async () => {
  const { as, db } = await startTestApp()
  const id = await enterUser(db, await enterOrganization(db), 'Aino')
  expect(await as('admin').post(`${users}/${id}/assign-role`, { role: 1 })).toMatchObject({ status: 409 })
  expect(await as('admin').post(`${users}/${id}/assign-role`, { role: 99 })).toMatchObject({ status: 409 })
  await as('admin').post(`${users}/update-org-user`, { id, is_master: true })
  expect(await as('admin').post(`${users}/${id}/assign-role`, { role: 99 })).toMatchObject({ status: 422 })
  expect(await as('admin').post(`${users}/${id}/assign-role`, { role: 1 })).toMatchObject({
    status: 200,
    data: { role_id: 1 },
  })
})

test('an edit is undone, a stale one is 409, an email already in use is a warning', async () => {
  const { as, db } = await startTestApp()
  const organization = await enterOrganization(db)
  const id = await enterUser(db, organization, 'Aino')
  await enterUser(db, organization, 'Bela')
  const { operation } = await as('support').post(`${users}/update-user`, { id, phone: '1', version: 1 })
  expect(await as('csm').post(`${users}/update-user`, { id, phone: '2', version: 1 })).toMatchObject({
    status: 409,
  })
  await as('support').post(`/admin/operations/${operation.id}/undo`)
  expect((await as('support').get(`${users}/${id}`))['data']).toMatchObject({ phone: '' })
  expect(await as('csm').post(`${users}/update-user`, { id, last_name: 'Aho' })).toMatchObject({
    warning: null,
  })
  expect(await as('csm').post(`${users}/update-user`, { id, email: 'BELA@aalto.example' })).toMatchObject({
    status: 200,
    warning: 'Bela (Aalto Linen) has the same email address.',
  })
})

test('a ban ends automatically, and until then no email is sent', async () => {
  const { as, db } = await startTestApp()
  const id = await enterUser(db, await enterOrganization(db), 'Aino')
  expect(
    await as('support').post(`${users}/${id}/ban`, { reason: 'Spam', until: '2026-03-16' }),
  ).toMatchObject({ status: 422 })
  await as('support').post(`${users}/${id}/ban`, { reason: 'Spam', until: '2026-03-20' })
  expect((await as('support').get(`${users}/banned`))['data']).toMatchObject([
    { id, ban_reason: 'Spam', banned_by_name: 'Tom Whitfield' },
  ])
  expect(await as('support').post(`${users}/send-email`, { ...mail, user: id })).toMatchObject({
    status: 422,
  })
  expect(await liftEndedBans(db, new Date('2026-03-19T23:59:00Z'))).toEqual([])
  expect(await liftEndedBans(db, new Date('2026-03-20T00:00:00Z'))).toEqual([id])
  expect((await as('support').get(`${users}/banned`))['data']).toEqual([])
  expect(await as('support').post(`${users}/${id}/unban`)).toMatchObject({ status: 409 })
})

test('the mailing list is per user and product; an email to it reaches each address once, and names the excluded', async () => {
  const { as, db, app } = await startTestApp({ env: { PUBLIC_URL: 'https://panel.example.com' } })
  const bulk = `${users}/send-bulk-email`
  const organization = await enterOrganization(db)
  expect(await as('support').post(bulk, mail)).toMatchObject({ status: 422 })
  const first = await enterUser(db, organization, 'Aino')
  await enterUser(db, organization, 'Banned', { banned_at: '2026-03-01T00:00:00Z' })
  await enterUser(db, organization, 'Quiet', { is_subscribed: 0 })
  await as('support').post(`${users}/save-sender`, { user_ids: [first, first], org_ids: [organization] })
  // An organization's users are determined when the email is sent.
  await enterUser(db, organization, 'Late')
  expect(await as('csm').post(bulk, mail)).toMatchObject({ status: 422 })
  expect(await as('support').post(bulk, { ...mail, product_id: 2 })).toMatchObject({ status: 422 })
  const { data: senders, count } = await as('support').get(`${users}/senders`)
  expect([senders.length, count]).toEqual([2, 2])
  const sent = await as('support').post(bulk, mail)
  expect(sent).toMatchObject({
    status: 200,
    count: 2,
    left_out: [
      { who: 'Banned', why: 'banned' },
      { who: 'Quiet', why: 'unsubscribed' },
    ],
  })
  const { rows } =
    await sql`select address::text, state from mail_recipients where mail_id = ${sent['mail_id']} order by 1`.execute(
      db,
    )
  expect(rows).toEqual([
    { address: 'aino@aalto.example', state: 'held' },
    { address: 'late@aalto.example', state: 'held' },
  ])
  expect(await as('support').get(`/admin/mail/${sent['mail_id']}`)).toMatchObject({
    status: 200,
    data: { may_steer: true },
  })
  expect(await as('support').post(`/admin/mail/${sent['mail_id']}/call-off`)).toMatchObject({ status: 200 })
  await db
    .transaction()
    .execute((tx) => app.mail.unsubscribing.unsubscribe(tx, 'aino@aalto.example', undefined))
  expect((await as('support').get(`${users}/${first}`))['data']).toMatchObject({ is_subscribed: 0 })
  await as('support').post(`${users}/save-sender`, {
    remove_sender_ids: senders.map(({ id }: { id: number }) => id),
  })
  expect(await as('support').post(bulk, mail)).toMatchObject({ status: 422 })
})

test("a mailing list takes its product's users, names the product, and says how many others were left out", async () => {
  const { as, db } = await startTestApp()
  const linen = await enterUser(db, await enterOrganization(db), 'Aino')
  const equipment = await enterUser(db, await enterOrganization(db, { name: 'Bela Tools' }, [3]), 'Bela')
  const add = (body: object) => as('admin').post(`${users}/save-sender`, body)
  expect(await add({ user_ids: [linen, equipment], product_id: 3 })).toMatchObject({
    status: 200,
    message:
      'Your mailing list for equipmate now has 1 entry. 1 was left out: their organizations don’t use equipmate.',
  })
  expect(await add({ user_ids: [linen], product_id: 3 })).toMatchObject({
    status: 422,
    errors: { user_ids: [expect.stringMatching(/mailing list for equipmate, and none/)] },
  })
  expect(await add({ user_ids: [equipment, 9999], product_id: 3 })).toMatchObject({ status: 404 })
})

test("a staff id is not a customer user's, more than ten thousand ids are refused, a subject has one line", async () => {
  const { as, db } = await startTestApp()
  const id = await enterUser(db, await enterOrganization(db), 'Aino')
  const send = (body: object) => as('support').post(`${users}/send-email`, { ...mail, user: id, ...body })
  expect(await send({ user: 9999 })).toMatchObject({ status: 404 })
  expect(await send({ user: Array.from({ length: 10_001 }, (_, index) => index + 1) })).toMatchObject({
    status: 422,
  })
  expect(await send({ subject: 'News\nBcc: x@y.example' })).toMatchObject({
    status: 422,
    errors: { subject: [expect.any(String)] },
  })
  expect(await send({ user: [id, id] })).toMatchObject({ status: 200, count: 1 })
})

test("send-bulk-email needs its permission, and leaves other users' lists alone", async () => {
  const { as, db } = await startTestApp({ env: { PUBLIC_URL: 'https://panel.example.com' } })
  const id = await enterUser(db, await enterOrganization(db), 'Aino')
  const may = holds('all_organization_email')
  for (const role of [...roleIds, undefined]) {
    if (role !== undefined && may(role)) await as(role).post(`${users}/save-sender`, { user_ids: [id] })
    const { status } = await as(role).post(`${users}/send-bulk-email`, mail)
    expect([role, status]).toEqual([role, role === undefined ? 401 : may(role) ? 200 : 403])
  }
  const sent = await db
    .selectFrom('mails')
    .select('staff_id')
    .where('kind', '=', 'users-bulk')
    .orderBy('staff_id')
    .execute()
  expect(sent.map(({ staff_id }) => staff_id)).toEqual(
    roleIds
      .filter(may)
      .map((role) => as(role).id)
      .toSorted((a, b) => a - b),
  )
})

test('a preview is the email as its author sees it, and stores nothing', async () => {
  const { as, db } = await startTestApp({ env: { PUBLIC_URL: 'http://127.0.0.1:3000' } })
  const { data } = await as('support').post(`${users}/send-email/preview`, {
    subject: 'Hello <b>',
    note: 'We count <script>x()</script> & more',
  })
  expect(data.subject).toBe('Hello <b>')
  expect(data.html).toContain('Hello Tom,')
  expect(data.html).toContain('Unsubscribe')
  expect(data.html).toContain('We count &lt;script&gt;x()&lt;/script&gt; &amp; more')
  expect(await db.selectFrom('mails').select('id').execute()).toEqual([])
})

test.each([
  ['an unknown id', { user: 0 }],
  ['words for ids', { user: 'abc' }],
  ['no ids', { user: [] }],
  ['a two-line subject', { subject: 'News\r\nBcc: x@y.example' }],
  ['no subject', { subject: ' ' }],
  ['no text', { note: '' }],
])('an email with %s is 422, and nothing is sent', async (_what, wrong) => {
  const { as, db } = await startTestApp()
  const user = await enterUser(db, await enterOrganization(db), 'Aino')
  expect(await as('support').post(`${users}/send-email`, { ...mail, user, ...wrong })).toMatchObject({
    status: 422,
    errors: expect.any(Object),
  })
  expect(await db.selectFrom('mails').select('id').execute()).toEqual([])
  // The control.
  expect(await as('support').post(`${users}/send-email`, { ...mail, user })).toMatchObject({ status: 200 })
})

test.each(['0', '00', 'all', '-1', 'a'])('a role %j is not a customer role', async (role_id) => {
  const { as, db } = await startTestApp()
  const id = await enterUser(db, await enterOrganization(db), 'Aino', { is_master: true })
  const before = await as('support').get(`${users}/${id}`)
  for (const [path, body] of [
    ['update-user', { id, role_id }],
    ['update-org-user', { id, role_id }],
    [`${id}/assign-role`, { role: role_id }],
  ] as const)
    expect([path, (await as('admin').post(`${users}/${path}`, body)).status]).toEqual([path, 422])
  expect((await as('support').get(`${users}?role_id=${role_id}`)).status).toBe(422)
  expect((await as('support').get(`${users}/${id}`))['data']).toEqual(before['data'])
})

test('before an email to selected users: the number of recipients and the excluded; after it, it can be canceled for a minute', async () => {
  const { as, db } = await startTestApp()
  const organization = await enterOrganization(db)
  const user = [
    await enterUser(db, organization, 'Aino'),
    await enterUser(db, organization, 'Banned', { banned_at: '2026-03-01T00:00:00Z' }),
    await enterUser(db, organization, 'Quiet', { is_subscribed: 0 }),
    await enterUser(db, organization, 'Twin', { email: 'AINO@aalto.example' }),
    await enterUser(db, organization, 'Nowhere', { email: null }),
  ]
  expect(await as('support').post(`${users}/send-email/recipients`, { user })).toMatchObject({
    count: 1,
    left_out_total: 4,
    left_out: [
      { why: 'banned' },
      { why: 'unsubscribed' },
      { who: 'Twin', why: 'twice' },
      { why: 'no address' },
    ],
  })
  expect(await db.selectFrom('mails').select('id').execute()).toEqual([])
  const sent = await as('support').post(`${users}/send-email`, { ...mail, user })
  expect(await db.selectFrom('mail_recipients').select(['address', 'state']).execute()).toEqual([
    { address: 'aino@aalto.example', state: 'held' },
  ])
  expect(await as('support').post(`/admin/mail/${sent['mail_id']}/call-off`)).toMatchObject({ status: 200 })
})

test('the emails of a customer user are listed for those who can read the user, and 404 for others', async () => {
  const { as, db } = await startTestApp()
  const id = await enterUser(db, await enterOrganization(db), 'Aino')
  const { mail_id } = await as('support').post(`${users}/send-email`, { ...mail, user: id })
  expect(await as('support').get(`/admin/mails/customer_user/${id}`)).toMatchObject({
    status: 200,
    data: [{ id: mail_id, record_type: 'customer_user', record_id: id }],
  })
  expect(await as('designer').get(`/admin/mails/customer_user/${id}`)).toMatchObject({ status: 404 })
})

test("every record type's emails can be requested", () => {
  const { type } = mails.ofRecord.params.shape
  const names = Object.keys(recordTypes)
  expect(names).toContain('customer_user')
  for (const name of names) expect([name, type.safeParse(name).success]).toEqual([name, true])
})

test("HTML in a note is text, and an admin user's id is not a customer user's", async () => {
  const { as, db } = await startTestApp()
  const id = await enterUser(db, await enterOrganization(db), 'Aino')
  const note = '<img src=x onerror=alert(1)>'
  expect(await as('support').post(`${users}/save-user-note`, { note, user: id })).toMatchObject({
    data: { body: note },
  })
  const foreign = as('qa').id
  expect(foreign).not.toBe(id)
  for (const [path, body] of [
    ['save-user-note', { note: 'x', user: foreign }],
    ['update-user', { id: foreign, phone: '1' }],
    ['send-email', { ...mail, user: foreign }],
    ['save-sender', { user_ids: [foreign] }],
  ] as const)
    expect([path, (await as('support').post(`${users}/${path}`, body)).status]).toEqual([path, 404])
})

test('unsubscribing with the link of an email changes the user: version, history, and open pages', async () => {
  const { as, db, live } = await startTestApp()
  const organization = await enterOrganization(db)
  const aino = await enterUser(db, organization, 'Aino')
  const gone = await enterUser(db, organization, 'Bela', { is_subscribed: 0 })
  await as('support').post(`${users}/send-email`, { ...mail, user: [aino] })
  const stored = async (id: number) =>
    db
      .selectFrom('customer_users')
      .select(['version', 'is_subscribed'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const before = await stored(aino)
  const recipient = await db.selectFrom('mail_recipients').select('id').executeTakeFirstOrThrow()
  const link = `/unsubscribe/${await new Unsubscribing(db).tokenFor(recipient.id)}`
  const heard = () =>
    live
      .splice(0)
      .filter(({ channel }) => channel.endsWith('.customer_user'))
      .map(({ payload }) => payload.ids)
  heard()
  expect(await as(undefined).post(link)).toMatchObject({ status: 200 })
  const after = { version: before.version + 1, is_subscribed: 0 }
  expect([await stored(aino), (await stored(gone)).version, heard()]).toEqual([after, 1, [[aino]]])
  const history = async () => (await as('csm').get(`/admin/records/customer_user/${aino}/history`))['data']
  const events = await history()
  expect(events[0]).toMatchObject({
    who: 'System',
    act: 'Unsubscribed',
    changes: [{ field: 'is_subscribed', before: 1, after: 0 }],
  })
  // A second click changes nothing.
  await as(undefined).post(link)
  expect([await stored(aino), heard(), await history()]).toEqual([after, [], events])
})

test('an email to selected users has an unsubscribe link, and excludes unsubscribed addresses', async () => {
  const { as, db, app } = await startTestApp({ env: { PUBLIC_URL: 'https://panel.example.com' } })
  const organization = await enterOrganization(db)
  const user = [await enterUser(db, organization, 'Aino'), await enterUser(db, organization, 'Bela')]
  await db
    .transaction()
    .execute((tx) => app.mail.unsubscribing.unsubscribe(tx, 'bela@aalto.example', undefined))
  await db.updateTable('customer_users').set({ is_subscribed: 1 }).execute()
  expect(await as('support').post(`${users}/send-email/recipients`, { user })).toMatchObject({
    count: 1,
    left_out: [{ who: 'Bela', why: 'unsubscribed' }],
  })
  const { mail_id } = await as('support').post(`${users}/send-email`, { ...mail, user })
  expect(
    await db.selectFrom('mail_recipients').select('address').where('mail_id', '=', mail_id).execute(),
  ).toEqual([{ address: 'aino@aalto.example' }])
  expect(await db.selectFrom('mails').select('unsubscribable').where('id', '=', mail_id).execute()).toEqual([
    { unsubscribable: true },
  ])
})

test('of more than two hundred excluded users, two hundred are named and all are counted', async () => {
  const { as, db } = await startTestApp()
  const organization = await enterOrganization(db)
  await sql`insert into customer_users (organization_id, first_name, is_subscribed) select ${organization}, 'Guest ' || n, 0 from generate_series(1, 250) n`.execute(
    db,
  )
  const ids = (await db.selectFrom('customer_users').select('id').execute()).map(({ id }) => id)
  const reply = await as('support').post(`${users}/send-email/recipients`, { user: ids })
  expect([reply['count'], reply['left_out'].length, reply['left_out_total']]).toEqual([0, 200, 250])
})

test('work can be assigned to staff who are not banned and have the product; get-adminusers-list excludes banned ones', async () => {
  const { as, db } = await startTestApp()
  const named = async (path: string) =>
    (await as('super_admin').get(`${users}/${path}`))['data'].map(({ id }: { id: number }) => id) as number[]
  const [crm, qa] = [as('crm').id, as('qa').id]
  expect(await named('assign-user?product_id=4')).toEqual(expect.arrayContaining([crm, qa]))
  await db.deleteFrom('staff_products').where('staff_id', '=', crm).where('product_id', '=', 4).execute()
  await db.updateTable('staff').set({ banned_at: '2026-03-01T00:00:00Z' }).where('id', '=', qa).execute()
  const [ofProduct, ofAll, everybody] = [
    await named('assign-user?product_id=4'),
    await named('assign-user'),
    await named('get-adminusers-list/all'),
  ]
  expect([ofProduct.includes(crm), ofAll.includes(crm)]).toEqual([false, true])
  for (const list of [ofProduct, ofAll, everybody]) expect(list).not.toContain(qa)
  expect(everybody.length).toBe(13)
})

test('get-users searches, and returns id, name, and organization of up to three hundred users', async () => {
  const { as, db } = await startTestApp()
  const organization = await enterOrganization(db)
  await sql`insert into customer_users (organization_id, first_name) select ${organization}, 'Guest ' || n from generate_series(1, 305) n`.execute(
    db,
  )
  const id = await enterUser(db, organization, 'Zoe', { last_name: 'Aho' })
  const found = async (search: string) =>
    (await as('support').get(`${users}/get-users?search=${search}`))['data']
  expect((await found('')).length).toBe(300)
  expect(await found('oe%20A')).toEqual([{ id, name: 'Zoe Aho', organization: 'Aalto Linen' }])
})

test('a master user comes with the number of users they manage; another user is 404', async () => {
  const { as, db } = await startTestApp()
  const organization = await enterOrganization(db)
  const [master, other] = [
    await enterUser(db, organization, 'Aino', { is_master: true }),
    await enterUser(db, organization, 'Bela'),
  ]
  expect(await as('support').get(`/admin/get-master-user/${master}`)).toMatchObject({
    data: { id: master, name: 'Aino', is_master: true, manages: 1 },
  })
  for (const id of [other, 9999])
    expect([id, (await as('support').get(`/admin/get-master-user/${id}`)).status]).toEqual([id, 404])
  expect(
    (await as('support').get(`${users}/get-master-users`))['data'].map(({ id }: { id: number }) => id),
  ).toEqual([master])
})

test('users move to the trash in bulk, return by one undo or from the trash, and the export has the matching ones', async () => {
  const { as, db } = await startTestApp()
  const organization = await enterOrganization(db)
  const ids = [
    await enterUser(db, organization, 'Aino', { phone: '+1 555' }),
    await enterUser(db, organization, 'Bela', { status: 0 }),
  ]
  const shown = async () =>
    (await as('admin').get(`${users}?column=id&direction=asc`))['data'].map(({ id }: { id: number }) => id)
  expect(await as('support').post('/admin/records/customer_user/trash', { ids })).toMatchObject({
    status: 403,
  })
  const { operation } = await as('admin').post('/admin/records/customer_user/trash', { ids })
  expect(await shown()).toEqual([])
  expect(
    (await as('admin').get('/admin/records/customer_user/trash'))['data'].map(({ id }: { id: number }) => id),
  ).toEqual(expect.arrayContaining(ids))
  expect(await as('admin').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ undone: 2 })
  expect(await shown()).toEqual(ids)
  await as('admin').post('/admin/records/customer_user/trash', { ids: [ids[0]] })
  expect(await as('admin').post('/admin/records/customer_user/restore', { ids: [ids[0]] })).toMatchObject({
    restored: [ids[0]],
  })
  const { text } = await as('support').get(`${users}/export?status=1`)
  expect(text).toContain('Aalto Linen')
  expect(text).toContain('+1 555')
  expect([text.includes('Aino'), text.includes('Bela')]).toEqual([true, false])
})

test('an email with an unknown placeholder is refused at its field, and in previews', async () => {
  const { as, db } = await startTestApp()
  const user = await enterUser(db, await enterOrganization(db), 'Aino')
  const text = 'Dear {{Name}}, {{first_name}}'
  const whyNot = ['“{{first_name}}” isn’t a placeholder. Use {{name}}, or remove the braces.']
  const calls: [string, object, string][] = [
    ['send-email', { subject: 'Hi', note: text, user }, 'note'],
    ['send-email', { subject: text, note: 'Hi', user }, 'subject'],
    ['send-email/preview', { subject: 'Hi', note: text }, 'note'],
    ['send-bulk-email', { subject: text, note: 'Hi' }, 'subject'],
    ['send-bulk-email/test', { subject: 'Hi', note: text }, 'note'],
  ]
  for (const [path, body, field] of calls)
    expect([path, await as('super_admin').post(`/admin/users/${path}`, body)]).toMatchObject([
      path,
      { status: 422, errors: { [field]: whyNot } },
    ])
  expect(await db.selectFrom('mails').select('id').execute()).toEqual([])
  // Control: the only placeholder, as people write it.
  const known = { subject: 'Hi {{ name }}', note: 'Dear {{Name}}, welcome.', user }
  expect(await as('super_admin').post('/admin/users/send-email', known)).toMatchObject({ status: 200 })
})
