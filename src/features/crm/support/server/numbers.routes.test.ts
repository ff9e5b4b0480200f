import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import type { Database, Db } from '#server/db/db.ts'

interface More extends Partial<Insertable<Database['tickets']>> {
  /** Changes of the status, in order. */
  changes?: readonly (readonly [at: string, from: number, to: number])[]
}

/** Inserts a ticket, created and answered at these times. */
async function enter(
  db: Db,
  created_at: string,
  answers: readonly string[] = [],
  { changes = [], ...more }: More = {},
) {
  const last_message_at = answers.at(-1) ?? created_at
  const { id: ticket_id } = await db
    .insertInto('tickets')
    .values({
      title: 'The scanner stopped',
      created_at,
      last_message_at,
      status: changes.at(-1)?.[2] ?? 0,
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('ticket_messages')
    .values([
      { ticket_id, sent_by_admin: false, message: '<p>It shows nothing.</p>', created_at },
      ...answers.map((at) => ({
        ticket_id,
        sent_by_admin: true,
        staff_id: 1,
        message: '<p>We will look.</p>',
        created_at: at,
      })),
    ])
    .execute()
  for (const [changed_at, from_status, to_status] of changes)
    await db
      .insertInto('ticket_status_changes')
      .values({ ticket_id, from_status, to_status, changed_at })
      .execute()
}

const path = '/admin/support/ticket-numbers'

test('new tickets of the last 30 days are compared with the 30 days before, and are those that the list has', async () => {
  const { as, db } = await startTestApp()
  await enter(db, '2026-03-16T09:00:00Z')
  await enter(db, '2026-02-15T00:00:00Z')
  await enter(db, '2026-02-14T23:59:00Z')
  await enter(db, '2026-01-15T23:59:00Z')
  await enter(db, '2026-03-15T09:00:00Z', [], { deleted_at: '2026-03-16T00:00:00Z', deleted_by: 1 })
  const { created } = await as('support').get(path)
  expect(created).toEqual({ total: 2, before: 1, parts: [1, 0, 0, 0, 0, 0, 0, 0, 0, 1] })
  const list = await as('support').get('/admin/support/ticket?created_from=2026-02-15&created_to=2026-03-16')
  expect(list.total).toBe(2)
  expect((await as('support').get(`${path}?today=2026-03-17`)).created).toMatchObject({ total: 1, before: 2 })
})

test('tickets count in the week they were created, and once in each week they were closed', async () => {
  const { as, db } = await startTestApp()
  await enter(db, '2026-03-16T09:00:00Z')
  await enter(db, '2026-03-08T09:00:00Z', [], {
    changes: [
      ['2026-03-16T10:00:00Z', 0, 4],
      ['2026-03-16T11:00:00Z', 4, 0],
      ['2026-03-16T12:00:00Z', 0, 5],
      ['2026-03-16T13:00:00Z', 5, 4],
    ],
  })
  await enter(db, '2025-12-01T09:00:00Z', [], {
    changes: [
      ['2026-01-04T23:59:00Z', 0, 5],
      ['2026-01-05T00:00:00Z', 5, 0],
      ['2026-01-05T09:00:00Z', 0, 5],
      ['2026-01-12T09:00:00Z', 5, 0],
      ['2026-03-09T09:00:00Z', 0, 4],
    ],
  })
  await enter(db, '2026-03-09T09:00:00Z', [], { changes: [['2026-03-10T09:00:00Z', 0, 3]] })
  const { weeks, opened, closed } = await as('support').get(path)
  expect([weeks.length, weeks[0], weeks[10]]).toEqual([11, '2026-01-05', '2026-03-16'])
  expect(opened).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1])
  expect(closed).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
})

test('open tickets are those that the list has, and the past follows from the changes since', async () => {
  const { as, db } = await startTestApp()
  await enter(db, '2026-03-16T09:00:00Z')
  await enter(db, '2026-01-05T09:00:00Z', [], { status: 3 })
  await enter(db, '2026-01-05T09:00:00Z', [], { changes: [['2026-03-16T08:00:00Z', 0, 4]] })
  // Came in during the period, was closed, and is open again.
  await enter(db, '2026-02-26T09:00:00Z', [], {
    changes: [
      ['2026-03-02T08:00:00Z', 0, 5],
      ['2026-03-13T08:00:00Z', 5, 0],
    ],
  })
  // Closed before the period, and closed from the beginning.
  await enter(db, '2026-01-05T09:00:00Z', [], { changes: [['2026-02-01T08:00:00Z', 0, 5]] })
  await enter(db, '2026-03-01T09:00:00Z', [], { status: 5 })
  const { open } = await as('support').get(path)
  expect(open).toMatchObject({ total: 3, before: 2, parts: [2, 2, 2, 3, 3, 2, 2, 2, 3, 3] })
  expect((await as('support').get('/admin/support/ticket?search=is%3Aopen')).total).toBe(3)
})

