import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'

const support = '/admin/support'
const target = {
  priority: null,
  category: null,
  organization_id: null,
  first_response: 60,
  next_response: 120,
  resolution: null,
  in_working_hours: false,
}

/** Two tickets: Jana’s without an answer, and one of `email` that was answered after twenty minutes. */
async function withAnswered(email: string) {
  const started = await startTestApp({ now: '2026-03-01T00:00:00.000Z' })
  const { as, db } = started
  const { data } = await as('admin').get(`${support}/targets`)
  const saved = await as('admin').post(`${support}/targets`, { ...data, targets: [target] })
  expect(saved.status).toBe(200)
  const enter = async (created_at: string, sender_email: string, answered_at?: string) => {
    const { id } = await db
      .insertInto('tickets')
      .values({ title: 'Scanner', created_at, last_message_at: created_at, sender_email })
      .returning('id')
      .executeTakeFirstOrThrow()
    await say(db, id, created_at, false)
    if (answered_at !== undefined) await say(db, id, answered_at, true)
    return id
  }
  const stays = await enter('2026-03-02T09:00:00Z', 'jana@resort.example')
  const goes = await enter('2026-03-02T09:10:00Z', email, '2026-03-02T09:30:00Z')
  const clocks = () =>
    db
      .selectFrom('ticket_clocks as c')
      .innerJoin('tickets as t', 't.id', 'c.ticket_id')
      .select(['c.ticket_id', 'c.kind', 'c.due_at', 'c.ended_at', 't.first_answer_at'])
      .where('c.kind', '<>', 'resolution')
      .orderBy('c.ticket_id')
      .orderBy('c.started_at')
      .execute()
  return { ...started, stays, goes, clocks }
}
const say = (db: TestApp['db'], ticket_id: number, created_at: string, sent_by_admin: boolean) =>
  db
    .insertInto('ticket_messages')
    .values({ ticket_id, sent_by_admin, message: '<p>Hi</p>', created_at })
    .execute()
const waits = (ticket_id: number) => ({
  ticket_id,
  kind: 'first_response',
  due_at: '2026-03-02T10:00:00.000Z',
  ended_at: null,
  first_answer_at: null,
})

test('an answer to the requester of a merged ticket doesn’t answer the one of the ticket that stays', async () => {
  const { as, db, stays, goes, clocks } = await withAnswered('tom@resort.example')
  const before = await clocks()
  const { operation } = await as('support').post(`${support}/ticket/${goes}/merge`, { into: stays })
  const own = async () => (await clocks()).filter(({ ticket_id }) => ticket_id === stays)
  expect(await own()).toEqual([waits(stays)])

  await say(db, stays, '2026-03-02T09:50:00Z', true)
  expect(await own()).toEqual([
    {
      ...waits(stays),
      due_at: null,
      ended_at: '2026-03-02T09:50:00.000Z',
      first_answer_at: '2026-03-02T09:50:00.000Z',
    },
  ])
  await db.deleteFrom('ticket_messages').where('created_at', '=', '2026-03-02T09:50:00Z').execute()
  expect((await as('support').post(`/admin/operations/${operation.id}/undo`)).status).toBe(200)
  expect(await clocks()).toEqual(before)
})

test('a question of the merged ticket that was answered there waits for nothing', async () => {
  const { as, db, stays, goes, clocks } = await withAnswered('tom@resort.example')
  await say(db, stays, '2026-03-02T09:05:00Z', true)
  await as('support').post(`${support}/ticket/${goes}/merge`, { into: stays })
  expect((await clocks()).filter(({ ended_at }) => ended_at === null)).toEqual([])
})

test('a question of the merged ticket without an answer waits for the next one', async () => {
  const { as, db, stays, goes, clocks } = await withAnswered('tom@resort.example')
  await say(db, stays, '2026-03-02T09:05:00Z', true)
  await say(db, goes, '2026-03-02T09:40:00Z', false)
  await as('support').post(`${support}/ticket/${goes}/merge`, { into: stays })
  expect((await clocks()).filter(({ ended_at }) => ended_at === null)).toMatchObject([
    { ticket_id: stays, kind: 'next_response', due_at: '2026-03-02T11:40:00.000Z' },
  ])
})

test('an answer to the same requester, written in the merged ticket, counts', async () => {
  const { as, stays, goes, clocks } = await withAnswered('jana@resort.example')
  await as('support').post(`${support}/ticket/${goes}/merge`, { into: stays })
  expect((await clocks()).filter(({ ticket_id }) => ticket_id === stays)).toMatchObject([
    { ended_at: '2026-03-02T09:30:00.000Z', first_answer_at: '2026-03-02T09:30:00.000Z' },
  ])
})
