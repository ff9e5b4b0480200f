import { sql, type RawBuilder } from 'kysely'
import type { Note, OperationRef, RecordEvent } from '#shared/record.contract.ts'
import type { Db } from '#server/db/db.ts'
import type { SignedIn } from '#server/http/session.ts'
import { asOperation } from '#server/record/as-operation.ts'
import { liveName, type RecordKind, type Writing } from '#server/record/rows.ts'

const eventsAtOnce = 50

/**
 * Returns the history of the records of a type with these IDs, newest first; `before` is the ID of the oldest
 * event already loaded.
 */
export async function findHistory(
  db: Db,
  type: string,
  ids: RawBuilder<unknown>,
  before: number | undefined,
): Promise<RecordEvent[]> {
  const { rows } = await sql<Omit<RecordEvent, 'changes'> & { changes: Record<string, [unknown, unknown]> }>`
    select a.id, a.at, a.endpoint, a.act, a.changes, coalesce(s.first_name || ' ' || s.last_name, 'System') as who
    from audit_log a left join staff s on s.id = a.staff_id
    where a.target_type = ${type} and a.target_id in (${ids}) and ${before === undefined ? sql`true` : sql`a.id < ${before}`}
    order by a.id desc limit ${eventsAtOnce}`.execute(db)
  return rows.map(({ changes, ...event }) => ({
    ...event,
    changes: Object.entries(changes).map(([field, [was, is]]) => ({ field, before: was, after: is })),
  }))
}

/** Returns the notes on the records of a type with these IDs, newest first. */
export async function findNotes(db: Db, type: string, ids: RawBuilder<unknown>): Promise<Note[]> {
  const { rows } =
    await sql<Note>`select n.id, n.body, n.created_at, s.first_name || ' ' || s.last_name as who
    from notes n join staff s on s.id = n.staff_id where n.record_type = ${type} and n.record_id in (${ids}) order by n.id desc limit 500`.execute(
      db,
    )
  return rows
}

/** Writes a note on a record, as an operation that can be undone. */
export async function writeNote(
  writing: Writing & { viewer: SignedIn },
  kind: RecordKind,
  id: number,
  body: string,
): Promise<{ data: Note; operation: OperationRef | null }> {
  const { db, viewer, record, changed } = writing
  const { result, operation } = await asOperation(
    writing,
    kind,
    id,
    {
      summary: 'Note added',
      parts: [{ table: 'notes', where: sql`t.record_type = ${kind.type} and t.record_id = ${id}` }],
    },
    () =>
      db
        .insertInto('notes')
        .values({ record_type: kind.type, record_id: id, staff_id: viewer.id, body })
        .returning(['id', 'body', 'created_at'])
        .executeTakeFirstOrThrow(),
  )
  record({ target: kind.type, id, after: { note: body } })
  changed(liveName(kind), [id])
  return { data: { ...result, who: viewer.name }, operation }
}
