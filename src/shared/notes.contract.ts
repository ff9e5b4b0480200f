import { z } from 'zod'
import { isAdminRole } from '#shared/access.ts'
import { everything } from '#shared/changed.ts'
import { endpoint, type Viewer } from '#shared/endpoint.ts'
import { fileIds, recordFile } from '#shared/files.ts'
import { byType, changedReply, ReversibleOperation } from '#shared/record.contract.ts'
import { liveNameOf, recordTypeNames } from '#shared/records.ts'
import { instant, recordId, requiredText, text } from '#shared/schemas.ts'

/* Notes on records of every type: docs/product.md, “Notes”. */

/** Longest note, in characters. */
const longest = 10_000

export const Note = z.object({ id: z.number().int(), body: z.string(), created_at: instant, who: z.string() })
export type Note = z.output<typeof Note>

const NoteInTimeline = Note.extend({
  /** The author; null if the panel wrote it. */
  staff_id: z.number().int().nullable(),
  edited_at: instant.nullable(),
  /** Since when it is above the timeline; null if it isn't. */
  pinned_at: instant.nullable(),
  operation: ReversibleOperation.nullable(),
  attachments: z.array(recordFile),
})
export type NoteInTimeline = z.output<typeof NoteInTimeline>

/** Admin users mentioned in a note. */
const tag_user = z.array(recordId).max(50).optional()

export const NewNote = z.object({ note: requiredText(longest), file_ids: fileIds.optional(), tag_user })

/** The words of a note, and those that the user saw; without them, a change by someone else is overwritten. */
export const EditedNote = z.object({
  note: requiredText(longest),
  base: z.object({ note: text(longest) }).optional(),
  tag_user,
})

/** Returns why a person can't edit or delete a note; undefined if they can. */
export const whyNotChangeNote = (
  { staff_id }: { staff_id: number | null },
  { id, role_id }: Pick<Viewer, 'id' | 'role_id'>,
): string | undefined =>
  staff_id === id || isAdminRole(role_id)
    ? undefined
    : 'Only the author of this note and admins can change it.'

const type = z.enum(recordTypeNames)
const ofRecord = z.object({ a: type, b: recordId })
const ofNote = ofRecord.extend({ id: recordId })

const path = '/admin/general/notes/{a}/{b}'

export const recordNotes = {
  ofRecord: endpoint({
    method: 'GET',
    path,
    shows: ({ params: { a } }) => [everything, liveNameOf(a)],
    summary:
      'List the notes on a record. `a` is the record type and `b` is the record ID (docs/spec-gaps.md G123).',
    access: byType('read', 'a'),
    params: ofRecord,
    response: z.object({ data: z.array(NoteInTimeline) }),
  }),
  add: endpoint({
    method: 'POST',
    path,
    summary: 'Add a note to a record.',
    access: byType('note', 'a'),
    params: ofRecord,
    body: NewNote,
    act: 'Added a note',
    response: changedReply(Note),
  }),
  edit: endpoint({
    method: 'POST',
    path: `${path}/{id}`,
    summary:
      'Edit the words of a note that the caller wrote; Super Admins and Admins can edit any. Returns 409 if they differ from those in `base`.',
    access: byType('note', 'a'),
    params: ofNote,
    notFields: ['base'],
    body: EditedNote,
    act: 'Edited a note',
    response: changedReply(Note),
  }),
  pin: endpoint({
    method: 'POST',
    path: `${path}/{id}/pin`,
    summary: 'Pin a note above the timeline of its record, for everyone.',
    access: byType('note', 'a'),
    params: ofNote,
    act: 'Pinned a note',
    response: changedReply(Note),
  }),
  unpin: endpoint({
    method: 'DELETE',
    path: `${path}/{id}/pin`,
    summary: 'Return a pinned note to the timeline of its record.',
    access: byType('note', 'a'),
    params: ofNote,
    act: 'Unpinned a note',
    response: changedReply(Note),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a note that the caller wrote; Super Admins and Admins can delete any.',
    access: byType('note', 'a'),
    params: ofNote,
    act: 'Deleted a note',
    response: changedReply(z.object({ id: z.number().int() })),
  }),
  readers: endpoint({
    method: 'GET',
    path: `${path}/staff`,
    summary: 'List admin users who can open a record. They can be mentioned in its notes.',
    access: byType('note', 'a'),
    params: ofRecord,
    response: z.object({ data: z.array(z.object({ id: z.number().int(), name: z.string() })) }),
  }),
}
