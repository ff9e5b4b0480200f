import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import sharp from 'sharp'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import {
  deliver,
  enterWorld,
  inboundAddress,
  inboundEnv,
  secret,
} from '#features/crm/emails/server/emails.testing.ts'
import { defaultGrants, isAdminRole, roleIds } from '#shared/access.ts'
import { startMailServer } from '#server/mail/mail.testing.ts'

const raw = (heads: Record<string, string>, body = 'Hello') =>
  [
    ...Object.entries({
      'Message-ID': `<${Math.random().toString(36).slice(2)}@client.example>`,
      From: 'Zoë <zoe@tamsel.example>',
      To: 'hello@linen.example',
      Subject: 'Your offer',
      ...heads,
    }).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')

async function withWorld(env: Record<string, string> = {}) {
  const started = await startTestApp({ env: { ...inboundEnv, ...env } })
  return { ...started, world: await enterWorld(started) }
}

const stranger = { From: 'Mikael Lund <mikael@nordlys.example>', Subject: 'Prices' }
const hardBounce = (message_id: string, address: string, action = 'failed', status = '5.1.1') =>
  raw(
    {
      From: 'MAILER-DAEMON@mx.example',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary="b"',
    },
    [
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      '',
      `Final-Recipient: rfc822; ${address}`,
      `Action: ${action}`,
      `Status: ${status}`,
      'Diagnostic-Code: smtp; 550 5.1.1 No such user',
      '',
      '--b',
      'Content-Type: text/rfc822-headers',
      '',
      `Message-ID: ${message_id}`,
      '--b--',
    ].join('\r\n'),
  )

test('an answer to an email from the panel arrives on the lead, with a notice to the author, and colleagues read it', async () => {
  const server = await startMailServer()
  const { as, app, db, world } = await withWorld({ SMTP_URL: server.url })
  const sent = await as('crm').post(`/admin/mails/lead/${world.lead}`, {
    to: ['zoe@tamsel.example'],
    subject: 'Your offer',
    content: '<p>Here it is</p>',
  })
  await db.transaction().execute((tx) => app.mail.control.retry(tx, sent['data'].id))
  await expect.poll(() => server.received).toHaveLength(1)
  const replyTo = /^Reply-To: [^@]*<(replies\+[a-f0-9]{32}@linen\.example)>/m.exec(
    server.received[0]!.raw,
  )?.[1]
  expect(replyTo).toBeDefined()
  // Reports of mail servers lead back to the email, too.
  expect(server.received[0]!.from).toBe(replyTo)
  const stored = JSON.stringify(await db.selectFrom('mail_reply_tokens').selectAll().execute())
  expect(stored).not.toContain(/\+(\w+)@/.exec(replyTo!)![1])
  const { id } = await deliver({ app }, raw({ To: replyTo!, Subject: 'Re: Your offer' }, 'We take it.'))
  const list = await as('admin').get(`/admin/received-mails/lead/${world.lead}`)
  expect(list['data']).toMatchObject([
    { id, subject: 'Re: Your offer', excerpt: 'We take it.', verified: true, record_name: 'Tamsel Hotel' },
  ])
  expect(await as('admin').get(`/admin/received-mail/${id}`)).toMatchObject({
    data: { text: 'We take it.', verified_by: 'token', filed_by: 'token' },
  })
  const notices = await as('crm').get('/admin/notices')
  expect(notices['data']).toMatchObject([
    { kind: 'email_received', record_type: 'lead', record_id: world.lead, words: 'Zoë: Re: Your offer' },
  ])
  expect((await as('admin').get('/admin/notices'))['data']).toEqual([])
})

test('without an address for incoming email, replies go to the author as before', async () => {
  const server = await startMailServer()
  const { as, app, db } = await startTestApp({ env: { SMTP_URL: server.url } })
  const id = await db.transaction().execute((tx) =>
    app.mail.queue(tx, {
      kind: 'x',
      to: ['zoe@tamsel.example'],
      subject: 'S',
      html: '',
      text: 'T',
      reply_to: 'paula@linen.example',
      record: { type: 'lead', id: 1 },
      staff_id: as('crm').id,
    }),
  )
  await expect.poll(() => server.received).toHaveLength(1)
  expect(server.received[0]!.raw).toMatch(/^Reply-To: paula@linen\.example\r$/m)
  expect(await db.selectFrom('mail_reply_tokens').select('mail_id').execute()).toEqual([])
  expect(id).toBeGreaterThan(0)
})

test('emails of a record can be read by those who can read the record, and by no one else', async () => {
  const { as, db, app, world } = await withWorld()
  const { id } = await deliver({ app }, raw({ To: world.toLead.reply_to }))
  const paths = [
    `/admin/received-mails/lead/${world.lead}`,
    `/admin/received-mail/${id}`,
    `/admin/received-mail/${id}/images`,
  ]
  for (const role of [...roleIds, undefined])
    for (const path of paths) {
      const may = role !== undefined && defaultGrants[role].includes('lead_detail')
      expect((await as(role).get(path)).status, `${role} ${path}`).toBe(
        role === undefined ? 401 : may ? 200 : 404,
      )
    }
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 1)
    .execute()
  for (const path of paths) expect((await as('crm').get(path)).status).toBe(404)
})

