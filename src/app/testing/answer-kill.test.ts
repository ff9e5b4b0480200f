import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { countMails, letTenMinutesPass, untilSent } from '#app/testing/deliveries.testing.ts'
import {
  killAll,
  killPanel,
  openDatabaseOf,
  signIn,
  startPanel,
  type Panel,
} from '#app/testing/panel.testing.ts'
import { startMailServer } from '#server/mail/mail.testing.ts'
import { fastTempDir } from '#server/db/testing.ts'

/** Tickets of one answer, and of one request of it. */
const all = 500
const ofEach = 100

const addressOf = (number: number) => `guest${number}@hotel.example`
const addresses = Array.from({ length: all }, (_, number) => addressOf(number))

async function start(dataDir: string, env: Record<string, string> = {}): Promise<Panel> {
  const panel = await startPanel(dataDir, { env })
  onTestFinished(() => killAll(panel))
  return panel
}

/** Inserts five hundred tickets of requesters without an account, and a saved reply. */
async function enterTickets(panel: Panel): Promise<{ ids: number[]; saved: number }> {
  const { db, close } = openDatabaseOf(panel)
  try {
    const { rows } = await sql<{ id: number }>`with made as (
      insert into tickets (title, sender_email)
      select 'Ticket ' || address, address from unnest(${addresses}::text[]) with ordinality of (address, at) order by at
      returning id
    ), asked as (
      insert into ticket_messages (ticket_id, sent_by_admin, message) select id, false, '<p>Help</p>' from made
    ) select id from made order by id`.execute(db)
    const { id: created_by } = await db
      .selectFrom('staff')
      .select('id')
      .where('user_name', '=', 'super_admin')
      .executeTakeFirstOrThrow()
    const { id: saved } = await db
      .insertInto('saved_replies')
      .values({ name: 'Outage', content: '<p>It is fixed.</p>', is_shared: true, created_by })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { ids: rows.map(({ id }) => id), saved }
  } finally {
    await close()
  }
}

/** Counts the replies and emails of tickets. */
async function countReplies(panel: Panel, ids: readonly number[]) {
  const { db, close } = openDatabaseOf(panel)
  try {
    const { rows } = await sql<{ replies: number; mails: number; answered: number }>`
      select count(*)::int as replies, count(m.mail_id)::int as mails, count(distinct m.ticket_id)::int as answered
      from ticket_messages m where m.sent_by_admin and m.ticket_id = any(${[...ids]}::int[])`.execute(db)
    return rows[0]!
  } finally {
    await close()
  }
}

/** Runs an action while a saved reply is locked, for which an answer that uses it waits at its end. */
async function whileLocked(panel: Panel, saved: number, act: () => Promise<void>): Promise<void> {
  const { db, close } = openDatabaseOf(panel)
  let isDone = false
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`select from saved_replies where id = ${saved} for update`.execute(tx)
      await act()
      isDone = true
    })
    // The action kills the database, which ends this transaction.
    .catch((error: unknown) => {
      if (!isDone) throw error
    })
  await close().catch(() => {})
}

async function untilWaitingForLock(panel: Panel): Promise<void> {
  const { db, close } = openDatabaseOf(panel)
  const waiting = async () =>
    (await sql`select from pg_stat_activity where wait_event_type = 'Lock'`.execute(db)).rows.length
  await expect.poll(waiting, { interval: 5 }).toBeGreaterThan(0)
  await close()
}

test('the panel is killed during an answer to five hundred tickets and again while its emails are sent: each gets one reply, and one email, except for the one in progress, which is sent again', async () => {
  const dataDir = mkdtempSync(join(fastTempDir(), 'panel-answer-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = await startMailServer()
  const first = await start(dataDir)
  const token = await signIn(first, 'super_admin')
  const { ids, saved } = await enterTickets(first)
  const answer = (panel: Panel, part: number) =>
    fetch(`${panel.url}/api/admin/support/bulk-reply`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${token}`,
        'Idempotency-Key': `answer-${part}`,
      },
      body: JSON.stringify({
        message: '<p>It is fixed.</p>',
        ticket_ids: ids.slice(part * ofEach, (part + 1) * ofEach),
        saved_reply_ids: [saved],
      }),
    })
  for (const part of [0, 1]) expect((await answer(first, part)).status).toBe(200)
  // The third hundred has been written, but not committed.
  await whileLocked(first, saved, async () => {
    const unanswered = answer(first, 2).catch(() => undefined)
    await untilWaitingForLock(first)
    await killAll(first)
    expect(await unanswered).toBeUndefined()
  })

  const second = await start(dataDir)
  expect(await countReplies(second, ids)).toEqual({ replies: 200, mails: 200, answered: 200 })
  for (const part of [0, 1, 2, 3, 4]) expect((await answer(second, part)).status).toBe(200)
  const once = { replies: all, mails: all, answered: all }
  expect(await countReplies(second, ids)).toEqual(once)
  await killAll(second)

  // The SMTP server accepts this email, but the panel is killed before it gets the response.
  const underWay = addressOf(250)
  server.unanswered.add(underWay)
  const third = await start(dataDir, { SMTP_URL: server.url })
  await expect.poll(() => server.unanswered.size, { timeout: 240_000, interval: 5 }).toBe(0)
  await killPanel(third)
  const before = countMails(server.received, addresses)
  expect(before.missing).toBeGreaterThan(0)
  const aged = await letTenMinutesPass(third)
  const fourth = await start(dataDir, { SMTP_URL: server.url })
  await untilSent(fourth, all)
  const after = countMails(server.received, addresses)
  console.log(
    `an answer to ${all} when the panel was killed: ${JSON.stringify(before)}, under way ${aged}, after the restart: ${JSON.stringify(after)}`,
  )
  expect(aged).toBe(1)
  expect(after).toMatchObject({ missing: 0, messageIds: all, twice: [underWay] })
  expect(await countReplies(fourth, ids)).toEqual(once)
}, 600_000)
