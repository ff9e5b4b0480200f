import { sql, type RawBuilder } from 'kysely'
import { whyNotChangeNote, type Note, type NoteInTimeline } from '#shared/notes.contract.ts'
import type { OperationRef } from '#shared/record.contract.ts'
import { recordTypes } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { filesOf } from '#server/files/record-files.ts'
import type { Links } from '#server/files/signed-links.ts'
import { HttpError, notAllowed, notFound } from '#server/http/errors.ts'
import type { SignedIn } from '#server/http/session.ts'
import { asOperation } from '#server/record/as-operation.ts'
import { findOperationsOf, type HistoryOf } from '#server/record/history.queries.ts'
import { lockRecord } from '#server/record/record.ts'
import { liveName, type RecordKind, type Writing } from '#server/record/rows.ts'

/* Notes on records of every type: docs/product.md, “Notes”. */

type NoteWriting = Writing & { viewer: SignedIn }
type NoteRow = Omit<NoteInTimeline, 'operation' | 'attachments'>
interface NoteWritten {
  data: Note
  operation: OperationRef | null
}

const mostListed = 500

const columns = sql`n.id, n.body, n.created_at, n.staff_id, n.edited_at, n.pinned_at,
  coalesce(s.name, 'System') as who`

/** SQL for the IDs of the records whose notes are shown on a record. */
export const idsOf = (kind: RecordKind, id: number): RawBuilder<unknown> =>
  kind.history?.relatedIds?.(id) ?? sql`${id}::int`

/** Returns the notes on records, newest first; those that are pinned are always among them. */
export async function findNotes(db: Db, of: HistoryOf, links: Links): Promise<NoteInTimeline[]> {
  const { kind, ids } = of
  const { rows } = await sql<NoteRow & { operation_id: number | null }>`select ${columns},
      (select max(c.operation_id) from part_changes c where c.table_name = 'notes' and c.row_id = n.id
        and c.record_type = n.record_type and c.record_id in (${ids})) as operation_id
    from notes n left join staff s on s.id = n.staff_id
    where n.record_type = ${kind.type} and n.record_id in (${ids})
    order by n.pinned_at is null, n.id desc limit ${mostListed}`.execute(db)
  const operations = await findOperationsOf(db, of, rows)
  const files = await filesOf(
    db,
    'note',
    rows.map(({ id }) => id),
    links,
  )
  return rows
    .toSorted((a, b) => b.id - a.id)
    .map(({ operation_id, ...note }) => ({
      ...note,
      operation: operations.get(operation_id) ?? null,
      attachments: files.get(note.id) ?? [],
    }))
}

/** Writes a note on a record, as an operation that can be undone. */
export async function writeNote(
  writing: NoteWriting,
  kind: RecordKind,
  id: number,
  body: string,
): Promise<NoteWritten> {
  const { db, viewer, audit, changed } = writing
  const { result, operation } = await asNoteOperation(writing, kind, id, 'Note added', () =>
    db
      .insertInto('notes')
      .values({ record_type: kind.type, record_id: id, staff_id: viewer.id, body })
      .returning(['id', 'body', 'created_at'])
      .executeTakeFirstOrThrow(),
  )
  audit({ target: kind.type, id, after: { note: body } })
  changed(liveName(kind), [id])
  return { data: { ...result, who: viewer.name }, operation }
}

/** A note of a record, or of one that was merged into it. */
export interface NoteAddress {
  kind: RecordKind
  /** The record on whose page it is. */
  id: number
  note: number
}

/**
 * Changes the words of a note, as an operation that can be undone.
 * @throws HttpError 404; 403 if the viewer can't change it; 409 if someone else changed it after the viewer saw `base`.
 */
export async function editNote(
  writing: NoteWriting,
  at: NoteAddress,
  { note: body, base, edited_at }: { note: string; base: { note: string } | undefined; edited_at: string },
): Promise<NoteWritten> {
  const held = await lockNote(writing, at, { toChange: true })
  if (base && base.note !== held.body && body !== held.body)
    throw new HttpError(409, 'Someone else changed this note after you opened it.', {
      current: { note: held.body },
      clashes: [{ field: 'note', yours: body, theirs: held.body }],
    })
  const change = { summary: 'Note edited', before: { edited_note: held.body }, after: { edited_note: body } }
  return changeNote(writing, at, change, held.body === body ? undefined : { body, edited_at })
}

