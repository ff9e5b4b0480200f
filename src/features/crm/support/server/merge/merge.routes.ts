import { sql } from 'kysely'
import { ticketMerge } from '#features/crm/support/merge.contract.ts'
import type { Writing } from '#features/crm/support/server/changes.ts'
import { isOpen } from '#features/crm/support/server/conditions.ts'
import { matching } from '#features/crm/support/server/filters.ts'
import { splitTicket } from '#features/crm/support/server/merge/split.ts'
import {
  findIncidents,
  incidentAfterMerge,
} from '#features/crm/support/server/incidents/incidents.queries.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import { selectRows, withWords, type SelectedRow } from '#features/crm/support/server/ticket-rows.ts'
import { conflict, invalid, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { asOperation } from '#server/record/as-operation.ts'
import { getRecord } from '#server/record/record.ts'
import { findRecords } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

const mostSimilar = 8

const findSimilar: Handler<typeof ticketMerge.similar> = async ({ params: { ticket } }, { db, viewer }) => {
  await getRecord(db, ticketKind, ticket, viewer)
  const source = sql`(select t.* from tickets t join tickets own on own.id = ${ticket}
    where ${matching({}, viewer)} and t.id <> ${ticket}
      and (t.customer_user_id = own.customer_user_id or t.organization_id = own.organization_id
        or t.sender_email = own.sender_email or t.staff_id = own.staff_id)
    order by ${isOpen} desc, t.last_message_at desc, t.id desc limit ${mostSimilar})`
  const { rows } = await sql<SelectedRow>`${selectRows(viewer, source)}
    order by ${isOpen} desc, t.last_message_at desc, t.id desc`.execute(db)
  return { data: rows.map(withWords) }
}

/**
 * Locks the tickets of a merge in the order of their numbers, so that two merges into each other don't block one another.
 * @throws HttpError 409 if some can't be merged, or 404 if some don't exist; it names each of them with the reason.
 */
async function lockMergeable(
  { db, viewer }: Pick<Writing, 'db' | 'viewer'>,
  ids: readonly number[],
  into: number,
): Promise<void> {
  const all = [...ids, into]
  const held = await findRecords(db, ticketKind, all, viewer, { lock: true })
  const missing = all.filter((one) => !held.some(({ id }) => id === one))
  const why = [
    ...missing.map((id) => `Ticket #${id} doesn’t exist.`),
    ...held
      .filter(({ merged_into }) => merged_into !== null)
      .map(({ id, merged_into }) => `Ticket #${id} was merged into #${merged_into}.`),
    ...whyIncidentsStay(await findIncidents(db, all), ids, into),
  ]
  if (why.length === 0) return
  const words = [...(ids.length > 1 ? ['No tickets were merged.'] : []), ...why].join(' ')
  throw missing.length > 0 ? notFound(words) : conflict(words)
}

/** Returns why incidents can't be merged into another ticket: their linked tickets would lose their answer. */
function whyIncidentsStay(incidents: ReadonlySet<number>, ids: readonly number[], into: number): string[] {
  const found = ids.filter((id) => incidents.has(id))
  if (incidents.has(into))
    return found.map((id) => `Tickets are linked to both #${id} and #${into}. Link them to #${into} first.`)
  if (found.length > 1)
    return [`Other tickets are linked to ${listOf(found)}. Link them to one of these first.`]
  return found.map(
    (id) =>
      `Other tickets are linked to #${id}. ${ids.length > 1 ? `Keep #${id} and merge the others into it` : `Merge #${into} into #${id} instead`}.`,
  )
}

const listOf = (ids: readonly number[]) => new Intl.ListFormat('en').format(ids.map((id) => `#${id}`))
/** Number of tickets that the summary of a merge names. */
const mostNamed = 3

const merge: Handler<typeof ticketMerge.merge> = async (
  { params: { ticket }, body: { into, others = [] } },
  context,
) => {
  const { db, viewer, audit, changed } = context
  const ids = [...new Set([ticket, ...others])]
  if (ids.includes(into)) throw invalid('into', 'Choose another ticket.')
  await lockMergeable(context, ids, into)
  // Tickets that were merged before follow to the one that stays.
  const { rows } = await sql<{ id: number }>`select t.id from tickets t
    where t.merged_into = any(${ids}::int[]) order by t.id`.execute(db)
  const before = rows.map(({ id }) => id)
  const followers = (await findRecords(db, ticketKind, before, viewer)).map(({ id }) => id)
  const merged = ids.length > mostNamed ? `${ids.length} tickets` : listOf(ids)
  const summary = `Merged ${merged} into #${into}`
  const all = sql`t.ticket_id = any(${[...ids, into]}::int[])`
  const { operation } = await asOperation(
    context,
    ticketKind,
    into,
    {
      summary,
      parts: [
        { table: 'ticket_messages', where: all },
        { table: 'ticket_comments', where: all },
      ],
      also: [...ids, ...followers].map((id) => ({ kind: ticketKind, id })),
    },
    () => moveAll(context, ids, into),
  )
  for (const id of ids) {
    audit({ target: 'ticket', id: into, after: { merged: id } })
    audit({ target: 'ticket', id, after: { merged_into: into } })
  }
  changed('ticket', [...ids, into, ...followers])
  return { message: `${summary}.`, operation }
}

/** Moves what belongs to tickets to another one, and hides the tickets. */
async function moveAll({ db }: Pick<Writing, 'db'>, merged: readonly number[], into: number): Promise<void> {
  const ids = sql<number>`any(${[...merged]}::int[])`
  for (const table of ['ticket_messages', 'ticket_comments'] as const)
    await db.updateTable(table).set({ ticket_id: into }).where('ticket_id', '=', ids).execute()
  for (const [table, column] of [
    ['ticket_tag_links', 'tag_id'],
    ['ticket_followers', 'staff_id'],
  ] as const)
    await sql`insert into ${sql.table(table)} (ticket_id, ${sql.ref(column)})
      select ${into}, ${sql.ref(column)} from ${sql.table(table)} where ticket_id = ${ids} on conflict do nothing`.execute(
      db,
    )
  // Those of the merged tickets stay for an undo; lists and counts leave merged tickets out.
  await sql`insert into ticket_unread (ticket_id, staff_id, is_marked)
    select ${into}, staff_id, bool_or(is_marked) from ticket_unread where ticket_id = ${ids} and answered_at is null group by staff_id
    on conflict (staff_id, ticket_id) do update set is_marked = ticket_unread.is_marked or excluded.is_marked, answered_at = null`.execute(
    db,
  )
  // Each ticket is written once, because undo expects the next version.
  await touchRecords({ db }, ticketKind, into, {
    incident_id: await incidentAfterMerge(db, merged, into),
    last_message_at: sql`greatest(r.last_message_at, (select max(d.last_message_at) from tickets d where d.id = ${ids}))`,
  })
  await touchRecords({ db }, ticketKind, sql`r.merged_into = ${ids}`, { merged_into: into })
  await touchRecords({ db }, ticketKind, sql`r.id = ${ids}`, { merged_into: into, incident_id: null })
}

export function mergeRoutes(app: App): void {
  implement(app, ticketMerge.similar, findSimilar)
  implement(app, ticketMerge.merge, merge)
  implement(app, ticketMerge.split, splitTicket)
}
