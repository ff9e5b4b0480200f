import { recordNotes } from '#shared/notes.contract.ts'
import { isRecordType, mayReadType } from '#shared/records.ts'
import type { App, WriteContext } from '#server/app.ts'
import { attachFiles } from '#server/files/record-files.ts'
import { linksFor } from '#server/files/signed-links.ts'
import { implement } from '#server/http/implement.ts'
import { tellTagged } from '#server/record/mentions.ts'
import {
  deleteNote,
  editNote,
  findNotes,
  idsOf,
  pinNote,
  writeNote,
  type NoteAddress,
} from '#server/record/notes.queries.ts'
import { findReaders } from '#server/record/readers.ts'
import { demandVisible, isVisible } from '#server/record/record.ts'
import type { Engine } from '#server/record/undo.ts'

/** ID of a note on the page of its record. */
const anchorOf = (id: number) => `note-${id}`

/** Implements the notes on records of every type. */
export function noteRoutes(app: App, { accessOf }: Engine): void {
  letReadersOfNotesIn(app)

  implement(app, recordNotes.ofRecord, async ({ params: { a, b } }, context) => {
    const { db, viewer } = context
    const kind = app.records.get(a)
    await demandVisible(db, kind, b, viewer)
    const of = { kind, id: b, ids: idsOf(kind, b), viewer, accessOf }
    return { data: await findNotes(db, of, linksFor(context)) }
  })

  implement(app, recordNotes.add, async ({ params: { a, b }, body }, context) => {
    const kind = app.records.get(a)
    const done = await writeNote(context, kind, b, body.note)
    const { id } = done.data
    await attachFiles(app.files, context, { file_ids: body.file_ids }, { type: 'note', id })
    await tellTagged(app, context, {
      kind,
      id: b,
      anchor: anchorOf(id),
      tag_user: body.tag_user,
      words: body.note,
    })
    return { message: 'Note added.', ...done }
  })

  implement(app, recordNotes.edit, async ({ params: { a, b, id }, body }, context) => {
    const kind = app.records.get(a)
    const { note, base, tag_user } = body
    const edited_at = context.clock.now().toISOString()
    const done = await editNote(context, { kind, id: b, note: id }, { note, base, edited_at })
    await tellTagged(app, context, { kind, id: b, anchor: anchorOf(id), tag_user, words: note })
    return { message: 'Note saved.', ...done }
  })

  implement(app, recordNotes.pin, async ({ params: { a, b, id } }, context) => {
    const at = { kind: app.records.get(a), id: b, note: id }
    const done = await pinNote(context, at, context.clock.now().toISOString())
    return { message: 'Note pinned.', ...done }
  })

  implement(app, recordNotes.unpin, async ({ params: { a, b, id } }, context) => {
    const done = await pinNote(context, { kind: app.records.get(a), id: b, note: id }, null)
    return { message: 'Note unpinned.', ...done }
  })

  implement(app, recordNotes.remove, async ({ params: { a, b, id } }, context) => {
    const at = { kind: app.records.get(a), id: b, note: id }
    const operation = await deleteNote(context, at)
    await refreshInboxes(context, at)
    return { message: 'Note deleted.', data: { id }, operation }
  })

  implement(app, recordNotes.readers, async ({ params: { a, b } }, { db, viewer }) => {
    const kind = app.records.get(a)
    await demandVisible(db, kind, b, viewer)
    return { data: (await findReaders(db, kind, b)).map(({ id, name }) => ({ id, name })) }
  })
}

/** Updates the inboxes of users with a notice of a note, which the database has hidden. */
async function refreshInboxes(
  { app, db, afterCommit }: WriteContext<typeof recordNotes.remove>,
  { kind, note }: NoteAddress,
): Promise<void> {
  const readers = await db
    .selectFrom('notices')
    .select('staff_id')
    .distinct()
    .where('record_type', '=', kind.type)
    .where('anchor', '<>', '')
    .where('anchor', '=', anchorOf(note))
    .execute()
  afterCommit(() => {
    for (const { staff_id } of readers) app.live.publish(`private-staff.${staff_id}`, 'notices', {})
  })
}

/** Opens the files of notes to those who can see the record. */
function letReadersOfNotesIn(app: App): void {
  app.files.registerReadCheck('note', async (db, id, viewer) => {
    const note = await db
      .selectFrom('notes')
      .select(['record_type as type', 'record_id'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (note === undefined || !isRecordType(note.type) || !mayReadType(note.type, viewer)) return false
    return isVisible(db, app.records.get(note.type), note.record_id, viewer)
  })
}
