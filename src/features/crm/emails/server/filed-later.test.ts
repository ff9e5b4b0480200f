import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'

const received = '2026-03-02T09:00:00.000Z'
const between = '2026-03-02T09:30:00.000Z'

/** An email that waits in Unsorted since the time. */
const enterEmail = async ({ db }: TestApp, subject: string) =>
  (
    await db
      .insertInto('received_mails')
      .values({
        kind: 'message',
        state: 'unsorted',
        message_id: `<${subject}@new.example>`,
        subject,
        from_address: 'zoe@resort.example',
        text: 'The scanner stopped.',
        received_at: received,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

const timesOf = async ({ db }: TestApp, ticket: number) => {
  const { rows } = await sql<Record<string, unknown>>`select t.created_at, t.last_message_at,
      (select array_agg(m.created_at order by m.id) from ticket_messages m where m.ticket_id = t.id) as messages,
      (select c.started_at from ticket_clocks c where c.ticket_id = t.id and c.kind like '%response' and c.ended_at is null) as awaited_since
    from tickets t where t.id = ${ticket}`.execute(db)
  return JSON.parse(JSON.stringify(rows[0]), (_, value: unknown) =>
    typeof value === 'string' ? new Date(value).toISOString() : value,
  ) as unknown
}

async function withTargets() {
  const app = await startTestApp({ now: '2026-03-01T00:00:00.000Z' })
  const target = { priority: null, category: null, organization_id: null, in_working_hours: false }
  const times = { first_response: 60, next_response: 60, resolution: 480 }
  const saved = await app.as('admin').post('/admin/support/targets', {
    version: 0,
    targets: [{ ...target, ...times }],
    pauses_while_waiting: true,
    reminder_percent: 75,
    zone: 'UTC',
    days: [null, null, null, null, null, null, { from: '09:00', to: '17:00' }],
    holidays: [],
  })
  expect(saved.status).toBe(200)
  return app
}

test('a ticket of an email that is filed later begins when the email was received', async () => {
  const app = await withTargets()
  const id = await enterEmail(app, 'Scanner')
  const { record } = await app.as('support').post(`/admin/unsorted/${id}/file`, { type: 'ticket' })
  expect(await timesOf(app, (record as { id: number }).id)).toEqual({
    created_at: received,
    last_message_at: received,
    messages: [received],
    awaited_since: received,
  })
})

test('an email that is filed under a ticket has its time, but follows what happened since', async () => {
  const app = await withTargets()
  const enter = async (messages: readonly string[]) => {
    const created_at = '2026-03-02T08:00:00.000Z'
    const { id } = await app.db
      .insertInto('tickets')
      .values({ title: 'Scanner', created_at, last_message_at: messages.at(-1) ?? created_at })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [at, sent] of messages.entries())
      await app.db
        .insertInto('ticket_messages')
        .values({ ticket_id: id, sent_by_admin: at % 2 === 1, message: '<p>Hi</p>', created_at: sent })
        .execute()
    return id
  }
  const file = async (subject: string, ticket: number) => {
    const mail = await enterEmail(app, subject)
    const body = { type: 'ticket', record_id: ticket }
    expect((await app.as('support').post(`/admin/unsorted/${mail}/file`, body)).status).toBe(200)
  }
  const first = '2026-03-02T08:10:00.000Z'
  const waiting = await enter([first])
  await file('Waiting', waiting)
  expect(await timesOf(app, waiting)).toMatchObject({
    last_message_at: received,
    messages: [first, received],
    awaited_since: first,
  })
  // The answer of 9:30 was written without it.
  const answered = await enter([first, between])
  await file('Answered', answered)
  expect(await timesOf(app, answered)).toMatchObject({
    last_message_at: between,
    messages: [first, between, between],
    awaited_since: between,
  })
})