test('the search finds sent and received emails by sender, recipient, and words, of readable records only', async () => {
  const { as, app, world } = await withWorld()
  await deliver(
    { app },
    raw({ To: world.toLead.reply_to, Subject: 'Re: Your offer' }, 'The towels are missing.'),
  )
  await deliver(
    { app },
    raw(
      { From: 'ada@aalto.example', To: world.onTicket.reply_to, Subject: 'Scanner' },
      'Towels on the scanner',
    ),
  )
  const found = async (who: string, q: string) => {
    const { data } = await as(who).get(`/admin/mails/search?q=${encodeURIComponent(q)}`)
    return (data as { way: string; record_type: string }[]).map(
      ({ way, record_type }) => `${way} ${record_type}`,
    )
  }
  expect(await found('super_admin', 'towels')).toEqual(['received ticket', 'received lead'])
  expect(await found('super_admin', 'towels from:zoe')).toEqual(['received lead'])
  expect(await found('super_admin', 'to:zoe@tamsel.example')).toEqual(['sent lead'])
  expect(await found('super_admin', 'from: "someone-else')).toEqual([])
  expect(await found('super_admin', '')).toEqual([])
  expect(await found('crm', 'towels')).not.toContain('received ticket')
  expect(await found('designer', 'towels')).toEqual([])
  expect((await as(undefined).get('/admin/mails/search?q=x')).status).toBe(401)
})

test('an unsorted email is filed under an existing record, a new ticket, or a new lead, and returned', async () => {
  const { as, app, db, world } = await withWorld()
  const admin = as('super_admin')
  const arrive = async (from = stranger.From) =>
    (await deliver({ app }, raw({ ...stranger, From: from }, 'How much is it?'))).id
  const first = await arrive()
  expect(await admin.get('/admin/unsorted')).toMatchObject({ total: 1, waiting: 1, data: [{ id: first }] })
  const done = await admin.post(`/admin/unsorted/${first}/file`, { type: 'ticket', record_id: world.ticket })
  expect(done).toMatchObject({ status: 200, message: `Filed under ticket #${world.ticket}.` })
  const messages = async () => (await admin.get(`/admin/support/ticket/${world.ticket}`))['data'].messages
  expect((await messages()).at(-1)).toMatchObject({ message: '<p>How much is it?</p>' })
  expect(await admin.post(`/admin/unsorted/${first}/file`, { type: 'ticket' })).toMatchObject({ status: 409 })
  expect(await admin.post(`/admin/unsorted/${first}/undo`)).toMatchObject({
    message: 'Returned to Unsorted.',
  })
  expect(await messages()).toHaveLength(1)
  expect(await admin.post(`/admin/unsorted/${first}/undo`)).toMatchObject({ status: 409 })

  const ticket = await admin.post(`/admin/unsorted/${first}/file`, { type: 'ticket' })
  expect((await admin.get(`/admin/support/ticket/${ticket['record'].id}`))['data']).toMatchObject({
    title: 'Prices',
    unread: true,
    requester: 'Mikael Lund',
    messages: [{ message: '<p>How much is it?</p>' }],
  })
  await admin.post(`/admin/unsorted/${first}/undo`)
  expect((await admin.get(`/admin/support/ticket/${ticket['record'].id}`)).status).toBe(404)

  expect(await admin.post(`/admin/unsorted/${first}/file`, { type: 'lead' })).toMatchObject({
    status: 422,
    errors: { lead_for: ['Choose the product.'] },
  })
  expect(await admin.post(`/admin/unsorted/${first}/file`, { type: 'organization' })).toMatchObject({
    status: 422,
  })
  const inOslo = { headers: { 'x-time-zone': 'Europe/Oslo' } }
  const lead = await admin.post(`/admin/unsorted/${first}/file`, { type: 'lead', lead_for: 1 }, inOslo)
  const row = await db
    .selectFrom('leads')
    .selectAll()
    .where('lead_id', '=', lead['record'].id)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    company_name: 'nordlys.example',
    contact_name: 'Mikael Lund',
    email: 'mikael@nordlys.example',
    timezone: 'Europe/Oslo',
  })

  // The next email of the lead would be filed automatically.
  const second = await arrive('spam@promo.example')
  expect(await admin.post(`/admin/unsorted/${second}/settle`, { state: 'spam' })).toMatchObject({
    status: 200,
  })
  expect(await admin.get('/admin/unsorted?state=spam')).toMatchObject({ total: 1, waiting: 0 })
  await admin.post(`/admin/unsorted/${second}/undo`)
  expect(await admin.get('/admin/unsorted')).toMatchObject({ waiting: 1 })
})

