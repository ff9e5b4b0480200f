import { sql } from 'kysely'
import type { Reply, Viewer } from '#shared/endpoint.ts'
import { can } from '#shared/access.ts'
import { unsorted } from '#features/crm/emails/contract.ts'
import { countUnsorted } from '#features/crm/emails/server/unsorted.queries.ts'
import { TicketFilters } from '#features/crm/support/contract.ts'
import { desk } from '#features/crm/support/desk.contract.ts'
import { mostCounted, queues, type Queue } from '#features/crm/support/rules.ts'
import { findAssignable } from '#features/crm/support/server/assignment.ts'
import { changeTicket } from '#features/crm/support/server/changes.ts'
import { matching } from '#features/crm/support/server/filters.ts'
import { lockUnmerged } from '#features/crm/support/server/merge/lock-unmerged.ts'
import { startSnoozeEnd } from '#features/crm/support/server/snoozes.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { getRecord } from '#server/record/record.ts'
import { findViews } from '#server/record/views.routes.ts'

/** Counts tickets, up to one more than is shown. */
const counted = (filters: Partial<TicketFilters>, viewer: Viewer) =>
  sql`(select count(*)::int from (select from tickets t where ${matching(filters, viewer)} limit ${mostCounted + 1}) x)`

/** Counts the tickets in each of the viewer's queues. */
async function countQueues(db: Db, viewer: Viewer): Promise<Record<Queue, number>> {
  const counts = queues.map((queue) => sql`${counted({ queue }, viewer)} as ${sql.ref(queue)}`)
  const { rows } = await sql<Record<Queue, number>>`select ${sql.join(counts)}`.execute(db)
  return rows[0]!
}

/** Maximum number of saved views that are shown as queues. */
const mostViews = 30

/** Returns the viewer's saved views of the ticket list, own ones first, each with its number of tickets. */
async function countViews(db: Db, viewer: Viewer): Promise<Reply<typeof desk.queues>['views']> {
  const views = (await findViews(db, 'tickets', viewer))
    .toSorted((a, b) => Number(b.own) - Number(a.own))
    .slice(0, mostViews)
  const filters = views.map(({ address }) => TicketFilters.safeParse(address).data)
  const counts = filters.map((one, at) =>
    one === undefined || one.search !== ''
      ? sql`null::int as ${sql.ref(`n${at}`)}`
      : sql`${counted(one, viewer)} as ${sql.ref(`n${at}`)}`,
  )
  if (views.length === 0) return []
  const { rows } = await sql<Record<string, number | null>>`select ${sql.join(counts)}`.execute(db)
  return views.map((view, at) => ({ ...view, count: rows[0]![`n${at}`] ?? null }))
}

const markUnread: Handler<typeof desk.markUnread> = async ({ params: { ticket } }, context) => {
  const { db, viewer, changed } = context
  await getRecord(db, ticketKind, ticket, viewer)
  await db
    .insertInto('ticket_unread')
    .values({ staff_id: viewer.id, ticket_id: ticket, is_marked: true })
    .onConflict((on) =>
      on.columns(['staff_id', 'ticket_id']).doUpdateSet({ is_marked: true, answered_at: null }),
    )
    .execute()
  changed('ticket', [ticket])
  return { message: 'Marked as unread.' }
}

const follow: Handler<typeof desk.follow> = async ({ params: { ticket }, body }, context) => {
  const { db, viewer, changed } = context
  await getRecord(db, ticketKind, ticket, viewer)
  if (body.follow)
    await db
      .insertInto('ticket_followers')
      .values({ ticket_id: ticket, staff_id: viewer.id })
      .onConflict((on) => on.doNothing())
      .execute()
  else
    await db
      .deleteFrom('ticket_followers')
      .where('ticket_id', '=', ticket)
      .where('staff_id', '=', viewer.id)
      .execute()
  changed('ticket', [ticket])
  return { message: body.follow ? 'You follow this ticket.' : 'You no longer follow this ticket.' }
}

const snooze: Handler<typeof desk.snooze> = async ({ params: { ticket }, body: { until } }, context) => {
  const { db, viewer, changed, clock } = context
  await getRecord(db, ticketKind, ticket, viewer)
  if (until !== null && new Date(until) <= clock.now()) throw invalid('until', 'Choose a time in the future.')
  await db
    .insertInto('ticket_snoozes')
    .values({ staff_id: viewer.id, ticket_id: ticket, until })
    .onConflict((on) => on.columns(['staff_id', 'ticket_id']).doUpdateSet({ until }))
    .execute()
  changed('ticket', [ticket])
  return { message: until === null ? 'Snoozed until the customer writes.' : 'Snoozed.' }
}

const markSpam: Handler<typeof desk.markSpam> = async ({ params: { ticket }, body: { spam } }, context) => {
  const { app, db, viewer } = context
  const held = await lockUnmerged(db, ticket, viewer)
  // A reason that a rule gave stays.
  const spam_reason = spam ? (held.spam_reason ?? `Marked by ${viewer.name}`) : null
  const message = spam ? 'Marked as spam.' : 'The ticket is back in the lists.'
  return changeTicket(app, context, ticket, { spam_reason }, message, spam ? 'Marked as spam' : 'Not spam')
}

const unsnooze: Handler<typeof desk.unsnooze> = async ({ params: { ticket } }, context) => {
  const { db, viewer, changed } = context
  await getRecord(db, ticketKind, ticket, viewer)
  await db
    .deleteFrom('ticket_snoozes')
    .where('ticket_id', '=', ticket)
    .where('staff_id', '=', viewer.id)
    .execute()
  changed('ticket', [ticket])
  return { message: 'The ticket is back in your queues.' }
}

export function deskRoutes(app: App): void {
  startSnoozeEnd(app)
  implement(app, desk.assignable, async (_input, { db, clock }) => ({
    data: await findAssignable(db, clock.now()),
  }))
  implement(app, desk.queues, async (_input, { db, viewer }) => ({
    data: await countQueues(db, viewer),
    views: await countViews(db, viewer),
    unsorted: can(viewer, unsorted.list.access) ? await countUnsorted(db) : null,
  }))
  implement(app, desk.markUnread, markUnread)
  implement(app, desk.follow, follow)
  implement(app, desk.snooze, snooze)
  implement(app, desk.markSpam, markSpam)
  implement(app, desk.unsnooze, unsnooze)
}
