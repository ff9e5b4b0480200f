import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { startAnother, startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { isAdminRole, roleIds } from '#shared/access.ts'
import { startMailServer } from '#server/mail/mail.testing.ts'

const at = '/admin/outbox/waiting'
const eventually = (fact: () => Promise<void> | void) => vi.waitFor(fact, { timeout: 30_000, interval: 100 })

const send = ({ app, db }: Pick<TestApp, 'app' | 'db'>, to: string, more: object = {}) =>
  db.transaction().execute((tx) =>
    app.mail.queue(tx, {
      kind: 'test',
      to: [to],
      subject: 'Hello',
      html: '<p>Hello</p>',
      text: 'Hello',
      ...more,
    }),
  )
const age = ({ db }: Pick<TestApp, 'db'>, id: number, hours: number) =>
  sql`with one as (update mail_recipients set next_try_at = next_try_at - make_interval(hours => ${hours}) where mail_id = ${id})
    update mails set created_at = created_at - make_interval(hours => ${hours}) where id = ${id}`.execute(db)
const states = async ({ db }: Pick<TestApp, 'db'>) =>
  Object.fromEntries(
    (await db.selectFrom('mail_recipients').select(['address', 'state']).execute()).map((one) => [
      one.address,
      one.state,
    ]),
  )

/** Starts a process that has a mail server; the first one then says so as well. */
async function startWithServer(started: TestApp, url: string) {
  started.app.settings.smtpUrl = url
  const other = await startAnother(started)
  other.work()
}

/** Emails that were written while there was no mail server, and a process that has one. */
async function withWaiting() {
  const before = await startTestApp()
  const ids = {
    old: await send(before, 'old@one.example'),
    other: await send(before, 'other@one.example'),
    today: await send(before, 'today@one.example'),
  }
  await age(before, ids.old, 100)
  await age(before, ids.other, 30)
  await age(before, ids.today, 20)
  const server = await startMailServer()
  await startWithServer(before, server.url)
  return { before, server, ids }
}

test('once there is a mail server, only emails of the last day leave by themselves', async () => {
  const { before, server } = await withWaiting()
  await eventually(() => expect(server.received).toHaveLength(1))
  expect(server.received[0]!.to).toEqual(['today@one.example'])
  await eventually(async () =>
    expect(await states(before)).toEqual({
      'old@one.example': 'waiting',
      'other@one.example': 'waiting',
      'today@one.example': 'sent',
    }),
  )
  expect(await before.as('admin').get(at)).toMatchObject({ status: 200, count: 2, since: expect.any(String) })
})

test('roles 0 and 1 send or discard them, and no one else', async () => {
  const { before, server, ids } = await withWaiting()
  for (const role of roleIds.filter((one) => !isAdminRole(one))) {
    expect((await before.as(role).get(at)).status).toBe(403)
    expect((await before.as(role).post(`${at}/send`, {})).status).toBe(403)
    expect((await before.as(role).post(`${at}/discard`, {})).status).toBe(403)
  }
  expect(await before.as('admin').post(`${at}/send`, { ids: [ids.old] })).toMatchObject({
    status: 200,
    message: 'Sending 1 email.',
  })
  await eventually(() => expect(server.received.map(({ to }) => to[0])).toContain('old@one.example'))
  expect(await before.as('super_admin').post(`${at}/discard`, {})).toMatchObject({ status: 200, count: 1 })
  await eventually(async () =>
    expect(await states(before)).toEqual({
      'old@one.example': 'sent',
      'other@one.example': 'canceled',
      'today@one.example': 'sent',
    }),
  )
  expect(await before.as('admin').post(`${at}/send`, {})).toMatchObject({ status: 409 })
  expect(await before.as('admin').get(at)).toMatchObject({ count: 0, since: null })
})

test('without a mail server nothing can be sent, and emails of another product are not counted', async () => {
  const started = await startTestApp()
  const id = await send(started, 'a@one.example', { product_id: 3 })
  await age(started, id, 48)
  expect(await started.as('admin').get(at)).toMatchObject({ count: 1 })
  expect(await started.as('admin').post(`${at}/send`, {})).toMatchObject({ status: 409 })
  await started.db
    .deleteFrom('staff_products')
    .where('staff_id', '=', started.as('admin').id)
    .where('product_id', '=', 3)
    .execute()
  expect(await started.as('admin').get(at)).toMatchObject({ count: 0 })
  expect(await started.as('admin').post(`${at}/discard`, { ids: [id] })).toMatchObject({ status: 409 })
})

test('an expired link never leaves, even if its email is sent', async () => {
  const before = await startTestApp()
  const staff_id = before.as('crm').id
  await before.as('admin').post('/auth/forgot-password', { username: 'crm' })
  const mail = () =>
    before.db
      .selectFrom('mails')
      .select('id')
      .where('record_type', '=', 'invitation')
      .where('record_id', '=', staff_id)
      .executeTakeFirstOrThrow()
  await eventually(async () => void (await mail()))
  const { id } = await mail()
  await age(before, id, 72)
  await sql`update staff_invitations set created_at = created_at - interval '3 days', expires_at = expires_at - interval '3 days'`.execute(
    before.db,
  )
  const server = await startMailServer()
  await startWithServer(before, server.url)
  expect(await before.as('admin').post(`${at}/send`, {})).toMatchObject({ status: 200, count: 1 })
  await eventually(async () => expect(Object.values(await states(before))).toEqual(['canceled']))
  expect(server.received).toEqual([])
})