test('places are proposed by number, address, and domain, and found by name', async () => {
  const { as, app, world } = await withWorld()
  const { id } = await deliver(
    { app },
    raw({ From: 'new@tamsel.example', Subject: `About #${world.ticket}` }),
  )
  const places = async (who: string, q = '') => {
    const { data } = await as(who).get(`/admin/unsorted/${id}/places?q=${q}`)
    return (data as { type: string; id: number }[]).map((one) => [one.type, one.id])
  }
  expect(await places('super_admin')).toEqual([
    ['ticket', world.ticket],
    ['lead', world.lead],
  ])
  expect(await places('super_admin', 'tamsel')).toEqual([['lead', world.lead]])
  // Support sees no leads.
  expect(await places('support', 'tamsel')).toEqual([])
})

test('each contact of a lead can be emailed, and an email from one of them arrives on the lead', async () => {
  const { as, app, db, world } = await withWorld()
  const sam = { lead_id: world.lead, name: 'Sam Whitlock', email: 'Sam@billing.example' }
  const from = raw({ From: 'Sam <sam@billing.example>' })
  const received = () =>
    db
      .selectFrom('received_mails')
      .select(['record_type', 'record_id', 'state'])
      .orderBy('id', 'desc')
      .executeTakeFirst()
  await deliver({ app }, from)
  expect(await received()).toMatchObject({ record_type: null, state: 'unsorted' })
  const { data } = await as('crm').post('/admin/users/lead-contacts', sam)
  expect((await as('crm').get(`/admin/mails/lead/${world.lead}/people`)).data).toEqual([
    { name: 'Zoë Yıldız', address: 'zoe@tamsel.example', banned: false },
    { name: 'Sam Whitlock', address: 'sam@billing.example', banned: false },
  ])
  await deliver({ app }, raw({ From: 'Sam <sam@billing.example>' }))
  expect(await received()).toMatchObject({ record_type: 'lead', record_id: world.lead, state: 'filed' })
  await as('crm').send('DELETE', `/admin/users/lead-contacts/${data.id}`)
  await deliver({ app }, raw({ From: 'Sam <sam@billing.example>' }))
  expect(await received()).toMatchObject({ record_type: null, state: 'unsorted' })
})

