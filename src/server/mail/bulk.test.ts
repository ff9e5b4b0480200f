import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { startAnother, startTestApp } from '#app/testing/start.testing.ts'
import { addressesOf, counts, eventually, many, queue, startMailServer } from '#server/mail/mail.testing.ts'

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
  started.app.mail.delivery.secondsBetweenTries = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
  const id = await queue(started, many(80))
  const tried = () =>
    started.db.selectFrom('mail_recipients').select('address').where('attempts', '>', 0).execute()
  const firstTried = await vi.waitUntil(async () => (await tried()).length, { timeout: 30_000, interval: 50 })
  expect(firstTried).toBeLessThan(20)
  const up = await startMailServer(down.port)
  await eventually(async () => expect(await counts(started, id)).toMatchObject({ sent: 80 }))
  expect(addressesOf(up.received)).toEqual(many(80))
})
