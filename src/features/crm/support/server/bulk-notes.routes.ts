import { sql } from 'kysely'
import { counted } from '#shared/records.ts'
import { desk } from '#features/crm/support/desk.contract.ts'
import { findSelectedTickets, mostNamed } from '#features/crm/support/server/bulk.routes.ts'
import { addNote } from '#features/crm/support/server/notes.ts'
import { reasons } from '#features/crm/support/server/replies/answer-many.ts'
import { findRecipients } from '#features/crm/support/server/replies/recipients.queries.ts'
import { restoreSnoozes, snoozeTickets } from '#features/crm/support/server/snoozes.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
import { storePartChanges } from '#server/record/parts.ts'
import { storeOperation } from '#server/record/record.ts'
import { findRecords, type Row } from '#server/record/rows.ts'

/* What an admin user adds to selected tickets beside their fields: a note, and a time at which they return. */

const noteMany: Handler<typeof desk.noteMany> = async ({ body }, context) => {
  const { db, viewer, clock } = context
  const wanted = [...new Set(body.ticket_ids)]
  const held = await findRecords(db, ticketKind, wanted, viewer, { lock: true })
  const found = new Map((await findRecipients(db, wanted, viewer)).map((one) => [one.id, one]))
  const fits = new Map(held.map((one) => [one.id, one]))
  const left_out: { id: number; title: string; why: string }[] = []
  for (const id of wanted) {
    const { title = '', why = 'unknown' as const } = found.get(id) ?? {}
    const reason = why === 'merged' || why === 'in trash' || why === 'unknown' ? why : null
    if (reason === null && fits.has(id)) continue
    fits.delete(id)
    left_out.push({ id, title, why: reasons[reason ?? 'unknown'] })
  }
  if (fits.size === 0) throw invalid('ticket_ids', left_out[0]!.why)
  const notes: { ticket: number; id: number }[] = []
  for (const one of fits.values())
    notes.push({ ticket: one.id, id: await addNote(context, one, { support_comment: body.support_comment }) })
  const said = `Note added to ${counted('ticket', notes.length)}`
  const operation = await storeNotes(context, said, notes, clock.now().toISOString())
  return { message: `${said}.`, operation, left_out: left_out.slice(0, mostNamed) }
}

/** Stores the addition of notes as one operation, whose undo deletes them as their author could. */
async function storeNotes(
  { db, viewer, called }: Pick<WriteContext<typeof desk.noteMany>, 'db' | 'viewer' | 'called'>,
  summary: string,
  notes: readonly { ticket: number; id: number }[],
  now: string,
) {
  const { rows } = await sql<{ id: number; before: Row; after: Row }>`select c.id, to_jsonb(c) as after,
      to_jsonb(c) || jsonb_build_object('deleted_at', ${now}::timestamptz) as before
    from ticket_comments c where c.id = any(${notes.map(({ id }) => id)}::int[])`.execute(db)
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const operation = await storeOperation(
    // The access doesn't depend on the note, which is stored once.
    { db, viewer, called: { ...called, input: { params: {}, query: {}, body: {} } } },
    { type: 'ticket', kind: 'edit', summary, needs: '' },
    [],
  )
  for (const { ticket, id } of notes) {
    const { before, after } = rowOf.get(id)!
    const changes = [{ table_name: 'ticket_comments', row_id: id, before, after }]
    await storePartChanges(db, operation.id, { type: 'ticket', id: ticket }, changes)
  }
  return operation
}

const snoozeMany: Handler<typeof desk.snoozeMany> = async ({ body: { selection, until } }, context) => {
  const { db, viewer, changed, clock } = context
  if (until !== null && new Date(until) <= clock.now()) throw invalid('until', 'Choose a time in the future.')
  const ids = await findSelectedTickets(db, selection, viewer)
  const { data, earlier } = await snoozeTickets(db, viewer, ids, until)
  if (data.length === 0) throw notFound('Ticket not found.')
  changed('ticket', data)
  const what = counted('ticket', data.length)
  const message = until === null ? `${what} snoozed until the customer writes.` : `${what} snoozed.`
  return { message, data, earlier }
}

const unsnoozeMany: Handler<typeof desk.unsnoozeMany> = async ({ body: { ids, earlier } }, context) => {
  const { db, viewer, changed } = context
  const wasSnoozed = new Set(earlier.map(({ id }) => id))
  const ended = await db
    .deleteFrom('ticket_snoozes')
    .where('ticket_id', '=', sql<number>`any(${ids.filter((id) => !wasSnoozed.has(id))}::int[])`)
    .where('staff_id', '=', viewer.id)
    .returning('ticket_id as id')
    .execute()
  const restored = await restoreSnoozes(db, viewer, earlier)
  changed(
    'ticket',
    [...ended, ...restored].map(({ id }) => id),
  )
  const back = `${counted('ticket', ended.length)} ${ended.length === 1 ? 'is' : 'are'} back in your queues.`
  const asBefore = `${counted('ticket', restored.length)} snoozed as before.`
  if (restored.length === 0) return { message: back }
  return { message: ended.length === 0 ? asBefore : `${back} ${asBefore}` }
}

export function bulkNoteRoutes(app: App): void {
  implement(app, desk.noteMany, noteMany)
  implement(app, desk.snoozeMany, snoozeMany)
  implement(app, desk.unsnoozeMany, unsnoozeMany)
}
