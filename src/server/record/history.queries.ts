import { sql, type RawBuilder } from 'kysely'
import type { Note, RecordEvent } from '#shared/record.contract.ts'
import type { Db } from '#server/db/db.ts'

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

export const writeNote = (
  db: Db,
  note: { record_type: string; record_id: number; staff_id: number; body: string },
) => db.insertInto('notes').values(note).returning(['id', 'body', 'created_at']).executeTakeFirstOrThrow()
