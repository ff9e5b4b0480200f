import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import type { Mail } from '#server/mail/mail.ts'
import { addressesOf, counts, eventually, many, queue, startMailServer } from '#server/mail/mail.testing.ts'

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

test('an attached email arrives byte for byte', async () => {
  const server = await startMailServer()
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const letter = Buffer.from(`From: a@b.example\nSubject: H\xe9\n\n${'x'.repeat(3000)}\n.\n`, 'latin1')
  const stored = await started.app.files.store(letter, '.eml')
  await queue(started, ['a@one.example'], {
    attachments: [{ name: 'a.eml', mime: 'message/rfc822', stored }],
  })
  await eventually(() => expect(server.received).toHaveLength(1))
  const { attachments } = await PostalMime.parse(server.received[0]!.raw)
  expect(attachments).toMatchObject([{ filename: 'a.eml', disposition: 'attachment' }])
  expect(Buffer.from(attachments[0]!.content as ArrayBuffer)).toEqual(letter)
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