test('each role sorts email according to its permissions', async () => {
  const { as, app, world } = await withWorld()
  const { id } = await deliver({ app }, raw(stranger))
  const lead = await deliver({ app }, raw({ To: world.toLead.reply_to }))
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_view')
    const refused = role === undefined ? 401 : 403
    const admin = role !== undefined && isAdminRole(role)
    const expected = async (call: Promise<{ status: number }>, allowed: boolean, status = 200) =>
      expect((await call).status, String(role)).toBe(allowed ? status : refused)
    await expected(as(role).get('/admin/unsorted'), may)
    await expected(as(role).get(`/admin/unsorted/${id}/places`), may)
    await expected(as(role).post('/admin/unsorted/999999/file', { type: 'ticket' }), may, 404)
    await expected(as(role).post('/admin/unsorted/999999/settle', { state: 'done' }), may, 404)
    await expected(as(role).post(`/admin/unsorted/${id}/undo`), may, 409)
    await expected(as(role).get('/admin/bounces'), admin)
    await expected(as(role).post('/admin/bounces/clear', { address: 'a@b.example' }), admin, 404)
    expect((await as(role).get('/admin/bounces/of?address=a@b.example')).status).toBe(
      role === undefined ? 401 : 200,
    )
  }
  // The user who filed an email can undo it, also without the permission to delete tickets.
  const support = as('support')
  expect((await support.post(`/admin/unsorted/${id}/file`, { type: 'ticket' })).status).toBe(200)
  expect((await support.post(`/admin/unsorted/${id}/undo`)).status).toBe(200)
  // Support can't read the lead, so it can't file anything there, nor move its emails.
  expect(
    (await as('support').post(`/admin/unsorted/${id}/file`, { type: 'lead', record_id: world.lead })).status,
  ).toBe(403)
  expect((await as('support').post(`/admin/unsorted/${lead.id}/settle`, { state: 'spam' })).status).toBe(404)
  expect((await as('support').post(`/admin/unsorted/${id}/file`, { type: 'lead', lead_for: 1 })).status).toBe(
    403,
  )
})

test('a hard bounce marks the address, fails the email, and stops further ones until it is valid again', async () => {
  const server = await startMailServer()
  const { as, app, db, world } = await withWorld({ SMTP_URL: server.url })
  const { toLead } = world
  await deliver({ app }, hardBounce(toLead.message_id, 'ZOE@tamsel.example'))
  expect(await as('crm').get(`/admin/mail/${toLead.mail_id}`)).toMatchObject({
    data: { recipients: [{ state: 'failed', last_error: '550 5.1.1 No such user' }] },
  })
  const of = async () => (await as('crm').get('/admin/bounces/of?address=zoe@tamsel.example'))['data']
  expect(await of()).toMatchObject([{ address: 'zoe@tamsel.example', kind: 'hard', marked: true }])
  expect(await as('admin').get('/admin/bounces')).toMatchObject({
    total: 1,
    last_30_days: { hard: 1 },
    data: [{ belongs_to: [{ type: 'lead', id: world.lead, name: 'Tamsel Hotel' }] }],
  })
  const send = () =>
    as('crm').post(`/admin/mails/lead/${world.lead}`, {
      to: ['zoe@tamsel.example'],
      subject: 'Again',
      content: '<p>x</p>',
    })
  const { data } = await send()
  await db
    .updateTable('mail_recipients')
    .set({ next_try_at: new Date().toISOString() })
    .where('mail_id', '=', data.id)
    .execute()
  await vi.waitFor(
    async () =>
      expect(await as('crm').get(`/admin/mail/${data.id}`)).toMatchObject({
        data: {
          recipients: [
            { state: 'failed', last_error: expect.stringMatching(/^Not sent, because this address bounced/) },
          ],
        },
      }),
    { timeout: 30_000, interval: 300 },
  )
  expect(server.received).toEqual([])
  expect(await as('admin').post('/admin/bounces/clear', { address: 'zoe@tamsel.example' })).toMatchObject({
    status: 200,
  })
  expect(await of()).toEqual([])
})

test('soft bounces mark an address at the third, and reports about others mark nothing', async () => {
  const { as, app, world } = await withWorld()
  const { message_id } = world.toLead
  const marked = async (address: string) =>
    ((await as('crm').get(`/admin/bounces/of?address=${address}`))['data'] as unknown[]).length > 0
  for (const expected of [false, false, true]) {
    await deliver({ app }, hardBounce(message_id, 'zoe@tamsel.example', 'delayed', '4.4.1'))
    expect(await marked('zoe@tamsel.example')).toBe(expected)
  }
  await deliver({ app }, hardBounce(message_id, 'ada@aalto.example'))
  await deliver({ app }, hardBounce('<copied@elsewhere.example>', 'ada@aalto.example'))
  expect(await marked('ada@aalto.example')).toBe(false)
})

