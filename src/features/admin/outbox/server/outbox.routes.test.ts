import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { startAnother, startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { isAdminRole, roleIds } from '#shared/access.ts'
import { startMailServer } from '#server/mail/mail.testing.ts'
import { enterMany } from '#server/db/enter-many.testing.ts'

const mail = (to: string[], more: object = {}) => ({
  kind: 'test',
  to,
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
  ...more,
})
const send = ({ app, db }: Pick<TestApp, 'app' | 'db'>, to: string[], more: object = {}) =>
  db.transaction().execute((tx) => app.mail.queue(tx, mail(to, more)))
const states = async ({ db }: Pick<TestApp, 'db'>) =>
  Object.fromEntries(
    (await db.selectFrom('mail_recipients').select(['address', 'state']).orderBy('address').execute()).map(
      (row) => [row.address, row.state],
    ),
  )
const eventually = (fact: () => Promise<void> | void) => vi.waitFor(fact, { timeout: 30_000, interval: 100 })

test('an email is sent once to each recipient, with its text, its Message-ID, and no other address', async () => {
  const server = await startMailServer()
  const started = await startTestApp({
    env: {
      SMTP_URL: server.url,
      MAIL_FROM: 'Panel <panel@example.com>',
      PUBLIC_URL: 'https://panel.example.com',
    },
  })
  await send(started, ['a@one.example', 'b@two.example', 'A@one.example'], {
    subject: 'Zoë',
    reply_to: 'paula@example.com',
  })
  await eventually(async () =>
    expect(await states(started)).toEqual({ 'a@one.example': 'sent', 'b@two.example': 'sent' }),
  )
  expect(server.received.map(({ to }) => to).toSorted()).toEqual([['a@one.example'], ['b@two.example']])
  const [first, second] = server.received
  expect(first!.messageId).toMatch(/^<[\w-]+@panel\.example\.com>$/)
  expect(second!.messageId).toBe(first!.messageId)
  expect(first!.raw).toMatch(/^From: Panel <panel@example.com>/m)
  expect(first!.raw).toMatch(/^Reply-To: paula@example.com/m)
  expect(first!.raw).toContain('text/plain')
  expect(first!.raw).toContain('text/html')
  expect(first!.raw).not.toContain(second!.to[0])
})

test('nothing is sent if the transaction is rolled back', async () => {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const { app, db } = started
  await expect(
    db.transaction().execute(async (tx) => {
      await app.mail.queue(tx, mail(['a@one.example']))
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  // Control: the next email is sent.
  await send(started, ['b@two.example'])
  await eventually(() => expect(server.received).toHaveLength(1))
  expect(server.received[0]!.to).toEqual(['b@two.example'])
  await eventually(async () => expect(await states(started)).toEqual({ 'b@two.example': 'sent' }))
})

test('while the SMTP server is down emails wait; then each is sent exactly once', async () => {
  const down = await startMailServer()
  await down.close()
  const started = await startTestApp({ env: { SMTP_URL: down.url } })
  started.app.mail.delivery.secondsBetweenTries = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
  const addresses = Array.from({ length: 12 }, (_, index) => `lead${index}@hotel.example`)
  for (const address of addresses) await send(started, [address])
  await eventually(async () => {
    const tried = await started.db
      .selectFrom('mail_recipients')
      .select(['state', 'attempts', 'last_error'])
      .where('attempts', '>', 0)
      .execute()
    expect(tried.length).toBe(addresses.length)
    expect(tried[0]!.last_error).toMatch(/ECONNREFUSED|connect/)
  })
  const up = await startMailServer(down.port)
  await eventually(async () =>
    expect(Object.values(await states(started))).toEqual(addresses.map(() => 'sent')),
  )
  expect(up.received.map(({ to }) => to[0]).toSorted()).toEqual(addresses.toSorted())
  expect(new Set(up.received.map(({ messageId }) => messageId)).size).toBe(addresses.length)
})

test('an address refused by the server fails, a deferred one is retried, and neither delays the others', async () => {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  started.app.mail.delivery.secondsBetweenTries = [1, 1]
  server.refused.add('gone@one.example')
  server.putOff.add('later@one.example')
  await send(started, ['gone@one.example', 'later@one.example', 'well@one.example'])
  await eventually(async () =>
    expect(await states(started)).toEqual({
      'gone@one.example': 'failed',
      'later@one.example': 'sent',
      'well@one.example': 'sent',
    }),
  )
  const failed = await started.db
    .selectFrom('mail_recipients')
    .selectAll()
    .where('state', '=', 'failed')
    .executeTakeFirstOrThrow()
  expect(failed).toMatchObject({ attempts: 1, last_error: expect.stringContaining('No such mailbox') })
  expect(server.received).toHaveLength(2)
})

test('after the last retry an email has failed, and an admin can retry it', async () => {
  const down = await startMailServer()
  await down.close()
  const started = await startTestApp({ env: { SMTP_URL: down.url } })
  started.app.mail.delivery.secondsBetweenTries = [1]
  const id = await send(started, ['a@one.example'])
  await eventually(async () => expect(await states(started)).toEqual({ 'a@one.example': 'failed' }))
  const up = await startMailServer(down.port)
  expect(await started.as('admin').post(`/admin/mail/${id}/retry`)).toMatchObject({
    status: 200,
    data: { recipients: [{ state: 'waiting', attempts: 0 }] },
  })
  await eventually(async () => expect(await states(started)).toEqual({ 'a@one.example': 'sent' }))
  expect(up.received).toHaveLength(1)
  expect(await started.as('admin').post(`/admin/mail/${id}/retry`)).toMatchObject({
    status: 409,
    message: 'This email was already sent or is being sent now.',
  })
})

test('an email left behind by a dead process is sent again after ten minutes, with the same Message-ID, and not before', async () => {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const { db, app } = started
  const { id } = await db
    .insertInto('mails')
    .values({ kind: 'test', subject: 'Left', html: '<p>x</p>', text: 'x', message_id: '<left@localhost>' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  await db
    .insertInto('mail_recipients')
    .values([
      { mail_id: id, address: 'old@one.example', state: 'sending', attempts: 1, sending_since: ago(11) },
      { mail_id: id, address: 'young@one.example', state: 'sending', attempts: 1, sending_since: ago(5) },
    ])
    .execute()
  // Start background work, as after a restart.
  app.work()
  await eventually(async () =>
    expect(await states(started)).toEqual({ 'old@one.example': 'sent', 'young@one.example': 'sending' }),
  )
  expect(server.received.map(({ to, messageId }) => [to[0], messageId])).toEqual([
    ['old@one.example', '<left@localhost>'],
  ])
})

test('without an SMTP server emails wait, and are sent when a process with one starts', async () => {
  const started = await startTestApp()
  await send(started, ['a@one.example'])
  expect(await started.as('admin').get('/admin/outbox')).toMatchObject({
    server: { host: null, last_sent_at: null, last_error: null },
    total: 1,
    counts: { waiting: 1, sent: 0 },
  })
  const server = await startMailServer()
  const withServer = { ...started.app, settings: { ...started.app.settings, smtpUrl: server.url } }
  const other = await startAnother({ ...started, app: withServer })
  other.work()
  await eventually(async () => expect(await states(started)).toEqual({ 'a@one.example': 'sent' }))
  expect(server.received).toHaveLength(1)
})

/* ---- The page ---- */

test('the outbox, and the emails of others without a record, are for roles 0 and 1 only', async () => {
  const started = await startTestApp()
  const id = await send(started, ['a@one.example'])
  for (const role of [...roleIds, undefined]) {
    const expected = role === undefined ? 401 : isAdminRole(role) ? 200 : 403
    const who = started.as(role)
    const answers = [
      await who.get('/admin/outbox'),
      await who.get(`/admin/mail/${id}`),
      await who.post(`/admin/mail/${id}/retry`),
    ]
    // The existence of an email that a user can't read is not revealed.
    const ofMail = expected === 403 ? 404 : expected
    expect([role, ...answers.map(({ status }) => status)]).toEqual([role, expected, ofMail, ofMail])
  }
})

test('the outbox lists waiting and failed emails by status, and shows one email completely', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const first = await send(started, ['a@one.example', 'b@one.example'], { staff_id: as('crm').id })
  const second = await send(started, ['c@one.example'], { subject: 'Second' })
  await db
    .updateTable('mail_recipients')
    .set({ state: 'failed', last_error: 'No such mailbox' })
    .where('address', '=', 'b@one.example')
    .execute()
  const ids = async (query: string) =>
    ((await as('admin').get(`/admin/outbox${query}`))['data'] as { id: number }[]).map(({ id }) => id)
  expect(await ids('')).toEqual([second, first])
  expect(await ids('?state=failed')).toEqual([first])
  expect(await ids('?state=waiting')).toEqual([second, first])
  expect(await ids('?page=2')).toEqual([])
  expect(await as('admin').get('/admin/outbox?page=2')).toMatchObject({
    total: 2,
    counts: { waiting: 2, failed: 1 },
  })
  expect(await as('super_admin').get(`/admin/mail/${first}`)).toMatchObject({
    data: {
      subject: 'Hello',
      html: expect.stringContaining('>Hello</p>'),
      text: 'Hello\n',
      from: null,
      who: expect.any(String),
      recipients: [{ state: 'waiting' }, { state: 'failed' }],
    },
  })
})

test('an email about a lead of another product does not exist', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { lead_id } = await db
    .insertInto('leads')
    .values({ company_name: 'Tamsel', lead_for: 3 })
    .returning('lead_id')
    .executeTakeFirstOrThrow()
  const id = await send(started, ['a@one.example'], { record: { type: 'lead', id: lead_id } })
  expect((await as('admin').get('/admin/outbox'))['total']).toBe(1)
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 3)
    .execute()
  expect(await as('admin').get('/admin/outbox')).toMatchObject({ total: 0, counts: { waiting: 0 } })
  expect((await as('admin').get(`/admin/mail/${id}`)).status).toBe(404)
  expect((await as('admin').post(`/admin/mail/${id}/retry`)).status).toBe(404)
})

test.each(['state=gone', 'page=0', 'page=x', 'no_such=1', 'state=sent&state=failed'])(
  'an outbox requested with %s is refused',
  async (query) => {
    const { as } = await startTestApp()
    expect((await as('admin').get(`/admin/outbox?${query}`)).status).toBe(422)
  },
)

test('an unknown email id is 404', async () => {
  const { as } = await startTestApp()
  for (const id of ['9999', '0', 'x', '1.5']) {
    expect((await as('admin').get(`/admin/mail/${id}`)).status).toBe(404)
    expect((await as('admin').post(`/admin/mail/${id}/retry`)).status).toBe(404)
  }
})

test('recipients and emails are counted up to ten thousand', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const id = await send(started, ['a@one.example'])
  await enterMany(
    db,
    sql`insert into mail_recipients (mail_id, address, state)
      select ${id}, i || '@one.example', 'failed' from generate_series(1, 10010::int) i`,
  )
  expect(await as('admin').get('/admin/outbox')).toMatchObject({
    total: 1,
    counts: { waiting: 1, failed: 10_000, sent: 0 },
  })
})

test('the outbox is searched by subject and recipient, and filtered by author and day', async () => {
  const started = await startTestApp()
  const { as } = started
  const towels = await send(started, ['jo@hotel.example'], {
    subject: 'Towels for Zoë',
    staff_id: as('crm').id,
  })
  const linen = await send(started, ['ann@towels.example', 'bo@hotel.example'], { subject: 'Linen' })
  const ids = async (query: string) =>
    ((await as('admin').get(`/admin/outbox?${query}`))['data'] as { id: number }[]).map(({ id }) => id)
  expect(await ids('search=towels')).toEqual([linen, towels])
  expect(await ids('search=zoe')).toEqual([towels])
  expect(await ids('search=bo@hotel')).toEqual([linen])
  expect(await ids('search=nothing')).toEqual([])
  expect(await ids(`staff_id=${as('crm').id}`)).toEqual([towels])
  expect(await ids('to=2001-01-01')).toEqual([])
  expect(await ids('from=2001-01-01')).toEqual([linen, towels])
})

test('the outbox names the mail server without its password, its last delivery, and its last error', async () => {
  const server = await startMailServer()
  const { port } = new URL(server.url)
  const started = await startTestApp({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` } })
  server.refused.add('gone@one.example')
  await send(started, ['well@one.example'])
  const id = await send(started, ['gone@one.example'])
  await eventually(async () =>
    expect(await states(started)).toEqual({ 'gone@one.example': 'failed', 'well@one.example': 'sent' }),
  )
  expect((await started.as('admin').get('/admin/outbox'))['server']).toEqual({
    host: '127.0.0.1',
    last_sent_at: expect.any(String),
    last_error: { at: expect.any(String), text: expect.stringContaining('No such mailbox'), mail_id: id },
  })
})

test('a failed email is sent to a corrected address, by its author and by admins', async () => {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const { as } = started
  server.refused.add('gone@one.example')
  const id = await send(started, ['gone@one.example', 'well@one.example'], { staff_id: as('crm').id })
  await eventually(async () =>
    expect(await states(started)).toEqual({ 'gone@one.example': 'failed', 'well@one.example': 'sent' }),
  )
  const correct = (role: 'crm' | 'admin' | 'support', old_address: string, new_address: string) =>
    as(role).post(`/admin/mail/${id}/correct-address`, { old_address, new_address })
  expect((await correct('support', 'gone@one.example', 'here@one.example')).status).toBe(404)
  expect(await correct('crm', 'gone@one.example', 'nowhere')).toMatchObject({
    status: 422,
    errors: { new_address: ['This isn’t a valid email address.'] },
  })
  expect((await correct('crm', 'gone@one.example', 'WELL@one.example')).status).toBe(422)
  expect((await correct('crm', 'well@one.example', 'here@one.example')).status).toBe(409)
  expect(await correct('crm', 'gone@one.example', 'Here@one.example')).toMatchObject({
    status: 200,
    message: 'Sending the email to Here@one.example.',
  })
  await eventually(async () =>
    expect(await states(started)).toEqual({ 'here@one.example': 'sent', 'well@one.example': 'sent' }),
  )
  expect(server.received.map(({ to }) => to[0])).toEqual(['well@one.example', 'here@one.example'])
  expect((await correct('admin', 'here@one.example', 'there@one.example')).status).toBe(409)
})

test('a corrected address refreshes the pages that show the lead of the email', async () => {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const { as, db, live } = started
  const { lead_id } = await db
    .insertInto('leads')
    .values({ company_name: 'Tamsel', lead_for: 1 })
    .returning('lead_id')
    .executeTakeFirstOrThrow()
  server.refused.add('gone@one.example')
  const id = await send(started, ['gone@one.example'], { record: { type: 'lead', id: lead_id } })
  await eventually(async () => expect(await states(started)).toEqual({ 'gone@one.example': 'failed' }))
  live.length = 0
  const corrected = await as('admin').post(`/admin/mail/${id}/correct-address`, {
    old_address: 'gone@one.example',
    new_address: 'here@one.example',
  })
  expect(String(corrected.headers['x-changed']).split(',')).toContain('leads')
  expect(live.map(({ channel }) => channel)).toContain('private-records.leads')
})

test('a user who can read an email but didn’t write it cannot correct its address', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { lead_id } = await db
    .insertInto('leads')
    .values({ company_name: 'Tamsel', lead_for: 1 })
    .returning('lead_id')
    .executeTakeFirstOrThrow()
  const record = { type: 'lead', id: lead_id }
  const id = await send(started, ['gone@one.example'], { staff_id: as('admin').id, record })
  await db.updateTable('mail_recipients').set({ state: 'failed', attempts: 1 }).execute()
  const body = { old_address: 'gone@one.example', new_address: 'here@one.example' }
  expect(await as('crm').get(`/admin/mail/${id}`)).toMatchObject({
    status: 200,
    data: { record_name: 'Tamsel', may_steer: false },
  })
  expect((await as('crm').post(`/admin/mail/${id}/correct-address`, body)).status).toBe(403)
  expect((await as('admin').post(`/admin/mail/${id}/correct-address`, body)).status).toBe(200)
})
