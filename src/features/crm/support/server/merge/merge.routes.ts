import { sql } from 'kysely'
import { ticketMerge } from '#features/crm/support/merge.contract.ts'
import type { Writing } from '#features/crm/support/server/changes.ts'
import { isOpen } from '#features/crm/support/server/conditions.ts'
import { matching } from '#features/crm/support/server/filters.ts'
import { lockUnmerged } from '#features/crm/support/server/merge/lock-unmerged.ts'
import { splitTicket } from '#features/crm/support/server/merge/split.ts'
import {
  findIncidents,
  incidentAfterMerge,
} from '#features/crm/support/server/incidents/incidents.queries.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import { selectRows, withWords, type SelectedRow } from '#features/crm/support/server/ticket-rows.ts'
import { conflict, invalid } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { asOperation } from '#server/record/as-operation.ts'
import { getRecord } from '#server/record/record.ts'
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

/** Locks both tickets in the order of their numbers, so that two merges into each other don't block one another. */
async function lockBoth({ db, viewer }: Pick<Writing, 'db' | 'viewer'>, ids: readonly number[]) {
  for (const id of ids.toSorted((a, b) => a - b)) await lockUnmerged(db, id, viewer)
}

/** @throws HttpError 409 if the ticket to merge is an incident, whose tickets would lose their answer. */
async function demandNoIncident({ db }: Pick<Writing, 'db'>, ticket: number, into: number): Promise<void> {
  const incidents = await findIncidents(db, [ticket, into])
  if (!incidents.has(ticket)) return
  throw conflict(
    incidents.has(into)
      ? `Tickets are linked to both #${ticket} and #${into}. Link them to #${into} first.`
      : `Other tickets are linked to #${ticket}. Merge #${into} into #${ticket} instead.`,
  )
}

const merge: Handler<typeof ticketMerge.merge> = async ({ params: { ticket }, body: { into } }, context) => {
  const { audit, changed } = context
  if (into === ticket) throw invalid('into', 'Choose another ticket.')
  await lockBoth(context, [ticket, into])
  await demandNoIncident(context, ticket, into)
  const summary = `Merged #${ticket} into #${into}`
  const both = sql`t.ticket_id in (${ticket}, ${into})`
  const { operation } = await asOperation(
    context,
    ticketKind,
    into,
    {
      summary,
      parts: [
        { table: 'ticket_messages', where: both },
        { table: 'ticket_comments', where: both },
      ],
      also: { kind: ticketKind, id: ticket },
    },
    () => moveAll(context, ticket, into),
  )
  audit({ target: 'ticket', id: into, after: { merged: ticket } })
  audit({ target: 'ticket', id: ticket, after: { merged_into: into } })
  changed('ticket', [ticket, into])
  return { message: `${summary}.`, operation }
}

/** Moves what belongs to a ticket to another one, and hides the ticket. */
async function moveAll({ db }: Pick<Writing, 'db'>, ticket: number, into: number): Promise<void> {
  for (const table of ['ticket_messages', 'ticket_comments'] as const)
    await db.updateTable(table).set({ ticket_id: into }).where('ticket_id', '=', ticket).execute()
  for (const [table, column] of [
    ['ticket_tag_links', 'tag_id'],
    ['ticket_followers', 'staff_id'],
    ['ticket_unread', 'staff_id'],
  ] as const)
    await sql`insert into ${sql.table(table)} (ticket_id, ${sql.ref(column)})
      select ${into}, ${sql.ref(column)} from ${sql.table(table)} where ticket_id = ${ticket} on conflict do nothing`.execute(
      db,
    )
  await db.deleteFrom('ticket_unread').where('ticket_id', '=', ticket).execute()
  // Tickets that were merged before follow to the one that stays.
  await touchRecords(
    { db },
    ticketKind,
    sql`r.merged_into = ${ticket}`,
    { merged_into: into },
    { keepsVersion: true },
  )
  // Each ticket is written once, because undo expects the next version.
  await touchRecords({ db }, ticketKind, into, {
    incident_id: await incidentAfterMerge(db, ticket, into),
    last_message_at: sql`greatest(r.last_message_at, (select d.last_message_at from tickets d where d.id = ${ticket}))`,
  })
  await touchRecords({ db }, ticketKind, ticket, { merged_into: into, incident_id: null })
}

export function mergeRoutes(app: App): void {
  implement(app, ticketMerge.similar, findSimilar)
  implement(app, ticketMerge.merge, merge)
  implement(app, ticketMerge.split, splitTicket)
}
