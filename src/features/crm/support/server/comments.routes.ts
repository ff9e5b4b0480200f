import { sql } from 'kysely'
import type { z } from 'zod'
import { can } from '#shared/access.ts'
import type { TicketComment } from '#features/crm/support/ticket-comment.contract.ts'
import { conversation, type NewTicketComment } from '#features/crm/support/conversation.contract.ts'
import { whyNotDeleteNote, whyNotEditNote } from '#features/crm/support/rules.ts'
import { lockUnmerged } from '#features/crm/support/server/merge/lock-unmerged.ts'
import { addNote, findTagged, tag } from '#features/crm/support/server/notes.ts'
import { findComments } from '#features/crm/support/server/conversation.queries.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { linksFor } from '#server/files/signed-links.ts'
import { invalid, notAllowed, notFound } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
import { asOperation } from '#server/record/as-operation.ts'
import type { Parts } from '#server/record/parts.ts'
import { isVisible } from '#server/record/record.ts'

/**
 * Locks the ticket of a note, and checks what the note is about.
 * @throws HttpError 422 if the organization or the message is not the ticket's, or the viewer can't see the lead.
 */
async function lockCommented(
  { message_id, organization_id, lead_id, ticket_id }: z.output<typeof NewTicketComment>,
  { db, viewer }: WriteContext<typeof conversation.comment>,
) {
  const held = await lockUnmerged(db, ticket_id, viewer)
  if (organization_id && organization_id !== held['organization_id'])
    throw invalid('organization_id', 'This ticket belongs to another organization.')
  if (message_id) {
    const message = await db
      .selectFrom('ticket_messages')
      .select('ticket_id')
      .where('id', '=', message_id)
      .executeTakeFirst()
    if (message?.ticket_id !== ticket_id) throw invalid('message_id', 'This message doesn’t exist.')
  }
  if (lead_id !== undefined) {
    const lead = await db
      .selectFrom('leads')
      .select('lead_for')
      .where('lead_id', '=', lead_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!lead || !viewer.products.includes(lead.lead_for))
      throw invalid('lead_id', 'This lead doesn’t exist.')
  }
  return held
}

const addComment: Handler<typeof conversation.comment> = async ({ body }, context) => {
  const { ticket_id, tag_user = [], file_ids } = body
  const held = await lockCommented(body, context)
  const tagged = await findTagged(context, ticket_id, tag_user)
  const files = { files: context.files.attachment ?? [], file_ids }
  const id = await addNote(context, held, body, { files, tagged })
  return {
    message: 'Note added.',
    data: (await findComments(context.db, ticket_id, linksFor(context), id))[0]!,
  }
}

/** A ticket's notes, declared as parts of the ticket so that operations include them. */
const partsOfNotes = (ticket: number): Parts => ({
  table: 'ticket_comments',
  where: sql`t.ticket_id = ${ticket}`,
})

interface NoteAddress {
  ticket: number
  id: number
}

/**
 * Returns a note that the viewer can change. Its ticket is locked, to serialize changes to its notes.
 * @throws HttpError 404, or 403 if the viewer can't change the note.
 */
async function lockNote(
  context: WriteContext<typeof conversation.removeComment>,
  { ticket, id }: NoteAddress,
  whyNot: typeof whyNotDeleteNote,
) {
  const held = await lockUnmerged(context.db, ticket, context.viewer)
  const before = await getNote(context, { ticket, id })
  const why = whyNot(before, context.viewer)
  if (why) throw notAllowed(why)
  return { held, before }
}

/** @throws HttpError 404 */
async function getNote(
  context: WriteContext<typeof conversation.removeComment>,
  { ticket, id }: NoteAddress,
): Promise<TicketComment> {
  const [note] = await findComments(context.db, ticket, linksFor(context), id)
  if (!note) throw notFound('Note not found.')
  return note
}

const editComment: Handler<typeof conversation.editComment> = async ({ params, body }, context) => {
  const { db, clock, audit, changed } = context
  const { support_comment, tag_user = [] } = body
  const { held, before } = await lockNote(context, params, whyNotEditNote)
  const tagged = await findTagged(context, params.ticket, tag_user)
  const isEdited = support_comment !== before.support_comment
  const { operation } = await asOperation(context, ticketKind, held.id, edit(held.id), async () => {
    if (isEdited)
      await db
        .updateTable('ticket_comments')
        .set({ support_comment, edited_at: clock.now().toISOString() })
        .where('id', '=', params.id)
        .execute()
  })
  await tag(context, { id: params.id, ticket: held, words: support_comment }, tagged)
  const data = await getNote(context, params)
  if (isEdited) audit({ target: 'ticket', id: held.id, before: audited(before), after: audited(data) })
  changed('ticket', [held.id])
  return { message: 'Note saved.', data, operation }
}

const removeComment: Handler<typeof conversation.removeComment> = async ({ params }, context) => {
  const { db, clock, audit, changed } = context
  const { held, before } = await lockNote(context, params, whyNotDeleteNote)
  const { operation } = await asOperation(context, ticketKind, held.id, deletion(held.id), () =>
    db
      .updateTable('ticket_comments')
      .set({ deleted_at: clock.now().toISOString() })
      .where('id', '=', params.id)
      .execute(),
  )
  audit({ target: 'ticket', id: held.id, after: audited(before) })
  changed('ticket', [held.id])
  await refreshInboxes(context, params)
  return { message: 'Note deleted.', data: { id: params.id }, operation }
}

/** Updates the inboxes of users with a notice of a note, which the database has hidden. */
async function refreshInboxes(
  { app, db, afterCommit }: WriteContext<typeof conversation.removeComment>,
  { ticket, id }: NoteAddress,
): Promise<void> {
  const readers = await db
    .selectFrom('notices')
    .select('staff_id')
    .distinct()
    .where('record_type', '=', 'ticket')
    .where('record_id', '=', ticket)
    .where('anchor', '=', `comment-${id}`)
    .execute()
  afterCommit(() => {
    for (const { staff_id } of readers) app.live.publish(`private-staff.${staff_id}`, 'notices', {})
  })
}

const edit = (ticket: number) => ({ summary: 'Note edited', parts: [partsOfNotes(ticket)] })
const deletion = (ticket: number) => ({ summary: 'Note deleted', parts: [partsOfNotes(ticket)] })

/** Returns what the history says about a note. */
const audited = ({ support_comment }: TicketComment) => ({ internal_note: support_comment })

export function commentRoutes(app: App): void {
  app.files.registerReadCheck('ticket_comment', async (db, id, viewer) => {
    const comment = await db
      .selectFrom('ticket_comments')
      .select('ticket_id')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    // Unlike messages, which their requester can read.
    return (
      comment !== undefined &&
      can(viewer, 'all_tickets_view') &&
      isVisible(db, ticketKind, comment.ticket_id, viewer)
    )
  })
  implement(app, conversation.comment, addComment)
  implement(app, conversation.editComment, editComment)
  implement(app, conversation.removeComment, removeComment)
}
