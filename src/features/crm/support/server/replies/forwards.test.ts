import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { deliver, inboundEnv } from '#features/crm/emails/server/emails.testing.ts'
import { enterUser, enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { eventually, startMailServer, withoutStyles } from '#server/mail/mail.testing.ts'

const support = '/admin/support'
const vendor = 'help@scanner.example'

async function withTicket(env: Record<string, string> = {}) {
  const started = await startTestApp({ env })
  const { as, db } = started
  const target = { priority: null, category: null, organization_id: null, in_working_hours: false }
  await as('admin').post(`${support}/targets`, {
    version: 0,
    targets: [{ ...target, first_response: 60, next_response: 120, resolution: 480 }],
    pauses_while_waiting: true,
    reminder_percent: null,
    zone: 'UTC',
    days: [null, null, null, null, null, null, null],
    holidays: [],
  })
  const org = await enterOrganization(db)
  const user = await enterUser(db, org, 'Jana', { email: 'jana@resort.example' })
  const { id, message_id } = await enterTicket(db, { organization_id: org, customer_user_id: user })
  const forward = (body: object, message = message_id) =>
    as('support').post(`${support}/ticket/${id}/messages/${message}/forward`, body)
  const show = async () => (await as('support').get(`${support}/ticket/${id}`))['data']
  return { ...started, id, user, message_id, forward, show }
}

/** Adds a file to a message. */
async function addFile({ db }: Awaited<ReturnType<typeof withTicket>>, message_id: number, name: string) {
  const { id } = await db
    .insertInto('files')
    .values({
      name,
      kind: 'other',
      mime: 'text/plain',
      bytes: 3,
      stored_name: `${Buffer.from(name).toString('hex').padEnd(40, '0').slice(0, 40)}.txt`,
      sha256: Buffer.alloc(32),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('file_links')
    .values({ file_id: id, record_type: 'ticket_message', record_id: message_id, role: 'attachment' })
    .execute()
  return id
}

test('forwarding is for roles that can open tickets', async () => {
  const { as, id, message_id } = await withTicket()
  const path = `${support}/ticket/${id}/messages/${message_id}/forward`
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_view')
    const { status } = await as(role).post(path, { to: [vendor], content: '' })
    expect(status, String(role)).toBe(may ? 200 : role === undefined ? 401 : 403)
  }
})

test('a message is forwarded with its sender, the covering text, and the chosen files; the ticket stays as it was', async () => {
  const world = await withTicket()
  const { db, forward, show, message_id, as } = world
  const [log] = [await addFile(world, message_id, 'log.txt'), await addFile(world, message_id, 'secret.txt')]
  const clocks = () =>
    db.selectFrom('ticket_clocks').selectAll().orderBy('ticket_id').orderBy('kind').execute()
  const [before, clocksBefore] = [await show(), await clocks()]
  expect(clocksBefore).not.toEqual([])
  const reply = await forward({
    to: ['Help@Scanner.example', 'boss@linen.example'],
    content: '<p>Is this known?</p>',
    file_ids: [log],
  })
  expect(reply).toMatchObject({ status: 200, message: expect.stringContaining('outbox') })
  const after = await show()
  expect(after.forwards).toMatchObject([
    {
      message_id,
      content: '<p>Is this known?</p>',
      recipients: [
        { address: vendor, state: 'held', error: null },
        { address: 'boss@linen.example', state: 'held', error: null },
      ],
      attachments: [{ id: log, name: 'log.txt' }],
    },
  ])
  expect(after.forwards[0].undo_seconds).toBeGreaterThan(0)
  for (const same of [
    'status',
    'unread',
    'last_message_at',
    'version',
    'assignee_id',
    'last_words',
    'messages',
  ] as const)
    expect(after[same], same).toEqual(before[same])
  expect(await clocks()).toEqual(clocksBefore)
  // Control: it is still in the queue of tickets that no one answered.
  const queue = await as('support').get(`${support}/ticket?queue=unanswered`)
  expect(queue['data']).toMatchObject([{ id: world.id }])
  const mail = await db
    .selectFrom('mails')
    .selectAll()
    .where('kind', '=', 'ticket-forward')
    .executeTakeFirstOrThrow()
  expect(mail.subject).toBe(`Fwd: The scanner stopped [#${world.id}]`)
  expect(mail.text).toMatch(
    /Is this known\?[^]*Forwarded message\nFrom: Jana.* <jana@resort\.example>\nDate: [^]*It shows nothing\./,
  )
  const files = await db
    .selectFrom('mail_attachments')
    .select('name')
    .where('mail_id', '=', mail.id)
    .execute()
  expect(files).toEqual([{ name: 'log.txt' }])
})

test('the foreign HTML of an email is cleaned before it is forwarded', async () => {
  const { db, forward, message_id } = await withTicket()
  const message =
    '<style>p{color:red}</style><p onclick="x()">Hi <img src="https://track.example/1.gif" /></p><script>1</script>'
  await db
    .updateTable('ticket_messages')
    .set({ message, is_foreign: true })
    .where('id', '=', message_id)
    .execute()
  await forward({ to: [vendor], content: '' })
  const { html } = await db.selectFrom('mails').select('html').executeTakeFirstOrThrow()
  expect(html).toMatch(/<blockquote [^>]*><p [^>]*>Hi <\/p><\/blockquote>/)
  expect(html).not.toMatch(/<script|track\.example|onclick/)
})

/** Adds an image to a message. */
async function addImage(world: Awaited<ReturnType<typeof withTicket>>, message_id: number, name: string) {
  const id = await addFile(world, message_id, name)
  await world.db.updateTable('files').set({ kind: 'image', mime: 'image/png' }).where('id', '=', id).execute()
  return id
}

test('the images in a message are in the forwarded text; other files of the message are attachments', async () => {
  const world = await withTicket()
  const { db, forward, message_id } = world
  const [image, photo] = [
    await addImage(world, message_id, 'a.png'),
    await addImage(world, message_id, 'b.png'),
  ]
  const log = await addFile(world, message_id, 'log.txt')
  const other = await enterTicket(db)
  const secret = await addImage(world, other.message_id, 'secret.png')
  for (const [message, is_foreign] of [
    [`<p>Here:</p><img data-file-id="${image}" alt="Screen" /><img data-file-id="${secret}" />`, false],
    [`<P>Here:<IMG alt=Screen SRC='cid:file-${image}'><img src="cid:file-${secret}">`, true],
  ] as const) {
    await db
      .updateTable('ticket_messages')
      .set({ message, is_foreign })
      .where('id', '=', message_id)
      .execute()
    expect(await forward({ to: [vendor], content: '', file_ids: [image, photo, log] })).toMatchObject({
      status: 200,
    })
    const mail = await db
      .selectFrom('mails')
      .select(['id', 'html'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const images = withoutStyles(mail.html).match(/<img [^>]*>/g)
    expect(images).toEqual([`<img src="cid:image-${image}@panel" alt="Screen" />`])
    const files = await db
      .selectFrom('mail_attachments')
      .select(['name', 'content_id'])
      .where('mail_id', '=', mail.id)
      .orderBy('name')
      .execute()
    expect(files).toEqual([
      { name: 'a.png', content_id: `image-${image}@panel` },
      { name: 'b.png', content_id: null },
      { name: 'log.txt', content_id: null },
    ])
  }
})

test('bad recipients, files of other messages, and messages of other tickets are refused', async () => {
  const world = await withTicket()
  const { db, forward } = world
  const other = await enterTicket(db)
  const file = await addFile(world, other.message_id, 'other.txt')
  const ok = { to: [vendor], content: '' }
  for (const [body, field] of [
    [{ ...ok, to: [] }, 'to'],
    [{ content: '' }, 'to'],
    [{ ...ok, to: ['nowhere'] }, 'to.0'],
    [{ to: [vendor] }, 'content'],
    [{ ...ok, file_ids: [file] }, 'file_ids.0'],
  ] as const)
    expect(await forward(body), field).toMatchObject({
      status: 422,
      errors: { [field]: [expect.any(String)] },
    })
  await db.updateTable('customer_users').set({ banned_at: '2026-03-01T00:00:00Z' }).execute()
  expect(await forward({ ...ok, to: ['jana@resort.example'] })).toMatchObject({
    status: 422,
    errors: { to: [expect.any(String)] },
  })
  expect((await forward(ok, other.message_id)).status).toBe(404)
  // Control
  expect((await forward(ok)).status).toBe(200)
})

test('the answer of the person to whom a message was forwarded arrives as a message of another sender', async () => {
  const { as, db, app, id, forward, show } = await withTicket(inboundEnv)
  await forward({ to: [vendor], content: '' })
  const { message_id } = await db.selectFrom('mails').select('message_id').executeTakeFirstOrThrow()
  const raw = [
    `From: Help Desk <${vendor}>`,
    'To: replies@linen.example',
    'Subject: Re: Fwd: The scanner stopped',
    'Message-ID: <1@scanner.example>',
    `In-Reply-To: ${message_id}`,
    '',
    'Replace the battery.',
  ].join('\r\n')
  expect(await deliver({ app }, raw)).toMatchObject({ status: 200, state: 'filed' })
  const { messages, requester_email } = await show()
  expect(messages.at(-1)).toMatchObject({
    who: 'Help Desk',
    author: 'other',
    author_email: vendor,
    sent_by_admin: false,
  })
  expect(requester_email).toBe('jana@resort.example')
  // Who forwarded it is notified.
  expect((await as('support').get('/admin/notices'))['data']).toMatchObject([
    { record_type: 'ticket', record_id: id },
  ])
  expect((await as('admin').get('/admin/notices'))['data']).toEqual([])
})

test('an undone forward leaves the ticket, and forwards follow their message to another ticket', async () => {
  const { as, forward, show, id, db, message_id } = await withTicket()
  const { data } = await forward({ to: [vendor], content: '' })
  expect((await show()).forwards).toHaveLength(1)
  expect((await as('support').post(`/admin/mail/${data.mail_id}/call-off`)).status).toBe(200)
  expect((await show()).forwards).toEqual([])
  await forward({ to: [vendor], content: '' })
  await db
    .insertInto('ticket_messages')
    .values({ ticket_id: id, sent_by_admin: false, message: '<p>And?</p>' })
    .execute()
  const split = await as('support').post(`${support}/ticket/${id}/split`, {
    title: 'Scanner',
    category: 1,
    assignee_id: null,
    message_ids: [message_id],
  })
  expect((await show()).forwards).toEqual([])
  const { data: moved } = await as('support').get(`${support}/ticket/${split['data'].id}`)
  expect(moved.forwards).toMatchObject([{ message_id }])
  const { record_id } = await db
    .selectFrom('mails')
    .select('record_id')
    .where('id', '=', moved.forwards[0].mail_id)
    .executeTakeFirstOrThrow()
  expect(record_id).toBe(moved.id)
})

test('the requester of a ticket doesn’t see to whom it was forwarded', async () => {
  const { as, db } = await withTicket()
  await db.insertInto('role_permissions').values({ role_id: 3, permission: 'support_view' }).execute()
  const { data } = await as(3).post(`${support}/ticket`, { title: 'Mine', message: '<p>Help</p>' })
  const { id } = await db
    .selectFrom('ticket_messages')
    .select('id')
    .where('ticket_id', '=', data.id)
    .executeTakeFirstOrThrow()
  expect(
    (
      await as('support').post(`${support}/ticket/${data.id}/messages/${id}/forward`, {
        to: [vendor],
        content: '',
      })
    ).status,
  ).toBe(200)
  expect((await as(3).get(`${support}/ticket/${data.id}`))['data']).toMatchObject({
    forwards: [],
    is_own: true,
  })
  expect((await as('support').get(`${support}/ticket/${data.id}`))['data'].forwards).toHaveLength(1)
})

test('a forward that is not delivered is shown with the reason, and its author gets a notice', async () => {
  const server = await startMailServer()
  server.refused.add(vendor)
  const { as, forward, show } = await withTicket({ SMTP_URL: server.url })
  const { data } = await forward({ to: [vendor], content: '' })
  await as('support').post(`/admin/mail/${data.mail_id}/retry`)
  await eventually(async () =>
    expect((await show()).forwards[0].recipients).toMatchObject([
      { state: 'failed', error: expect.any(String) },
    ]),
  )
  expect((await as('support').get('/admin/notices'))['data']).toMatchObject([
    {
      kind: 'email_failed',
      anchor: `forward-${data.id}`,
      words: expect.stringMatching(/^Your forwarded message to help@scanner\.example wasn’t delivered/),
    },
  ])
  // The ticket isn’t marked, because no reply to the customer failed.
  expect((await show()).email_failed).toBe(false)
})
