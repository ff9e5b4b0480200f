import { sql } from 'kysely'
import type { z } from 'zod'
import { dayText } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { desk, mostDistributed, type TicketBulkChange } from '#features/crm/support/desk.contract.ts'
import { priorityName } from '#features/crm/support/rules.ts'
import {
  demandTags,
  findOpenTo,
  notifyAssignee,
  notTheirProduct,
  takeTurns,
} from '#features/crm/support/server/assignment.ts'
import type { StoredChange } from '#features/crm/support/server/bulk-changes.ts'
import { noteLinks } from '#features/crm/support/server/incidents/incident-links.ts'
import { reassignFromAbsent } from '#features/crm/support/server/rules/assignment-rules.queries.ts'
import { findUnlinkable } from '#features/crm/support/server/incidents/incidents.queries.ts'
import { matching } from '#features/crm/support/server/filters.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { changeInBulk, inBackground } from '#server/record/batches.ts'
import type { AfterBulk } from '#server/record/rows.ts'
import { findSelected } from '#server/record/selection.ts'

const nameIn = async (
  db: Db,
  table: 'ticket_statuses' | 'ticket_categories' | 'ticket_tags' | 'staff',
  id: number,
  field: string,
) => {
  const row = await db.selectFrom(table).select('name').where('id', '=', id).executeTakeFirst()
  if (!row) throw invalid(field, 'This option doesn’t exist.')
  return row.name
}

/**
 * Validates a change and returns its summary.
 * @throws HttpError 422 for values that are not in their list
 */
async function describeChange(db: Db, change: TicketBulkChange): Promise<string> {
  switch (change.kind) {
    case 'status':
      return `Status set to ${await nameIn(db, 'ticket_statuses', change.status, 'change.status')}`
    case 'category':
      return `Category set to ${await nameIn(db, 'ticket_categories', change.category, 'change.category')}`
    case 'priority':
      return `Priority set to ${priorityName(change.priority)}`
    case 'assign':
      return change.assignee_id === null
        ? 'Unassigned'
        : `Assigned to ${await nameIn(db, 'staff', change.assignee_id, 'change.assignee_id')}`
    case 'distribute': {
      const { size } = new Set(change.assignee_ids)
      return `Distributed among ${size === 1 ? '1 person' : `${size} people`}`
    }
    case 'delivery':
      return change.delivery_date === null
        ? 'Delivery date cleared'
        : `Delivery date set to ${dayText(change.delivery_date)}`
    case 'incident':
      return change.incident_id === null
        ? 'Unlinked from incident'
        : `Linked to incident #${change.incident_id}`
    case 'spam':
      return change.spam ? 'Marked as spam' : 'Marked as not spam'
    case 'tags': {
      await demandTags(db, [change.tag_id], 'change.tag_id')
      const tag = await nameIn(db, 'ticket_tags', change.tag_id, 'change.tag_id')
      return `Tag ${tag} ${change.add ? 'added' : 'removed'}`
    }
  }
}

/** Number of tickets that were left out and are named in a reply. */
export const mostNamed = 20

const changeMany: Handler<typeof desk.changeMany> = async ({ body: { selection, change } }, context) => {
  const { app, db, viewer } = context
  const summary = await describeChange(db, change)
  const ids = await findSelectedTickets(db, selection, viewer)
  const stored = await storedChange(context, ids, change)
  const reasons = await findReasons(context, ids, stored)
  const left_out = await nameLeftOut(db, reasons, matching({}, viewer))
  const fit = ids.filter((id) => !reasons.has(id))
  // The access depends on the change alone, so the selected IDs are not stored with the operation.
  const called = { ...context.called, input: { params: {}, query: {}, body: { change } } }
  const done = await changeInBulk({ ...context, called }, ticketKind, fit, {
    change: stored,
    summary,
  })
  if (done.running) return { message: inBackground, operation: done.operation, left_out }
  if (done.operation)
    await afterChange(app)(context, { operation_id: done.operation.id, change: stored, ids: done.changed })
  const said = done.operation
    ? `${done.operation.summary}.`
    : 'Nothing to change: the selected tickets already have this value.'
  return { message: said + countReasons(reasons), operation: done.operation, left_out }
}

