import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { startMailServer } from '#server/mail/mail.testing.ts'

const eventually = (fact: () => Promise<void> | void) => vi.waitFor(fact, { timeout: 30_000, interval: 100 })
const gone = 'gone@hotel.example'

/** A ticket whose reply by support is sent immediately, to an address that the mail server rejects. */
async function withReply() {
  const server = await startMailServer()
  server.refused.add(gone)
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const { as } = started
  const { id } = await enterTicket(started.db, { sender_email: gone })
  const send = async (path: string, body: object) => {
    const { data, status } = await as('support').post(path, body)
    expect(status).toBe(200)
    await as('support').post(`/admin/mail/${data.mail_id}/retry`)
    return data as { mail_id: number; message_id: number }
  }
  const reply = () => send(`/admin/support/sendReply/${id}`, { message: '<p>Please restart it.</p>' })
  const stateOf = async (mail_id: number, state: string) =>
    eventually(async () =>
      expect(
        await started.db
          .selectFrom('mail_recipients')
          .select('state')
          .where('mail_id', '=', mail_id)
          .execute(),
      ).toEqual([{ state }]),
    )
  return { ...started, server, id, reply, stateOf }
}

const failed = async ({ as }: Pick<TestApp, 'as'>) =>
  ((await as('support').get('/admin/support/ticket?email_failed=1'))['data'] as { id: number }[]).map(
    (row) => row.id,
  )

test('a ticket whose last reply was not delivered is marked in the list and on the board, and can be filtered', async () => {
  const { as, db, id, reply, stateOf, server, live } = await withReply()
  const other = await enterTicket(db, { title: 'Other' })
  const { mail_id } = await reply()
  await stateOf(mail_id, 'failed')
  expect(await failed({ as })).toEqual([id])
  const { data } = await as('support').get('/admin/support/ticket')
  expect(Object.fromEntries(data.map((row: any) => [row.id, row.email_failed]))).toEqual({
    [id]: true,
    [other.id]: false,
  })
  await sql`update tickets set list_id = (select min(id) from board_lists), card_position = id`.execute(db)
  const board = await as('support').get('/admin/support/board?email_failed=1')
  expect(board).toMatchObject({ total: 1 })
  expect(board['data'].flatMap((lane: any) => lane.cards)).toMatchObject([{ id, email_failed: true }])
  expect(live).toContainEqual(
    expect.objectContaining({ event: 'changed', payload: { type: 'ticket', ids: [id], by: null } }),
  )
  // After the address is corrected, the mark disappears.
  const body = { old_address: gone, new_address: 'here@hotel.example' }
  expect((await as('support').post(`/admin/mail/${mail_id}/correct-address`, body)).status).toBe(200)
  await stateOf(mail_id, 'sent')
  expect(await failed({ as })).toEqual([])
  expect(server.received).toHaveLength(1)
})

test('a later reply that is delivered removes the mark', async () => {
  const { as, reply, stateOf, server } = await withReply()
  await stateOf((await reply()).mail_id, 'failed')
  server.refused.clear()
  // The address has bounced, so nothing is sent there until someone retries it.
  const { mail_id } = await reply()
  await stateOf(mail_id, 'failed')
  expect((await as('support').post(`/admin/mail/${mail_id}/retry`)).status).toBe(200)
  await stateOf(mail_id, 'sent')
  expect(await failed({ as })).toEqual([])
})

test('the author of a reply that was not delivered gets a notice that leads to it', async () => {
  const { as, id, reply, stateOf, live } = await withReply()
  const { mail_id, message_id } = await reply()
  await stateOf(mail_id, 'failed')
  expect((await as('support').get('/admin/notices'))['data']).toMatchObject([
    {
      kind: 'email_failed',
      record_type: 'ticket',
      record_id: id,
      anchor: `message-${message_id}`,
      title: 'The scanner stopped',
      words: expect.stringMatching(
        /^Your reply to gone@hotel\.example wasn’t delivered\. The address doesn’t exist/,
      ),
    },
  ])
  expect(live).toContainEqual({ channel: `private-staff.${as('support').id}`, event: 'notices', payload: {} })
  expect((await as('admin').get('/admin/notices'))['data']).toEqual([])
  // A second failure of the same reply is one unread notice.
  await as('support').post('/admin/notices/read-all', { id: 1_000_000 })
  await as('support').post(`/admin/mail/${mail_id}/retry`)
  await eventually(async () =>
    expect(await as('support').get('/admin/notices')).toMatchObject({ data: [{ read_at: null }] }),
  )
})

test('a muted ticket sends no notice about a failed reply', async () => {
  const { as, db, id, reply, stateOf } = await withReply()
  await db
    .insertInto('muted_records')
    .values({ staff_id: as('support').id, record_type: 'ticket', record_id: id })
    .execute()
  await stateOf((await reply()).mail_id, 'failed')
  expect((await as('support').get('/admin/notices'))['data']).toEqual([])
})

