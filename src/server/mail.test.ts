import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { client, startAnother, startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import type { Mail } from '#server/mail.ts'
import { startMailServer } from '#server/mail.testing.ts'
import { findUnsubscribed, UnsubscribeLinks } from '#server/mail/unsubscribe.ts'

const queue = ({ app, db }: Pick<TestApp, 'app' | 'db'>, to: Mail['to'], more: Partial<Mail> = {}) =>
  db.transaction().execute((tx) =>
    app.mail.queue(tx, {
      kind: 'test',
      to,
      subject: 'Hello',
      html: '<p>Hello</p>',
      text: 'Hello',
      ...more,
    }),
  )
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => `guest${String(index).padStart(5, '0')}@hotel.example`)
const eventually = (fact: () => Promise<void> | void) => vi.waitFor(fact, { timeout: 30_000, interval: 50 })
const counts = (started: TestApp, id: number) => started.app.mail.progress(started.db, id)
const addressesOf = (received: { to: string[] }[]) => received.map(({ to }) => to[0]!).toSorted()

test('ten thousand recipients take as many statements as a hundred to be in the outbox', async () => {
  const started = await startTestApp()
  let statements = 0
  const counting = started.db.withPlugin({
    transformQuery: ({ node }) => ((statements += 1), node),
    transformResult: async ({ result }) => result,
  })
  await queue({ app: started.app, db: counting }, many(100))
  const forHundred = statements
  expect(forHundred).toBeGreaterThan(1)
  const id = await queue({ app: started.app, db: counting }, many(10_000))
  expect(statements - forHundred).toBe(forHundred)
  expect(await counts(started, id)).toEqual({
    total: 10_000,
    waiting: 10_000,
    sent: 0,
    failed: 0,
    stopped: 0,
    held: 0,
    canceled: 0,
    unsubscribed: 0,
  })
})

test('an email to one recipient overtakes an email to thousands', async () => {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const id = await queue(started, many(4000))
  await eventually(() => expect(server.received.length).toBeGreaterThan(0))
  await queue(started, ['single@one.example'])
  await eventually(() => expect(server.received.some(({ to }) => to[0] === 'single@one.example')).toBe(true))
  expect((await counts(started, id)).waiting).toBeGreaterThan(0)
})

test('a process dies during a bulk email: another one continues, and only recipients in progress get it again, with the same Message-ID', async () => {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const all = many(120)
  const underWay = [all[30]!, all[31]!]
  for (const address of underWay) server.unanswered.add(address)
  const id = await queue(started, all)
  await eventually(() => expect(server.unanswered.size).toBe(0))
  // Both connections are hanging now; after ten minutes, this process is considered dead.
  await eventually(async () => expect((await counts(started, id)).sent).toBe(server.received.length - 2))
  expect(server.received.length).toBeLessThan(all.length)
  await sql`update mail_recipients set sending_since = sending_since - interval '11 minutes' where state = 'sending'`.execute(
    started.db,
  )
  const other = await startAnother(started)
  other.work()
  await eventually(async () => expect(await counts(started, id)).toMatchObject({ sent: 120, waiting: 0 }))
  expect(addressesOf(server.received)).toEqual([...all, ...underWay].toSorted())
  expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(1)
})

test('if the server refuses half of the recipients, the others get the email, and only the failed ones are retried', async () => {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const all = many(60)
  const refused = all.filter((_, index) => index % 2 === 0)
  for (const address of refused) server.refused.add(address)
  const id = await queue(started, all)
  await eventually(async () =>
    expect(await counts(started, id)).toEqual({
      total: 60,
      waiting: 0,
      sent: 30,
      failed: 30,
      stopped: 0,
      held: 0,
      canceled: 0,
      unsubscribed: 0,
    }),
  )
  server.refused.clear()
  const before = server.received.length
  expect(await started.as('admin').post(`/admin/mail/${id}/retry`)).toMatchObject({
    status: 200,
    data: { progress: { waiting: 30 } },
  })
  await eventually(async () => expect(await counts(started, id)).toMatchObject({ sent: 60, failed: 0 }))
  expect(addressesOf(server.received.slice(before))).toEqual(refused)
})

