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