test('a merged ticket is in no number, as in the list', async () => {
  const { as, db } = await startTestApp()
  await enter(db, '2026-03-15T09:00:00Z')
  const { id } = await db.selectFrom('tickets').select('id').executeTakeFirstOrThrow()
  await enter(db, '2026-03-15T10:00:00Z', [], { merged_into: id })
  expect(await as('support').get(path)).toMatchObject({ created: { total: 1 }, open: { total: 1 } })
})

test('a day is the reader’s day, as in the list', async () => {
  const { as, db } = await startTestApp()
  // In Auckland, it is already the 16th.
  await enter(db, '2026-03-15T15:00:00Z')
  const headers = { 'x-time-zone': 'Pacific/Auckland' }
  const numbers = await as('support').get(`${path}?today=2026-03-15`, { headers })
  expect(numbers).toMatchObject({ created: { total: 0 }, open: { total: 1 } })
  expect((await as('support').get(`${path}?today=2026-03-15`)).created.total).toBe(1)
})

test('the first response is the median of the answered tickets, in seconds', async () => {
  const { as, db } = await startTestApp()
  expect((await as('support').get(path)).first_response).toEqual({
    answered: 0,
    seconds: null,
    before: null,
    parts: Array<null>(10).fill(null),
  })
  await enter(db, '2026-03-10T09:00:00Z', ['2026-03-10T09:01:00Z'])
  await enter(db, '2026-03-10T09:00:00Z', ['2026-03-10T09:02:00Z', '2026-03-10T09:03:00Z'])
  await enter(db, '2026-03-10T09:00:00Z', ['2026-03-12T09:00:00Z'])
  await enter(db, '2026-03-10T09:00:00Z')
  await enter(db, '2026-02-10T09:00:00Z', ['2026-02-10T10:00:00Z'])
  expect((await as('support').get(path)).first_response).toEqual({
    answered: 3,
    seconds: 120,
    before: 3600,
    parts: [null, null, null, null, null, null, null, 90, 172_800, null],
  })
})

test('tickets of another product are not counted', async () => {
  const { as, db } = await startTestApp()
  const organization_id = await enterOrganization(db, {}, [4])
  await enter(db, '2026-03-10T09:00:00Z', ['2026-03-10T10:00:00Z'], { organization_id })
  expect((await as('support').get(path)).created.total).toBe(1)
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('support').id)
    .where('product_id', '=', 4)
    .execute()
  expect(await as('support').get(path)).toMatchObject({
    created: { total: 0 },
    first_response: { seconds: null },
    open: { total: 0 },
  })
})

test('the first answer is kept by the database, whatever happens to the messages', async () => {
  const { as, db } = await startTestApp()
  const kept = async () =>
    (await db.selectFrom('tickets').select('first_answer_at').orderBy('id').execute()).map(
      ({ first_answer_at }) => first_answer_at && new Date(first_answer_at).toISOString().slice(0, 16),
    )
  await enter(db, '2026-03-10T09:00:00Z', ['2026-03-10T11:00:00Z', '2026-03-10T10:00:00Z'])
  await enter(db, '2026-03-10T09:00:00Z')
  const [first, second] = (await db.selectFrom('tickets').select('id').orderBy('id').execute()).map(
    ({ id }) => id,
  )
  expect(await kept()).toEqual(['2026-03-10T10:00', null])
  const answers = db.updateTable('ticket_messages').where('sent_by_admin', '=', true)
  await answers.set({ ticket_id: second! }).where('created_at', '=', '2026-03-10T10:00:00Z').execute()
  expect(await kept()).toEqual(['2026-03-10T11:00', '2026-03-10T10:00'])
  await answers.set({ created_at: '2026-03-12T09:00:00Z' }).where('ticket_id', '=', first!).execute()
  expect(await kept()).toEqual(['2026-03-12T09:00', '2026-03-10T10:00'])
  await db.deleteFrom('ticket_messages').where('ticket_id', '=', second!).execute()
  expect(await kept()).toEqual(['2026-03-12T09:00', null])
  // An undone reply was never an answer.
  await db
    .updateTable('tickets')
    .set({ sender_email: 'desk@inn.example' })
    .where('id', '=', second!)
    .execute()
  const sent = await as('support').post(`/admin/support/sendReply/${second}`, { message: 'It works again.' })
  expect(sent.status).toBe(200)
  expect((await kept())[1]).not.toBeNull()
  expect((await as('support').post(`/admin/mail/${sent['data'].mail_id}/call-off`)).status).toBe(200)
  expect((await kept())[1]).toBeNull()
})