type Changing = Pick<WriteContext<typeof desk.changeMany>, 'db' | 'viewer'>

/** @throws HttpError 422 if too many tickets are distributed. */
async function storedChange(
  { db, viewer }: Changing,
  ids: readonly number[],
  change: TicketBulkChange,
): Promise<StoredChange> {
  if (change.kind === 'spam') return { ...change, reason: `Marked by ${viewer.name}` }
  if (change.kind !== 'distribute') return change
  const field = 'change.assignee_ids'
  if (ids.length > mostDistributed) throw invalid(field, `Select up to ${mostDistributed} tickets.`)
  return { ...change, turns: await takeTurns(db, ids, change.assignee_ids, field) }
}

/** Returns the IDs of the tickets that are selected in the list. */
export const findSelectedTickets = (
  db: Db,
  selection: z.output<typeof desk.changeMany.body>['selection'],
  viewer: Viewer,
): Promise<number[]> =>
  findSelected(db, selection, 'tickets', async (filters) => {
    const { rows } = await sql<{ id: number }>`select t.id from tickets t
        where ${matching(filters, viewer)} order by t.id`.execute(db)
    return rows.map(({ id }) => id)
  })

/**
 * Returns the tickets that a change leaves out, each with the reason.
 * @throws HttpError 422 if no ticket is left.
 */
async function findReasons(
  context: Changing,
  ids: readonly number[],
  change: StoredChange,
): Promise<Map<number, string>> {
  const reasons = new Map<number, string>()
  if (change.kind === 'distribute')
    for (const id of ids) if (!change.turns?.[id]) reasons.set(id, 'None of them has its product.')
  if (change.kind === 'incident' && change.incident_id !== null)
    for (const [id, why] of await findUnlinkable(context, change.incident_id, ids)) reasons.set(id, why)
  if (change.kind === 'assign' && change.assignee_id !== null) {
    const open = new Set(await findOpenTo(context.db, ids, change.assignee_id, 'change.assignee_id'))
    for (const id of ids) if (!open.has(id)) reasons.set(id, notTheirProduct)
  }
  const field =
    change.kind === 'incident'
      ? 'change.incident_id'
      : change.kind === 'distribute'
        ? 'change.assignee_ids'
        : 'change.assignee_id'
  if (reasons.size > 0 && reasons.size === ids.length) throw invalid(field, [...reasons.values()][0]!)
  return reasons
}

const countReasons = (reasons: ReadonlyMap<number, string>): string =>
  [...new Set(reasons.values())]
    .map((why) => ` ${[...reasons.values()].filter((one) => one === why).length} left out: ${why}`)
    .join('')

async function nameLeftOut(
  db: Db,
  reasons: ReadonlyMap<number, string>,
  visible: ReturnType<typeof matching>,
) {
  if (!reasons.size) return []
  const ids = [...reasons.keys()].slice(0, mostNamed)
  const { rows } = await sql<{ id: number; title: string }>`select t.id, t.title from tickets t
    where t.id = any(${ids}::int[]) and ${visible} order by t.id`.execute(db)
  return rows.map((row) => ({ ...row, why: reasons.get(row.id)! }))
}

/** Notifies the new assignee of tickets, reassigns those of absent people, and notes in the histories of incidents which tickets they got and lost. */
const afterChange =
  (app: App): AfterBulk =>
  async (writing, { operation_id, ids, ...done }) => {
    const change = done.change as StoredChange
    if (change.kind === 'distribute')
      for (const person of new Set(change.assignee_ids)) {
        const theirs = ids.filter((id) => change.turns?.[id] === person)
        await notifyAssignee(app, writing, person, theirs)
      }
    if (change.kind === 'assign' && change.assignee_id !== null)
      await notifyAssignee(app, writing, change.assignee_id, ids)
    if (change.kind === 'status' || done.change.kind === 'restore')
      await reassignFromAbsent(app, writing, ids)
    if (change.kind === 'incident') await noteLinks(writing, operation_id)
  }

export function ticketBulkRoutes(app: App): void {
  app.records.onBulkChange(ticketKind.type, afterChange(app))
  implement(app, desk.changeMany, changeMany)
}
