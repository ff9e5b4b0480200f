import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { addressesOf, counts, eventually, many, queue, startMailServer } from '#server/mail/mail.testing.ts'

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
