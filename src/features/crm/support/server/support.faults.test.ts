import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { client, startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { startMailServer } from '#server/mail/mail.testing.ts'

async function withTicket(options: Parameters<typeof startTestApp>[0] = {}) {
  const started = await startTestApp(options)
  const org = await enterOrganization(started.db)
  const user = await enterUser(started.db, org, 'Zoe')
  return {
    ...started,
    org,
    ...(await enterTicket(started.db, { organization_id: org, customer_user_id: user })),
  }
}
const reply = ({ as, id }: Pick<TestApp, 'as'> & { id: number }, values: object = {}) =>
  as('support').post(`/admin/support/sendReply/${id}`, { message: '<p>Hello</p>', ...values })
const left = async ({ db, app }: Pick<TestApp, 'db' | 'app'>) => [
  (await db.selectFrom('ticket_messages').select('id').execute()).length,
  (await db.selectFrom('mails').select('id').execute()).length,
  (await db.selectFrom('files').select('id').execute()).length,
  (await readdir(join(app.settings.dataDir, 'files')).catch(() => [])).length,
]

const bytes = (name: string, content: string, type = 'text/plain') => ({
  'attachment[]': { name, bytes: content, type },
})
const eleven = Object.fromEntries(
  Array.from({ length: 11 }, (_, index) => [
    `attachment[${index}]`,
    { name: `${index}.txt`, bytes: 'x', type: 'text/plain' },
  ]),
)
test.each<[string, Record<string, string | { name: string; bytes: string; type: string }>, number]>([
  ['an SVG', bytes('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'), 422],
  ['HTML', bytes('a.html', '<script>x()</script>', 'text/html'), 422],
  ['HTML named as an image', bytes('a.png', '<!doctype html><script>x()</script>', 'image/png'), 422],
  ['a text named as a PDF', bytes('a.pdf', 'Hello', 'application/pdf'), 422],
  ['an empty file', bytes('a.txt', ''), 422],
  ['eleven megabytes', bytes('a.txt', 'x'.repeat(11_000_000)), 422],
  ['eleven files', eleven, 422],
])('a reply with %s is refused, and leaves no message, email, or file', async (_what, file, status) => {
  const started = await withTicket()
  const send = (form: typeof file) =>
    started
      .as('support')
      .post(`/admin/support/sendReply/${started.id}`, undefined, { form: { message: '<p>x</p>', ...form } })
  expect(await send(file)).toMatchObject({ status })
  expect(await left(started)).toEqual([1, 0, 0, 0])
  // Control: the same request with a valid file.
  expect(await send(bytes('a.txt', 'Hello'))).toMatchObject({ status: 200 })
  expect(await left(started)).toEqual([2, 1, 1, 1])
})

test.each([
  '../../etc/passwd.txt',
  'a\u202Etxt.exe.txt',
  'tab\tand\u0007bell.txt',
  '.htaccess.txt',
  `${'n'.repeat(400)}.txt`,
])('a file named %j has a displayable name, and is stored under a generated name', async (name) => {
  const started = await withTicket()
  const form = { message: '<p>x</p>', ...bytes(name, 'Hello') }
  const sent = await started.as('support').post(`/admin/support/sendReply/${started.id}`, undefined, { form })
  if (sent.status !== 200) return expect([sent.status, await left(started)]).toEqual([422, [1, 0, 0, 0]])
  const { name: shown, stored_name } = await started.db
    .selectFrom('files')
    .select(['name', 'stored_name'])
    .executeTakeFirstOrThrow()
  expect(shown).not.toMatch(/[/\\\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
  expect(stored_name).toMatch(/^[\w-]+(\.\w+)?$/)
})

test("an attachment's URL is 401 without its session, and 403 for a user who has lost access to the ticket", async () => {
  const started = await withTicket()
  const { as, app, db, id } = started
  await as('support').post(`/admin/support/sendReply/${id}`, undefined, {
    form: { message: '<p>x</p>', ...bytes('a.txt', 'Secret') },
  })
  const { data } = await as('support').get(`/admin/support/ticket/${id}`)
  const path = data.messages[1].attachments[0].path.replace('/api', '') as string
  const nobody = client(app, '')
  expect([
    (await nobody.get(path)).text,
    (await nobody.get(path.replace(/session=\d+/, 'session=999999'))).status,
  ]).toEqual(['Secret', 401])
  expect((await nobody.get(path.split('?')[0]!)).status).toBe(401)
  await db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 4)
    .where('permission', '=', 'all_tickets_view')
    .execute()
  expect((await nobody.get(path)).status).toBe(403)
})

test('while the SMTP server is down replies wait; then each arrives once, in its conversation', async () => {
  const down = await startMailServer()
  await down.close()
  const started = await withTicket({ env: { SMTP_URL: down.url } })
  started.app.mail.delivery.secondsBetweenTries = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
  for (const message of ['<p>One</p>', '<p>Two</p>', '<p>Three</p>']) await reply(started, { message })
  // Ends the period during which sending can be undone.
  await started.db.updateTable('mail_recipients').set({ next_try_at: new Date().toISOString() }).execute()
  const tried = async () =>
    (await started.db.selectFrom('mail_recipients').select('attempts').execute()).every(
      ({ attempts }) => attempts > 0,
    )
  await expect.poll(tried, { interval: 200 }).toBe(true)
  expect(
    (await started.as('admin').get(`/admin/support/ticket/${started.id}`))['data'].messages[1].mail,
  ).toMatchObject({
    state: 'waiting',
    error: expect.stringMatching(/ECONNREFUSED|connect/),
  })
  const up = await startMailServer(down.port)
  await expect.poll(() => up.received, { interval: 200 }).toHaveLength(3)
  expect(new Set(up.received.map(({ messageId }) => messageId)).size).toBe(3)
  expect(up.received.filter(({ raw }) => /^References: /im.test(raw))).toHaveLength(2)
})

test('a reply is resent after its email was sent, to the current address; not while it is being sent, and undoing that leaves the reply', async () => {
  const started = await withTicket()
  const { as, db, id } = started
  const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  const staged = await as('support').post('/files/stage', undefined, {
    form: { file: { name: 'screen.png', bytes: picture, type: 'image/png' } },
  })
  const { data } = await reply(started, { message: `<p>Hello</p><img data-file-id="${staged['data'].id}">` })
  expect(
    await db.selectFrom('file_links').select('role').where('file_id', '=', staged['data'].id).execute(),
  ).toEqual([{ role: 'inline' }])
  const again = (who = 'support', message = data.message_id) =>
    as(who).post(`/admin/support/ticket/${id}/resend/${message}`)
  expect(await again()).toMatchObject({ status: 409, message: 'This reply is still being sent.' })
  expect(await again('editor')).toMatchObject({ status: 403 })
  expect(await again('support', started.message_id)).toMatchObject({ status: 404 })
  await db.updateTable('mail_recipients').set({ state: 'failed', last_error: 'No such mailbox' }).execute()
  expect((await as('admin').get(`/admin/support/ticket/${id}`))['data'].messages[1].mail).toMatchObject({
    state: 'failed',
    error: 'No such mailbox',
  })
  await db.updateTable('customer_users').set({ email: 'new@aalto.example' }).execute()
  const sent = await again()
  expect(sent).toMatchObject({ status: 200, data: { message_id: data.message_id } })
  expect(
    await db
      .selectFrom('mail_recipients')
      .select(['address', 'state'])
      .where('mail_id', '=', sent['data'].mail_id)
      .execute(),
  ).toEqual([{ address: 'new@aalto.example', state: 'held' }])
  // The image is sent along, where it is in the text.
  expect(
    await db.selectFrom('mail_attachments').selectAll().where('mail_id', '=', sent['data'].mail_id).execute(),
  ).toMatchObject([{ content_id: expect.stringContaining('image-') }])
  await as('support').post(`/admin/mail/${sent['data'].mail_id}/call-off`)
  // Canceling a resend leaves the reply as it was before.
  expect((await as('admin').get(`/admin/support/ticket/${id}`))['data'].messages[1].mail).toMatchObject({
    state: 'failed',
    error: 'No such mailbox',
  })
  expect(await again()).toMatchObject({ status: 200 })
  expect(await db.selectFrom('ticket_messages').select('id').execute()).toHaveLength(2)
})

test('a requester replies to their own request, and support is notified; no one else can', async () => {
  const { as, db } = await withTicket()
  await db.insertInto('role_permissions').values({ role_id: 3, permission: 'support_view' }).execute()
  const { data: filed } = await as('editor').post('/admin/support/ticket', {
    title: 'My screen',
    message: '<p>It flickers.</p>',
  })
  await as('support').get(`/admin/support/get-ticket/${filed.id}/0`)
  await as('support').post(`/admin/support/sendReply/${filed.id}`, {
    message: '<p>Still?</p>',
    status: 3,
    customer_feedback: 1,
  })
  const write = (who: string, message: string) =>
    as(who).post(`/admin/support/requests/${filed.id}/reply`, { message })
  expect(await write('support', '<p>Not mine</p>')).toMatchObject({ status: 404 })
  expect(await write('designer', '<p>No right</p>')).toMatchObject({ status: 403 })
  expect(await write('editor', '<p> </p>')).toMatchObject({
    status: 422,
    errors: { message: [expect.any(String)] },
  })
  const form = { message: '<p>Yes<script>x()</script></p>', ...bytes('a.txt', 'Log') }
  expect(
    await as('editor').post(`/admin/support/requests/${filed.id}/reply`, undefined, { form }),
  ).toMatchObject({ status: 200 })
  expect((await as('editor').get(`/admin/support/requests/${filed.id}/0`))['data'].messages).toMatchObject([
    { message: '<p>It flickers.</p>', sent_by_admin: false },
    { message: '<p>Still?</p>', sent_by_admin: true },
    { message: '<p>Yes</p>', sent_by_admin: false, attachments: [{ name: 'a.txt' }] },
  ])
  expect((await as('support').get(`/admin/support/ticket/${filed.id}`))['data']).toMatchObject({
    status: 0,
    customer_feedback: false,
    unread: true,
  })
})

const secret = 'a-secret-of-thirty-two-characters'
test('the same email, delivered eight times concurrently, is one message', async () => {
  const { as, db } = await startTestApp({ env: { INBOUND_SECRET: secret } })
  const mail = {
    message_id: '<m1@aalto.example>',
    from: 'zoe@aalto.example',
    subject: 'Help',
    text: 'It stopped.',
  }
  const bring = () => as(undefined).post('/inbound/ticket', mail, { headers: { 'x-inbound-secret': secret } })
  expect((await Promise.all(Array.from({ length: 8 }, bring))).map(({ status }) => status)).toEqual(
    Array.from({ length: 8 }, () => 200),
  )
  expect(await db.selectFrom('ticket_messages').select('message_id').execute()).toEqual([
    { message_id: mail.message_id },
  ])
})