test('while the SMTP server is down, a bulk email waits as a whole; then each recipient gets it once', async () => {
  const down = await startMailServer()
  await down.close()
  const started = await startTestApp({ env: { SMTP_URL: down.url } })
  started.app.mail.secondsBetweenTries = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
  const id = await queue(started, many(80))
  const tried = () =>
    started.db.selectFrom('mail_recipients').select('address').where('attempts', '>', 0).execute()
  const firstTried = await vi.waitUntil(async () => (await tried()).length, { timeout: 30_000, interval: 50 })
  expect(firstTried).toBeLessThan(20)
  const up = await startMailServer(down.port)
  await eventually(async () => expect(await counts(started, id)).toMatchObject({ sent: 80 }))
  expect(addressesOf(up.received)).toEqual(many(80))
})

test('a bulk email is paused halfway and resumed later: each recipient gets it once', async () => {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const id = await queue(started, many(400))
  await eventually(() => expect(server.received.length).toBeGreaterThan(10))
  expect(await started.as('admin').post(`/admin/mail/${id}/stop`)).toMatchObject({
    status: 200,
    data: { progress: { total: 400 } },
  })
  await eventually(async () => expect((await counts(started, id)).waiting).toBe(0))
  const { sent, stopped } = await counts(started, id)
  expect(sent + stopped).toBe(400)
  expect(stopped).toBeGreaterThan(0)
  // A batch that is still queued would come before those of a later email.
  const later = Array.from({ length: 60 }, (_, index) => `later${index}@hotel.example`)
  await queue(started, later)
  await eventually(() => expect(server.received.length).toBeGreaterThanOrEqual(sent + later.length))
  expect(addressesOf(server.received).filter((address) => address.startsWith('guest'))).toHaveLength(sent)
  expect((await started.as('admin').post(`/admin/mail/${id}/resume`)).status).toBe(200)
  await eventually(async () => expect(await counts(started, id)).toMatchObject({ sent: 400, stopped: 0 }))
  expect(addressesOf(server.received)).toEqual([...many(400), ...later.toSorted()])
})

test('an email can be canceled until it is sent to the first recipient', async () => {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const author = started.as('crm')
  const held = { sendAfterSeconds: 600, staff_id: author.id }
  const [off, on] = [
    await queue(started, ['off@one.example'], held),
    await queue(started, ['on@one.example'], held),
  ]
  expect(await counts(started, off)).toMatchObject({ held: 1 })
  expect(await author.post(`/admin/mail/${off}/call-off`)).toMatchObject({
    status: 200,
    data: { called_off: true, progress: { canceled: 1, stopped: 0, held: 0 } },
  })
  for (const act of ['resume', 'retry'])
    expect((await author.post(`/admin/mail/${off}/${act}`)).status).toBe(409)
  // Both are due now, and the canceled one would be first.
  await sql`update mail_recipients set next_try_at = now()`.execute(started.db)
  await sql`update pgboss.job set start_after = now() where name = 'mail'`.execute(started.db)
  await eventually(async () => expect(await counts(started, on)).toMatchObject({ sent: 1 }))
  expect(addressesOf(server.received)).toEqual(['on@one.example'])
  expect((await author.post(`/admin/mail/${on}/call-off`)).status).toBe(409)
  expect(await counts(started, on)).toMatchObject({ sent: 1 })
})

