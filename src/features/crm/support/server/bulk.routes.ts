import { sql } from 'kysely'
import { dayText } from '#shared/dates.ts'
import { desk, type TicketBulkChange } from '#features/crm/support/desk.contract.ts'
import { priorityName } from '#features/crm/support/rules.ts'
import {
  demandTags,
  findOpenTo,
  notifyAssignee,
  notTheirProduct,
} from '#features/crm/support/server/assignment.ts'
import { matching } from '#features/crm/support/server/filters.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { changeInBulk, inBackground } from '#server/record/batches.ts'
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
    case 'delivery':
      return change.delivery_date === null
        ? 'Delivery date cleared'
        : `Delivery date set to ${dayText(change.delivery_date)}`
    case 'tags':
      await demandTags(db, [change.tag_id], 'change.tag_id')
      return `Tag ${await nameIn(db, 'ticket_tags', change.tag_id, 'change.tag_id')} ${change.add ? 'added' : 'removed'}`
  }
}

/** Number of tickets that were left out and are named in a reply. */
const mostNamed = 20

const changeMany =
  (app: App): Handler<typeof desk.changeMany> =>
  async ({ body: { selection, change } }, context) => {
    const { db, viewer } = context
    const summary = await describeChange(db, change)
    const ids = await findSelected(db, selection, 'tickets', async (filters) => {
      const { rows } = await sql<{ id: number }>`select t.id from tickets t
        where ${matching(filters, viewer)} order by t.id`.execute(db)
      return rows.map(({ id }) => id)
    })
    const assignee = change.kind === 'assign' ? change.assignee_id : null
    const open = assignee === null ? ids : await findOpenTo(db, ids, assignee, 'change.assignee_id')
    if (!open.length) throw invalid('change.assignee_id', notTheirProduct)
    const kept = new Set(open)
    const out = ids.filter((id) => !kept.has(id))
    const left_out = await nameLeftOut(db, out.slice(0, mostNamed), matching({}, viewer))
    // The access depends on the change alone, so the selected IDs are not stored with the operation.
    const called = { ...context.called, input: { params: {}, query: {}, body: { change } } }
    const done = await changeInBulk({ ...context, called }, ticketKind, open, { change, summary })
    if (done.running) return { message: inBackground, operation: done.operation, left_out }
    if (assignee !== null) await notifyAssignee(app, context, assignee, done.changed)
    const said = done.operation
      ? `${done.operation.summary}.`
      : 'Nothing to change: the selected tickets already have this value.'
    const left = out.length ? ` ${out.length} left out: ${notTheirProduct}` : ''
    return { message: said + left, operation: done.operation, left_out }
  }

async function nameLeftOut(db: Db, ids: readonly number[], visible: ReturnType<typeof matching>) {
  if (!ids.length) return []
  const { rows } = await sql<{ id: number; title: string }>`select t.id, t.title from tickets t
    where t.id = any(${ids}::int[]) and ${visible} order by t.id`.execute(db)
  return rows.map((row) => ({ ...row, why: notTheirProduct }))
}

export function ticketBulkRoutes(app: App): void {
  implement(app, desk.changeMany, changeMany(app))
}