test('a complaint unsubscribes', async () => {
  const { app, db, world } = await withWorld()
  const complaint = raw(
    {
      From: 'fbl@provider.example',
      'Content-Type': 'multipart/report; report-type=feedback-report; boundary="b"',
    },
    `--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nOriginal-Rcpt-To: zoe@tamsel.example\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: ${world.toLead.message_id}\r\n\r\nx\r\n--b--`,
  )
  expect(await deliver({ app }, complaint)).toMatchObject({ state: 'automatic' })
  expect(await db.selectFrom('mail_unsubscribed').select('address').execute()).toEqual([
    { address: 'zoe@tamsel.example' },
  ])
})

test('an email of a banned user calls for no attention, and is marked', async () => {
  const { as, app, db, world } = await withWorld()
  await as('support')
    .post(`/admin/support/getTicket/${world.ticket}/0`)
    .catch(() => {})
  await db
    .updateTable('tickets')
    .set({ unread_message_id: null, status: 5 })
    .where('id', '=', world.ticket)
    .execute()
  const { id } = await deliver(
    { app },
    raw({ From: 'Ben <ben@aalto.example>', To: world.onTicket.reply_to }, 'Let me in'),
  )
  const { data } = await as('support').get(`/admin/support/ticket/${world.ticket}`)
  expect(data).toMatchObject({ unread: false, status: 5 })
  expect(data.messages.at(-1)).toMatchObject({
    message: '<p>Let me in</p>',
    sender: { verified: true, banned: true },
  })
  expect((await as('support').get('/admin/notices'))['data']).toEqual([])
  expect(await as('support').get('/admin/unsorted?state=banned')).toMatchObject({ data: [{ id }] })
  // Control: the same from another user.
  await deliver({ app }, raw({ From: 'ada@aalto.example', To: world.onTicket.reply_to }, 'Hello'))
  const control = (await as('support').get(`/admin/support/ticket/${world.ticket}`))['data']
  expect(control).toMatchObject({ unread: true, status: 0 })
  expect(control.messages.at(-1)).toMatchObject({ sender: { verified: true, banned: false } })
  expect((await as('support').get('/admin/notices'))['data']).toHaveLength(1)
})

test('the gateway needs its secret and a raw email', async () => {
  const { app } = await startTestApp({ env: { INBOUND_SECRET: secret } })
  expect(await deliver({ app }, raw(stranger), 'wrong')).toMatchObject({ status: 401 })
  expect(await deliver({ app }, '')).toMatchObject({ status: 422 })
  expect(await deliver({ app }, Buffer.alloc(50_000_001, 65))).toMatchObject({ status: 413 })
  const off = await startTestApp()
  expect(await deliver(off, raw(stranger))).toMatchObject({ status: 404 })
})

test('images on other servers are loaded only through the panel, from public addresses, and re-encoded', async () => {
  const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const asked: string[] = []
  const remote = createServer((request, response) => {
    asked.push(request.url!)
    if (request.url === '/photo.png') return response.setHeader('content-type', 'image/png').end(picture)
    response.setHeader('content-type', 'image/svg+xml').end('<svg xmlns="http://www.w3.org/2000/svg"/>')
  })
  await new Promise<void>((ready) => remote.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void remote.close())
  const origin = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`
  const { as, app }: TestApp = await startTestApp({ env: inboundEnv, outside: { extraOrigin: origin } })
  const html = `<img src="${origin}/photo.png"><img src='${origin}/drawing.svg'><img src="http://127.0.0.1:1/inside.png"><img src="http://169.254.169.254/meta"><img src="cid:x">`
  const { id } = await deliver({ app }, raw({ ...stranger, 'Content-Type': 'text/html' }, html))
  expect(await as('support').get(`/admin/received-mail/${id}`)).toMatchObject({ data: { remote_images: 4 } })
  expect(asked).toEqual([])
  const { data, failed } = await as('support').get(`/admin/received-mail/${id}/images`)
  expect(data).toEqual([
    { url: `${origin}/photo.png`, data: expect.stringMatching(/^data:image\/webp;base64,/) },
  ])
  expect(failed).toBe(3)
  expect(asked.toSorted()).toEqual(['/drawing.svg', '/photo.png'])
})

test('the preview names the address at which replies arrive', async () => {
  const { as, world } = await withWorld()
  const { data } = await as('crm').post(`/admin/mails/lead/${world.lead}/preview`, {
    subject: 'S',
    content: '<p>x</p>',
  })
  expect(data.reply_to).toBe(inboundAddress)
})
