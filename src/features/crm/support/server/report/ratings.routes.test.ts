import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { client, startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import type { SupportReport } from '#features/crm/support/report.contract.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { eventually, startMailServer, unfolded } from '#server/mail/mail.testing.ts'

const support = '/admin/support'
const form = { headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' } }

/** Starts a panel that asks for ratings, with a mail server. */
async function startAsking(env: Record<string, string> = {}) {
  const server = await startMailServer()
  const started = await startTestApp({
    env: { SMTP_URL: server.url, PUBLIC_URL: 'https://panel.example.com', ...env },
  })
  expect((await started.as('admin').post('/admin/settings', { asks_rating: true })).status).toBe(200)
  return { ...started, server }
}
type Started = Awaited<ReturnType<typeof startAsking>>

async function reply({ as }: Pick<TestApp, 'as'>, id: number, status?: number) {
  const sent = await as('support').post(`${support}/sendReply/${id}`, {
    message: '<p>It works again.</p>',
    ...(status === undefined ? {} : { status }),
  })
  expect(sent.status).toBe(200)
  return sent['data'] as { message_id: number; mail_id: number }
}

/** Delivers an email that is held so that it can be undone, and returns it as it arrived. */
async function deliver({ app, db, server }: Started, mail_id: number): Promise<string> {
  const before = server.received.length
  await db
    .updateTable('mail_recipients')
    .set({ next_try_at: sql<string>`now() - interval '1 second'` })
    .where('mail_id', '=', mail_id)
    .execute()
  await app.mail.delivery.deliver(mail_id)
  await eventually(() => expect(server.received.length).toBeGreaterThan(before))
  return unfolded(server.received.at(-1)!.raw)
}

const linkIn = (mail: string) =>
  /https:\/\/panel\.example\.com\/api(\/public\/rating\/[\w.-]+)\?score=good/.exec(mail)?.[1]

/** Answers a ticket so that it is resolved; returns the link in the email. */
async function ask(started: Started) {
  const ticket = await enterTicket(started.db, { sender_email: 'jana@resort.example' })
  const { mail_id, message_id } = await reply(started, ticket.id, 4)
  return { id: ticket.id, mail_id, message_id, path: linkIn(await deliver(started, mail_id))! }
}

const ratingOf = async ({ as }: Started, id: number, message_id: number) =>
  (
    (await as('support').get(`${support}/get-ticket/${id}/0`))['data'].messages as {
      id: number
      rating: object
    }[]
  ).find((message) => message.id === message_id)!.rating

test('only a reply that resolves a ticket asks, and only if the setting says so', async () => {
  const started = await startAsking()
  const { as, db } = started
  const { id } = await enterTicket(db, { sender_email: 'jana@resort.example' })
  const asks = async (status?: number) =>
    linkIn(await deliver(started, (await reply(started, id, status)).mail_id)) !== undefined
  expect([await asks(), await asks(3), await asks(4), await asks(), await asks(0)]).toEqual([
    false,
    false,
    true,
    true,
    false,
  ])
  await as('admin').post('/admin/settings', { asks_rating: false })
  expect(await asks(4)).toBe(false)
})

test('the outbox has no link with which an admin user could rate their own answer', async () => {
  const started = await startAsking()
  const { db } = started
  const { path, mail_id } = await ask(started)
  const mail = await db
    .selectFrom('mails')
    .select(['html', 'text'])
    .where('id', '=', mail_id)
    .executeTakeFirstOrThrow()
  const token = path.split('/').at(-1)!
  expect([mail.html.includes(token), mail.text.includes(token)]).toEqual([false, false])
  expect(mail.html).toContain('How was our answer?')
})

test('only the requester is asked: the copies of those in Cc have neither the question nor the link', async () => {
  const started = await startAsking()
  const { app, as, db, server } = started
  const { id } = await enterTicket(db, { sender_email: 'jana@resort.example' })
  const sent = await as('support').post(`${support}/sendReply/${id}`, {
    message: '<p>It works again.</p>',
    cc: ['front@resort.example', 'boss@resort.example'],
    status: 4,
  })
  const { mail_id } = sent['data'] as { mail_id: number }
  await db
    .updateTable('mail_recipients')
    .set({ next_try_at: sql<string>`now() - interval '1 second'` })
    .where('mail_id', '=', mail_id)
    .execute()
  await app.mail.delivery.deliver(mail_id)
  await eventually(() => expect(server.received.length).toBe(3))
  const copies = server.received.map(({ to, raw }) => ({ to: to[0]!, mail: unfolded(raw) }))
  const seenBy = (words: RegExp) =>
    copies
      .filter(({ mail }) => words.test(mail))
      .map(({ to }) => to)
      .toSorted()
  expect(seenBy(/How was our answer/)).toEqual(['jana@resort.example'])
  expect(seenBy(/rating\/|\{\{/)).toEqual(['jana@resort.example'])
  const everyone = ['boss@resort.example', 'front@resort.example', 'jana@resort.example']
  // In both parts, with what the frame adds below.
  expect(seenBy(/It works again[^]*It works again/)).toEqual(everyone)
  expect(seenBy(/<\/body>/)).toEqual(everyone)
})

test('opening the link counts nothing; sending the form rates the answer, once, and can change it', async () => {
  const started = await startAsking()
  const { app, db, as } = started
  const { id, path, message_id } = await ask(started)
  const customer = client(app, '')
  const page = await customer.get(`${path}?score=bad`, { headers: { 'sec-fetch-site': 'cross-site' } })
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  expect(page.text).toContain('value="bad" required checked')
  expect(page.text).toContain('noindex')
  expect(await ratingOf(started, id, message_id)).toBeNull()
  // The form is sent to the address of the page, without the score of the link that was opened.
  const action = /<form method="post" action="([^"]*)"/.exec(page.text)![1]!
  const sentTo = new URL(action, `https://panel.example.com${path}?score=bad`)
  expect((await customer.post(`${sentTo.pathname}${sentTo.search}`, 'score=bad', form)).status).toBe(200)
  expect((await customer.post(path, 'score=bad&comment=Still+%3Cb%3Ebroken%3C%2Fb%3E.', form)).status).toBe(
    200,
  )
  expect(await ratingOf(started, id, message_id)).toMatchObject({
    score: 'bad',
    comment: 'Still <b>broken</b>.',
  })
  expect((await customer.get(path)).text).toContain('Still &lt;b&gt;broken&lt;/b&gt;.')
  expect((await customer.post(path, 'score=good', form)).text).toContain('Thank you')
  expect(await ratingOf(started, id, message_id)).toMatchObject({ score: 'good', comment: '' })
  const notices = await db.selectFrom('notices').select(['kind', 'staff_id', 'words']).orderBy('id').execute()
  expect(notices.filter(({ kind }) => kind === 'rated')).toEqual([
    { kind: 'rated', staff_id: as('support').id, words: 'The customer rated the answer: Good.' },
  ])
})

test('the page says whose it is, as the email that asks does', async () => {
  const started = await startAsking()
  const { app, db } = started
  const organization_id = await enterOrganization(db, {}, [2])
  const { id } = await enterTicket(db, { sender_email: 'jana@resort.example', organization_id })
  const { name } = await db
    .selectFrom('products')
    .select('name')
    .where('id', '=', 2)
    .executeTakeFirstOrThrow()
  const { mail_id } = await reply(started, id, 4)
  const path = linkIn(await deliver(started, mail_id))!
  const customer = client(app, '')
  expect((await customer.get(path)).text).toContain(`<strong>${name}</strong>`)
  expect((await customer.post(path, 'score=good', form)).text).toContain(`<strong>${name}</strong>`)
})

test('a rating without a score, or with a comment that is too long, is refused with a page', async () => {
  const started = await startAsking()
  const { app } = started
  const { id, path, message_id } = await ask(started)
  for (const body of [
    '',
    'score=great',
    'score=good&comment=a%00b',
    `score=good&comment=${'x'.repeat(1001)}`,
  ]) {
    const refused = await client(app, '').post(path, body, form)
    expect([refused.status, refused.headers['content-type']]).toEqual([422, 'text/html; charset=utf-8'])
  }
  expect(await ratingOf(started, id, message_id)).toBeNull()
})

test('a link that is not ours is unknown; one that is old, or whose reply or ticket is gone, is no longer valid', async () => {
  const started = await startAsking()
  const { app, db, as, clock } = started
  const customer = client(app, '')
  const both = async (path: string) => [
    (await customer.get(path)).status,
    (await customer.post(path, 'score=good', form)).status,
  ]
  const { path } = await ask(started)
  const forged = path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  const unsubscribe = await app.mail.unsubscribing.tokenFor(1)
  for (const wrong of [forged, '/public/rating/x', `/public/rating/${unsubscribe}`])
    expect([wrong, await both(wrong)]).toEqual([wrong, [404, 404]])
  expect(await both(path)).toEqual([200, 200])

  const { id } = await enterTicket(db, { sender_email: 'jana@resort.example' })
  const undone = await reply(started, id, 4)
  expect((await as('support').post(`/admin/mail/${undone.mail_id}/call-off`)).status).toBe(200)
  const token = await app.mail.tokens.make('rating', undone.message_id)
  expect(await both(`/public/rating/${token}`)).toEqual([410, 410])
  const trashed = await ask(started)
  await db
    .updateTable('tickets')
    .set({ deleted_at: clock.now().toISOString(), deleted_by: as('admin').id })
    .where('id', '=', trashed.id)
    .execute()
  expect(await both(trashed.path)).toEqual([410, 410])
  clock.advance(31 * 86_400_000)
  expect(await both(path)).toEqual([410, 410])
})

test('a link can be used ten times in a quarter of an hour', async () => {
  const started = await startAsking({ RATE_LIMITS: 'on' })
  const { path } = await ask(started)
  const statuses: number[] = []
  for (let times = 0; times < 11; times += 1)
    statuses.push((await client(started.app, '').post(path, 'score=good', form)).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
})

test('the report counts each ticket with its last rating, and its numbers list exactly those tickets', async () => {
  const started = await startAsking()
  const { app, as } = started
  const customer = client(app, '')
  const rate = async (score: string, comment = '') => {
    const asked = await ask(started)
    await customer.post(asked.path, new URLSearchParams({ score, comment }).toString(), form)
    return asked
  }
  const bad = await rate('bad', 'Too slow.')
  const { id: ofAalto } = await rate('good')
  const organization_id = await enterOrganization(started.db)
  await started.db.updateTable('tickets').set({ organization_id }).where('id', '=', ofAalto).execute()
  const again = await rate('bad')
  const { mail_id } = await reply(started, again.id, 4)
  started.clock.advance(60_000)
  await customer.post(linkIn(await deliver(started, mail_id))!, 'score=good', form)
  await ask(started)
  const { data } = await as('support').get(`${support}/report?from=2026-03-16&to=2026-03-16`)
  const { asked, good, bad: rated_bad, comments, organizations } = (data as SupportReport).ratings
  expect([asked, good, rated_bad]).toEqual([5, 2, 1])
  expect(comments).toMatchObject([{ ticket_id: bad.id, score: 'bad', comment: 'Too slow.' }])
  const total = async (event: string, more = '') =>
    (
      await as('support').get(
        `${support}/ticket?event=${event}&event_from=2026-03-16&event_to=2026-03-16${more}`,
      )
    ).total
  expect([await total('rated_good'), await total('rated_bad')]).toEqual([2, 1])
  expect(organizations).toEqual([
    { id: null, name: 'No organization', good: 1, bad: 1 },
    { id: organization_id, name: 'Aalto Linen', good: 1, bad: 0 },
  ])
  for (const one of organizations)
    expect([
      await total('rated_good', `&organization=${one.id ?? 0}`),
      await total('rated_bad', `&organization=${one.id ?? 0}`),
    ]).toEqual([one.good, one.bad])
})