test('an unsubscribe is reported, and emails waiting for the address are stopped, also when one is resumed later', async () => {
  const server = await startMailServer()
  const started = await startTestApp({
    env: { SMTP_URL: server.url, PUBLIC_URL: 'https://panel.example.com' },
  })
  const { app, db } = started
  const told: unknown[] = []
  app.mail.onUnsubscribe(async (_db, address, record) => {
    told.push([address, record])
    return []
  })
  const record = { type: 'blog', id: 7 }
  await queue(started, [{ address: 'zoe@one.example', name: '<Zoë>' }], {
    unsubscribable: true,
    record,
    subject: 'For {{name}}',
    html: '<body><p>{{name}}</p></body>',
  })
  await eventually(() => expect(server.received).toHaveLength(1))
  const raw = server.received[0]!.raw.replaceAll(/=\r?\n/g, '')
  expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
  const path = /^List-Unsubscribe: <https:\/\/panel\.example\.com\/api(\/unsubscribe\/[\w.-]+)>\r?$/m.exec(
    server.received[0]!.raw,
  )![1]!
  expect(raw).toContain('&lt;Zo=C3=AB&gt;')
  expect(raw).not.toContain('{{name}}')

  const nobody = client(app, '')
  const later = await queue(started, ['zoe@one.example', 'anne@one.example'], {
    unsubscribable: true,
    sendAfterSeconds: 600,
  })
  const important = await queue(started, ['zoe@one.example'], { sendAfterSeconds: 600 })
  // The link is opened from an email client on another site, and opening it changes nothing.
  const asked = await nobody.get(path, { headers: { 'sec-fetch-site': 'cross-site' } })
  expect([asked.status, asked.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(asked.text).toContain('zoe@one.example')
  expect(await findUnsubscribed(db, ['zoe@one.example'])).toEqual(new Set())
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' } }
  for (let times = 0; times < 2; times += 1)
    expect((await nobody.post(path, 'List-Unsubscribe=One-Click', form)).status).toBe(200)
  expect(await findUnsubscribed(db, ['Zoe@one.example', 'b@one.example', null])).toEqual(
    new Set(['zoe@one.example']),
  )
  expect(told[0]).toEqual(['zoe@one.example', record])
  expect(await counts(started, later)).toMatchObject({ held: 1, stopped: 0, unsubscribed: 1 })
  expect(await counts(started, important)).toMatchObject({ held: 1, stopped: 0, unsubscribed: 0 })
  await db.transaction().execute((tx) => app.mail.stop(tx, later))
  expect(await db.transaction().execute((tx) => app.mail.resume(tx, later))).toBe(1)
  await eventually(() =>
    expect(addressesOf(server.received)).toEqual(['anne@one.example', 'zoe@one.example']),
  )

  const forged = path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  for (const wrong of [forged, '/unsubscribe/x', '/unsubscribe/1.'])
    expect([wrong, (await nobody.get(wrong)).status, (await nobody.post(wrong, '', form)).status]).toEqual([
      wrong,
      404,
      404,
    ])
})

test('an unsubscribe that fails is answered with a page and changes nothing; one that succeeds is audited once', async () => {
  const started = await startTestApp()
  const { app, db } = started
  let fails = true
  app.mail.onUnsubscribe(() => (fails ? Promise.reject(new Error('no')) : Promise.resolve([])))
  await queue(started, ['zoe@one.example'], { unsubscribable: true, sendAfterSeconds: 600 })
  const { id } = await db.selectFrom('mail_recipients').select('id').executeTakeFirstOrThrow()
  const path = `/unsubscribe/${await new UnsubscribeLinks(db).tokenFor(id)}`
  const audited = () =>
    db
      .selectFrom('audit_log')
      .select(['staff_id', 'act', 'target_type', 'changes'])
      .where('endpoint', '=', 'POST /unsubscribe/{token}')
      .execute()
  const send = (to: string) =>
    client(app, '').post(to, 'List-Unsubscribe=One-Click', {
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' },
    })

  const [failed, wrong] = [await send(path), await send('/unsubscribe/x')]
  for (const reply of [failed, wrong]) {
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.headers['content-security-policy']).toContain("form-action 'self'")
  }
  expect([failed.status, wrong.status]).toEqual([500, 404])
  expect(failed.text).toContain('Something went wrong on our end.')
  expect(await findUnsubscribed(db, ['zoe@one.example'])).toEqual(new Set())
  expect(await audited()).toEqual([])

  fails = false
  expect((await send(path)).status).toBe(200)
  expect(await findUnsubscribed(db, ['zoe@one.example'])).toEqual(new Set(['zoe@one.example']))
  expect(await audited()).toEqual([
    {
      staff_id: null,
      act: 'Unsubscribed',
      target_type: 'mail',
      changes: { unsubscribed: [null, 'zoe@one.example'] },
    },
  ])
})

test('an email carries its attachments, its In-Reply-To, and the token of its conversation', async () => {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const stored = await started.app.files.store(Buffer.from('name;rooms'), '.csv')
  await queue(started, ['a@one.example'], {
    attachments: [{ name: 'Zimmer – Größe.csv', mime: 'text/csv', stored }],
    in_reply_to: '<q2@guest.example>',
    references: ['<q1@guest.example>', '<q2@guest.example>'],
    reply_token: 'ticket0123456789abc',
  })
  await eventually(() => expect(server.received).toHaveLength(1))
  const { raw, messageId } = server.received[0]!
  expect(raw).toContain(Buffer.from('name;rooms').toString('base64'))
  expect(raw).toMatch(/^In-Reply-To: <q2@guest\.example>/m)
  expect(raw).toMatch(/^References: <q1@guest\.example>\s+<q2@guest\.example>/m)
  expect(messageId).toMatch(/^<ticket0123456789abc-[a-f0-9]{16}@/)
})

test('a header with more than one line and an invalid address are refused, and nothing is stored', async () => {
  const started = await startTestApp()
  const to = ['a@one.example']
  const wrong: [Mail['to'], Partial<Mail>, string][] = [
    [to, { subject: 'Hello\r\nBcc: c@evil.example' }, 'subject'],
    [to, { subject: ' ' }, 'subject'],
    [to, { reply_to: 'a@one.example\nX: y' }, 'reply_to'],
    [to, { in_reply_to: '<a@b>\r\nX: y' }, 'in_reply_to'],
    [to, { attachments: [{ name: 'a\nb', mime: 'text/csv', stored: 'x' }] }, 'attachments'],
    [['a@one.example\r\nBcc: c@evil.example'], {}, 'to'],
    [['nobody'], {}, 'to'],
    [[], {}, 'to'],
  ]
  for (const [list, more, field] of wrong)
    await expect(queue(started, list, more), field).rejects.toMatchObject({
      status: 422,
      errors: { [field]: [expect.any(String)] },
    })
  expect(await started.db.selectFrom('mails').select('id').execute()).toEqual([])
})

test('"Send to me first" reaches only the author', async () => {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const me = started.as('crm')
  const mail = {
    kind: 'news',
    to: many(500),
    subject: 'News',
    html: '<p>x</p>',
    text: 'x',
    sendAfterSeconds: 60,
    record: { type: 'blog', id: 1 },
  }
  await started.db.transaction().execute((tx) => started.app.mail.sendTest(tx, me, mail))
  const { email } = await started.db
    .selectFrom('staff')
    .select('email')
    .where('id', '=', me.id)
    .executeTakeFirstOrThrow()
  await eventually(() => expect(addressesOf(server.received)).toEqual([email]))
  expect(server.received[0]!.raw).toMatch(/^Subject: \[Test\] News/m)
})

test('users who can read a record can read its emails; only the author, and roles 0 and 1, control an email', async () => {
  const started = await startTestApp()
  const { app, as } = started
  app.mail.registerReadCheck('ticket', async (_db, id, viewer) => id === 7 && viewer.id !== as('editor').id)
  const id = await queue(started, many(30), { record: { type: 'ticket', id: 7 }, staff_id: as('crm').id })
  const paths = [
    '/admin/mails/ticket/7',
    `/admin/mail/${id}`,
    `/admin/mail/${id}/recipients?state=waiting&page=1`,
  ]
  for (const path of paths) {
    expect([path, (await as('crm').get(path)).status]).toEqual([path, 200])
    expect([path, (await as('digital_marketing').get(path)).status]).toEqual([path, 200])
    expect([path, (await as('editor').get(path)).status]).toEqual([path, 404])
    expect([path, (await as(undefined).get(path)).status]).toEqual([path, 401])
  }
  for (const path of [
    '/admin/mails/ticket/8',
    '/admin/mails/planet/7',
    '/admin/mail/9999',
    '/admin/mail/9999/recipients',
  ])
    expect([path, (await as('admin').get(path)).status]).toEqual([path, 404])
  const before = await counts(started, id)
  for (const act of ['stop', 'resume', 'retry', 'call-off']) {
    expect([act, (await as('digital_marketing').post(`/admin/mail/${id}/${act}`)).status]).toEqual([act, 403])
    expect([act, (await as('editor').post(`/admin/mail/${id}/${act}`)).status]).toEqual([act, 404])
  }
  expect(await counts(started, id)).toEqual(before)
  expect(await as('crm').get(paths[1]!)).toMatchObject({
    is_on: false,
    data: { bulk: true, may_steer: true, progress: { total: 30 } },
  })
  expect((await as('crm').get(paths[2]!))['data']).toHaveLength(30)
  expect((await as('crm').post(`/admin/mail/${id}/stop`)).status).toBe(200)
})
