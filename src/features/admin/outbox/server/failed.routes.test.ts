import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { isAdminRole, roleIds } from '#shared/access.ts'
import { queue, startMailServer } from '#server/mail/mail.testing.ts'

const at = '/admin/outbox/failed/retry'
const eventually = (fact: () => Promise<void> | void) => vi.waitFor(fact, { timeout: 30_000, interval: 100 })

const states = async ({ db }: TestApp) =>
  Object.fromEntries(
    (await db.selectFrom('mail_recipients').select(['address', 'state']).execute()).map((one) => [
      one.address,
      one.state,
    ]),
  )
/** Makes an email fail as if the mail server had been down at all attempts. */
const fail = ({ db }: TestApp, id: number) =>
  sql`update mail_recipients set state = 'failed', sent_at = null, last_error = 'connect ECONNREFUSED', last_error_at = now()
    where mail_id = ${id}`.execute(db)

test('what failed because of the mail server is retried together; wrong addresses, old emails, and those of other products stay', async () => {
  const server = await startMailServer()
  server.refused.add('gone@one.example')
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const down = await queue(started, ['down@one.example'])
  const old = await queue(started, ['old@one.example'])
  const other = await queue(started, ['other@one.example'], { product_id: 3 })
  await queue(started, ['gone@one.example'])
  await eventually(async () =>
    expect(await states(started)).toEqual({
      'down@one.example': 'sent',
      'gone@one.example': 'failed',
      'old@one.example': 'sent',
      'other@one.example': 'sent',
    }),
  )
  for (const id of [down, old, other]) await fail(started, id)
  await sql`update mails set created_at = created_at - interval '8 days' where id = ${old}`.execute(
    started.db,
  )
  await started.db
    .deleteFrom('staff_products')
    .where('staff_id', '=', started.as('admin').id)
    .where('product_id', '=', 3)
    .execute()
  for (const role of roleIds.filter((one) => !isAdminRole(one)))
    expect((await started.as(role).post(at, {})).status).toBe(403)

  expect(await started.as('admin').post(at, {})).toMatchObject({
    status: 200,
    message: 'Retrying 1 email.',
    count: 1,
  })
  await eventually(async () =>
    expect(await states(started)).toEqual({
      'down@one.example': 'sent',
      'gone@one.example': 'failed',
      'old@one.example': 'failed',
      'other@one.example': 'failed',
    }),
  )
  expect(server.received.filter(({ to }) => to[0] === 'down@one.example')).toHaveLength(2)
  expect(await started.as('admin').post(at, {})).toMatchObject({ status: 409 })
  const { data } = await started.as('admin').get('/admin/users/admin-log?area=mail')
  expect(data[0]).toMatchObject({ act: 'Retried failed emails', record: down })
})

test('without a mail server nothing is retried', async () => {
  const started = await startTestApp()
  await fail(started, await queue(started, ['down@one.example']))
  expect(await started.as('admin').post(at, {})).toMatchObject({ status: 409 })
  expect(await states(started)).toEqual({ 'down@one.example': 'failed' })
})
