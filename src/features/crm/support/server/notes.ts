import type { z } from 'zod'
import type { conversation, NewTicketComment } from '#features/crm/support/conversation.contract.ts'
import { notifyFollowers } from '#features/crm/support/server/changes.ts'
import { findMentionable } from '#features/crm/support/server/mentionable.queries.ts'
import type { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { WriteContext } from '#server/app.ts'
import { attachFiles } from '#server/files/record-files.ts'
import { invalid } from '#server/http/errors.ts'
import { tellMentioned } from '#server/record/mentions.ts'
import type { StoredOf } from '#server/record/rows.ts'

type Writing = Pick<
  WriteContext<typeof conversation.comment>,
  'app' | 'db' | 'viewer' | 'called' | 'audit' | 'changed' | 'afterCommit' | 'onRollback'
>
type Mentionable = Awaited<ReturnType<typeof findMentionable>>

type Note = Pick<z.output<typeof NewTicketComment>, 'support_comment'> &
  Partial<Pick<z.output<typeof NewTicketComment>, 'lead_id' | 'organization_id' | 'message_id'>>

/** Adds an internal note to a locked ticket, and notifies its followers and those who are mentioned; returns its ID. */
export async function addNote(
  context: Writing,
  held: StoredOf<typeof ticketKind>,
  { support_comment, lead_id, organization_id, message_id }: Note,
  { files, tagged }: { files?: Parameters<typeof attachFiles>[2]; tagged?: Mentionable } = {},
): Promise<number> {
  const { app, db, viewer, audit, changed } = context
  const { id: ticket_id, title } = held
  const { id } = await db
    .insertInto('ticket_comments')
    .values({
      ticket_id,
      support_comment,
      lead_id: lead_id ?? null,
      organization_id: organization_id || null,
      message_id: message_id || null,
      created_by: viewer.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (files) await attachFiles(app.files, context, files, { type: 'ticket_comment', id })
  await tag(context, { id, ticket: held, words: support_comment }, tagged ?? [])
  await notifyFollowers(app, context, {
    ticket_id,
    title,
    by: viewer.id,
    anchor: `comment-${id}`,
    words: `${viewer.name} commented: ${support_comment}`,
  })
  audit({ target: 'ticket', id: ticket_id, after: { comment: support_comment } })
  changed('ticket', [ticket_id])
  return id
}

/** @throws HttpError 422 if one of the people can't open the ticket. */
export async function findTagged(
  { app, db }: Writing,
  ticket: number,
  ids: readonly number[],
): Promise<Mentionable> {
  const tagged = new Set(ids)
  if (tagged.size === 0) return []
  const people = (await findMentionable(app, db, ticket)).filter((one) => tagged.has(one.id))
  if (people.length < tagged.size)
    throw invalid('tag_user', 'You can only tag staff who have access to this ticket.')
  return people
}

interface Tagging {
  /** The note in which people are mentioned. */
  id: number
  ticket: { id: number; title: string; organization_id: number | null }
  words: string
}

/** Notifies people who are mentioned in a note, each once: not again when the note is edited. */
export async function tag(
  context: Writing,
  { id, ticket, words }: Tagging,
  people: Mentionable,
): Promise<void> {
  if (!people.length) return
  const added = await context.db
    .insertInto('ticket_comment_tags')
    .values(people.map((one) => ({ comment_id: id, staff_id: one.id })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('staff_id')
    .execute()
  const told = new Set(added.map(({ staff_id }) => staff_id))
  await tellMentioned(context.app, context, {
    people: people
      .filter((one) => told.has(one.id))
      .map(({ task, ...person }) => ({
        ...person,
        record: task ?? {
          type: 'ticket',
          id: ticket.id,
          title: ticket.title,
          path: `/support/ticket/${ticket.id}/${ticket.organization_id ?? 0}`,
          anchor: `comment-${id}`,
        },
      })),
    words,
  })
}
