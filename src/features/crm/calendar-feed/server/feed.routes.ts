import { randomBytes } from 'node:crypto'
import { addDays } from '#shared/dates.ts'
import { calendarFeed } from '#features/crm/calendar-feed/contract.ts'
import { calendarOf } from '#features/crm/calendar-feed/server/calendar.ts'
import { findOwnFollowUps, findOwnSessions } from '#features/crm/calendar-feed/server/feed.queries.ts'
import type { App, Handler } from '#server/app.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
import { findViewer, hashToken } from '#server/http/session.ts'
import { createThrottle } from '#server/http/throttle.ts'

const daysBack = 30
const daysAhead = 365
/** Most wrong addresses that one network address can try in 15 minutes. */
const mostWrong = 20
/** Most requests for one feed in 15 minutes. */
const mostReads = 60
const minute = 60_000

const findFeed = (db: Db, staff_id: number) =>
  db
    .selectFrom('calendar_feeds')
    .select(['created_at', 'last_read_at'])
    .where('staff_id', '=', staff_id)
    .executeTakeFirst()

const show: Handler<typeof calendarFeed.show> = async (_input, { db, viewer }) => ({
  data: (await findFeed(db, viewer.id)) ?? null,
})

const create: Handler<typeof calendarFeed.create> = async (_input, { app, db, viewer, clock, audit }) => {
  const token = randomBytes(32).toString('base64url')
  const row = {
    token_hash: hashToken(token),
    created_at: clock.now().toISOString(),
    last_read_at: null,
  }
  await db
    .insertInto('calendar_feeds')
    .values({ staff_id: viewer.id, ...row })
    .onConflict((on) => on.column('staff_id').doUpdateSet(row))
    .execute()
  audit({ target: 'staff', id: viewer.id, after: { calendar_feed: row.created_at } })
  return {
    message: 'Calendar feed created.',
    address: `${app.addresses.publicUrl}/api/public/calendar/${token}`,
    data: { created_at: row.created_at, last_read_at: null },
  }
}

const remove: Handler<typeof calendarFeed.remove> = async (_input, { db, viewer, audit }) => {
  const before = await findFeed(db, viewer.id)
  if (!before) throw notFound('There is no calendar feed to turn off.')
  await db.deleteFrom('calendar_feeds').where('staff_id', '=', viewer.id).execute()
  audit({
    target: 'staff',
    id: viewer.id,
    before: { calendar_feed: before.created_at },
    after: { calendar_feed: null },
  })
  return { message: 'Calendar feed turned off.' }
}

/** Limits how often a feed is read, and how many wrong addresses a network address tries. */
function limitReads(app: App) {
  const [wrong, reads] = [
    createThrottle(app.pool, 'calendar-wrong', mostWrong),
    createThrottle(app.pool, 'calendar', mostReads),
  ]
  return async (staff_id: number | undefined, address: string): Promise<void> => {
    if (!app.settings.rateLimits) return
    await (staff_id === undefined ? wrong.consume(address) : reads.consume(String(staff_id)))
  }
}

const readWithin =
  (limit: ReturnType<typeof limitReads>): Handler<typeof calendarFeed.read> =>
  async ({ params }, { app, db, clock, request, reply }) => {
    const feed = await db
      .selectFrom('calendar_feeds')
      .select(['staff_id', 'last_read_at'])
      .where('token_hash', '=', hashToken(params.token))
      .executeTakeFirst()
    await limit(feed?.staff_id, request.ip)
    const viewer = feed && (await findViewer(db, feed.staff_id))
    if (!viewer) throw notFound('This calendar address isn’t valid anymore.')
    const now = clock.now()
    const today = now.toISOString().slice(0, 10)
    const [from, to] = [addDays(today, -daysBack), addDays(today, daysAhead)]
    const [sessions, followUps] = [
      await findOwnSessions(db, viewer, { from, until: to }),
      await findOwnFollowUps(db, viewer, { from, to }),
    ]
    if (now.getTime() - Date.parse(feed.last_read_at ?? '1970-01-01') > minute)
      await db
        .updateTable('calendar_feeds')
        .set({ last_read_at: now.toISOString() })
        .where('staff_id', '=', feed.staff_id)
        .execute()
    return reply
      .header('Content-Disposition', 'inline; filename="admin-panel.ics"')
      .header('X-Robots-Tag', 'noindex')
      .type('text/calendar; charset=utf-8')
      .send(calendarOf({ sessions, followUps }, app.addresses.publicUrl))
  }

/** Registers the calendar feed that each admin user can have, and its public address. */
export function calendarFeedRoutes(app: App): void {
  implement(app, calendarFeed.show, show)
  implement(app, calendarFeed.create, create)
  implement(app, calendarFeed.remove, remove)
  implement(app, calendarFeed.read, readWithin(limitReads(app)))
}