/** Pins a note or, without a time, unpins it, as an operation that can be undone. */
export async function pinNote(
  writing: NoteWriting,
  at: NoteAddress,
  pinned_at: string | null,
): Promise<NoteWritten> {
  const held = await lockNote(writing, at, { toChange: false })
  const isPinned = pinned_at !== null
  const summary = isPinned ? 'Note pinned' : 'Note unpinned'
  const change = { summary, after: { [isPinned ? 'pinned_note' : 'unpinned_note']: held.body } }
  return changeNote(writing, at, change, (held.pinned_at !== null) === isPinned ? undefined : { pinned_at })
}

/** Deletes a note, as an operation that can be undone. Its notices are withdrawn by the database. */
export async function deleteNote(writing: NoteWriting, at: NoteAddress): Promise<OperationRef | null> {
  const { db, audit, changed } = writing
  const held = await lockNote(writing, at, { toChange: true })
  const { operation } = await asNoteOperation(writing, at.kind, at.id, 'Note deleted', () =>
    db.deleteFrom('notes').where('id', '=', at.note).execute(),
  )
  audit({ target: at.kind.type, id: at.id, after: { deleted_note: held.body } })
  changed(liveName(at.kind), [at.id])
  return operation
}

interface NoteChange {
  summary: string
  before?: Record<string, string>
  after: Record<string, string>
}

/** Sets columns of a note that is locked; without them, nothing changes. */
async function changeNote(
  writing: NoteWriting,
  at: NoteAddress,
  { summary, ...words }: NoteChange,
  values: { body?: string; edited_at?: string; pinned_at?: string | null } | undefined,
): Promise<NoteWritten> {
  const { db, audit, changed } = writing
  const { kind, id } = at
  if (!values) return { data: noteOf(await getNote(db, at)), operation: null }
  const { operation } = await asNoteOperation(writing, kind, id, summary, () =>
    db.updateTable('notes').set(values).where('id', '=', at.note).execute(),
  )
  audit({ target: kind.type, id, ...words })
  changed(liveName(kind), [id])
  return { data: noteOf(await getNote(db, at)), operation }
}

const noteOf = ({ id, body, created_at, who }: NoteRow): Note => ({ id, body, created_at, who })

/**
 * Returns a note. Its record is locked, to serialize changes to its notes.
 * @throws HttpError 404, or 403 if only others can change it.
 */
async function lockNote(
  { db, viewer }: NoteWriting,
  at: NoteAddress,
  { toChange }: { toChange: boolean },
): Promise<NoteRow> {
  await lockRecord(db, at.kind, at.id, viewer)
  const held = await getNote(db, at)
  const why = toChange ? whyNotChangeNote(held, viewer) : undefined
  if (why) throw notAllowed(why)
  return held
}

/** @throws HttpError 404 */
async function getNote(db: Db, { kind, id, note }: NoteAddress): Promise<NoteRow> {
  const { rows } = await sql<NoteRow>`select ${columns} from notes n left join staff s on s.id = n.staff_id
    where n.id = ${note} and n.record_type = ${kind.type} and n.record_id in (${idsOf(kind, id)})`.execute(db)
  if (!rows[0]) throw notFound(`This note doesn’t exist on this ${recordTypes[kind.type].one}.`)
  return rows[0]
}

/** Changes the notes that a record shows as an operation that can be undone. */
const asNoteOperation = <Result>(
  writing: Writing,
  kind: RecordKind,
  id: number,
  summary: string,
  work: () => Promise<Result>,
) =>
  asOperation(
    writing,
    kind,
    id,
    {
      summary,
      parts: [
        { table: 'notes', where: sql`t.record_type = ${kind.type} and t.record_id in (${idsOf(kind, id)})` },
      ],
    },
    work,
  )
