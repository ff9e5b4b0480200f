import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { startAnother, startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { isAdminRole, roleIds } from '#shared/access.ts'
import { startMailServer } from '#server/mail.testing.ts'

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
  started.app.mail.secondsBetweenTries = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
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
  started.app.mail.secondsBetweenTries = [1, 1]
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
  started.app.mail.secondsBetweenTries = [1]
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
    is_on: false,
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
      html: '<p>Hello</p>',
      text: 'Hello',
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
  await sql`insert into mail_recipients (mail_id, address, state)
    select ${id}, i || '@one.example', 'failed' from generate_series(1, 10010::int) i`.execute(db)
  expect(await as('admin').get('/admin/outbox')).toMatchObject({
    total: 1,
    counts: { waiting: 1, failed: 10_000, sent: 0 },
  })
})