/** Returns the first answer to the only ticket, as the report, the list, and the clock have it. */
async function firstAnswerOf({ as, db }: Pick<TestApp, 'as' | 'db'>, id: number) {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const period = { from: day(-1), to: day(1) }
  const get = async (path: string) => as('admin').get(`/admin/support/${path}`)
  const { data } = await get(`report?from=${period.from}&to=${period.to}`)
  const list = await get(`ticket?event=answered&event_from=${period.from}&event_to=${period.to}`)
  const { targets } = (await get(`ticket/${id}`))['data']
  const clock = targets.find(({ kind }: { kind: string }) => kind === 'first_response')
  const { first_answer_at } = await db
    .selectFrom('tickets')
    .select('first_answer_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    answered: data.answered.count,
    people: (data.people as { id: number; answered: number }[]).flatMap(({ id: person, answered }) =>
      answered === 0 ? [] : [[person, answered]],
    ),
    seconds: data.first_response.median !== null,
    listed: list.total,
    ended_at: clock.ended_at,
    is_unanswered: (await get('ticket?queue=unanswered')).total === 1,
    first_answer_at,
  }
}

/** Sets a target for the first response, and the customer's message half an hour back. */
async function withTarget({ as, db }: Pick<TestApp, 'as' | 'db'>, id: number): Promise<void> {
  const { data: unset } = await as('admin').get('/admin/support/targets')
  const target = {
    priority: null,
    category: null,
    organization_id: null,
    first_response: 60,
    next_response: 60,
    resolution: null,
    in_working_hours: false,
  }
  await as('admin').post('/admin/support/targets', { ...unset, targets: [target] })
  await sql`update service_settings set since = now() - interval '1 day'`.execute(db)
  await sql`update tickets set created_at = now() - interval '30 minutes' where id = ${id}`.execute(db)
  await sql`update ticket_messages set created_at = now() - interval '30 minutes' where ticket_id = ${id}`.execute(
    db,
  )
}

test('a reply that was not delivered is no first answer, until it is delivered when it is sent again', async () => {
  const { as, db, id, reply, stateOf } = await withReply()
  await withTarget({ as, db }, id)
  const { mail_id, message_id } = await reply()
  await stateOf(mail_id, 'failed')
  const none = {
    answered: 0,
    people: [],
    seconds: false,
    listed: 0,
    ended_at: null,
    is_unanswered: true,
    first_answer_at: null,
  }
  expect(await firstAnswerOf({ as, db }, id)).toEqual(none)
  const { created_at } = await db
    .selectFrom('ticket_messages')
    .select('created_at')
    .where('id', '=', message_id)
    .executeTakeFirstOrThrow()
  const body = { old_address: gone, new_address: 'here@hotel.example' }
  await as('support').post(`/admin/mail/${mail_id}/correct-address`, body)
  await stateOf(mail_id, 'sent')
  expect(await firstAnswerOf({ as, db }, id)).toEqual({
    answered: 1,
    people: [[as('support').id, 1]],
    seconds: true,
    listed: 1,
    ended_at: created_at,
    is_unanswered: false,
    first_answer_at: created_at,
  })
})

test('after a reply that was not delivered, the next one is the first answer', async () => {
  const { as, db, id, reply, stateOf, server } = await withReply()
  await withTarget({ as, db }, id)
  const first = await reply()
  await stateOf(first.mail_id, 'failed')
  server.refused.clear()
  await as('csm').post(`/admin/support/sendReply/${id}`, { message: '<p>Try the second tray.</p>' })
  const second = await db
    .selectFrom('ticket_messages')
    .select(['created_at', 'mail_id'])
    .where('ticket_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const found = await firstAnswerOf({ as, db }, id)
  expect(found).toMatchObject({
    people: [[as('csm').id, 1]],
    ended_at: second.created_at,
    first_answer_at: second.created_at,
  })
  // The first one is sent again, and is the first answer from then on.
  await as('support').post(`/admin/mail/${first.mail_id}/retry`)
  await stateOf(first.mail_id, 'sent')
  const again = await firstAnswerOf({ as, db }, id)
  expect(again.people).toEqual([[as('support').id, 1]])
  expect(again.first_answer_at! < second.created_at).toBe(true)
})

test('the copy of a reply that was not delivered is no failure, and an admin user reads it in the panel', async () => {
  const { as, db, id, server, stateOf } = await withReply()
  server.refused.clear()
  server.refused.add('copy@hotel.example')
  const { data } = await as('support').post(`/admin/support/sendReply/${id}`, {
    message: '<p>Hello</p>',
    cc: ['copy@hotel.example'],
  })
  await as('support').post(`/admin/mail/${data.mail_id}/retry`)
  await eventually(async () =>
    expect(
      await db
        .selectFrom('mail_recipients')
        .select(['is_cc', 'state'])
        .where('mail_id', '=', data.mail_id)
        .orderBy('is_cc')
        .execute(),
    ).toEqual([
      { is_cc: false, state: 'sent' },
      { is_cc: true, state: 'failed' },
    ]),
  )
  const isUnanswered = async () =>
    (await as('admin').get('/admin/support/ticket?queue=unanswered'))['data'].map((row: any) => row.id)
  expect(await isUnanswered()).toEqual([])
  const own = await enterTicket(db, { staff_id: as('editor').id })
  const sent = await as('support').post(`/admin/support/sendReply/${own.id}`, { message: '<p>Hello</p>' })
  const { email } = await db
    .selectFrom('staff')
    .select('email')
    .where('id', '=', as('editor').id)
    .executeTakeFirstOrThrow()
  server.refused.add(email)
  await as('support').post(`/admin/mail/${sent['data'].mail_id}/retry`)
  await stateOf(sent['data'].mail_id, 'failed')
  expect(await isUnanswered()).toEqual([])
})
