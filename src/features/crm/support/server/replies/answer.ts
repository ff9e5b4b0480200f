import { sql } from 'kysely'
import type { z } from 'zod'
import { truncate } from '#shared/truncate.ts'
import { findReplyAssigns } from '#features/admin/settings/server/panel-settings.queries.ts'
import type { conversation, TicketReplyBody } from '#features/crm/support/conversation.contract.ts'
import { unfilledError } from '#features/crm/support/saved-reply.rules.ts'
import {
  demandAssignee,
  hasPresentAssignee,
  notifyAssignee,
} from '#features/crm/support/server/assignment.ts'
import { placeCard } from '#features/crm/support/server/cards.ts'
import { addMessage, notifyFollowers, notifyOwner, unread } from '#features/crm/support/server/changes.ts'
import { asksForRating, noteQuestion } from '#features/crm/support/server/report/ratings.queries.ts'
import { reassignFromAbsent } from '#features/crm/support/server/rules/assignment-rules.queries.ts'
import { queueReply } from '#features/crm/support/server/replies/reply-email.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { App, WriteContext } from '#server/app.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import { cleanHtml, imagesIn, textOf } from '#server/html/html-clean.ts'
import { changeRecord } from '#server/record/record.ts'
import type { StoredOf } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

/* The answer to a ticket: to one, or to each ticket of an incident. */

type Context = WriteContext<typeof conversation.sendReply>
type StoredTicket = StoredOf<typeof ticketKind>
type Body = z.output<typeof TicketReplyBody>
type Answer = Omit<Body, 'message'> & {
  /** Cleaned HTML. */
  message: string
}

/** All of them are attached to the email. */
export const mostImages = 20

/**
 * Returns the text of an answer as clean HTML.
 * @throws HttpError 422 if it is empty, or has too many images.
 */
export function cleanAnswer(unclean: Body['message'], field = 'message'): string {
  const message = cleanHtml(unclean, field)
  const images = imagesIn(message).length
  if (images > mostImages) throw invalid(field, `A message can show at most ${mostImages} images.`)
  if (images === 0 && textOf(message) === '') throw invalid(field, 'This field is required.')
  return message
}

/** @throws HttpError 422 if the text still has variables of a saved reply. */
export function demandFilled(message: string): void {
  const unfilled = unfilledError(textOf(message))
  if (unfilled !== undefined) throw invalid('message', unfilled)
}

/** Stores that a user has read a ticket up to a message. */
export async function markRead(
  db: Db,
  staff_id: number,
  ticket_id: number,
  message_id: number,
): Promise<void> {
  await db
    .insertInto('ticket_reads')
    .values({ ticket_id, staff_id, message_id })
    .onConflict((on) =>
      on.columns(['ticket_id', 'staff_id']).doUpdateSet({ message_id, read_at: sql<string>`now()` }),
    )
    .execute()
  await db
    .deleteFrom('ticket_unread')
    .where('ticket_id', '=', ticket_id)
    .where('staff_id', '=', staff_id)
    .execute()
}

/** Adds an answer to a locked ticket, emails it to the requester, and makes the changes that are sent along. */
export async function answerTicket(app: App, context: Context, held: StoredTicket, answer: Answer) {
  const { db, viewer, audit, changed } = context
  const { id } = held
  const { message, cc } = answer
  const values = { ticket_id: id, sent_by_admin: true, staff_id: viewer.id, message }
  const { message_id, file_ids } = await addMessage(app, context, values, answer.file_ids)
  const asksRating = await asksForRating(app, db, answer.status ?? held.status)
  const { title, reply_token: token } = held
  const reply = { id, title, message_id, token, message, file_ids, cc, asksRating }
  const mail_id = await queueReply(app, context, reply)
  if (mail_id !== null && asksRating) await noteQuestion(context, message_id)
  await db.updateTable('ticket_messages').set({ mail_id }).where('id', '=', message_id).execute()
  const answered = { ...unread(null), last_message_at: sql`now()` }
  await touchRecords({ db }, ticketKind, id, answered, { keepsVersion: true })
  await markRead(db, viewer.id, id, message_id)
  const assignee_id = await assigneeAfterReply(db, viewer.id, held, answer.assignee_id)
  const card_id = await changeAlong(context, held, message_id, answer, assignee_id)
  if (answer.status !== undefined) await reassignFromAbsent(app, context, [id])
  audit({
    target: 'ticket',
    id,
    after: {
      reply: truncate(textOf(message), 1000),
      ...(file_ids.length ? { files: file_ids.length } : {}),
    },
  })
  changed('ticket', [id])
  notifyOwner(app, context, held)
  if (assignee_id && assignee_id !== held['assignee_id'])
    await notifyAssignee(app, context, assignee_id, [id])
  await notifyFollowers(app, context, {
    ticket_id: id,
    title,
    by: viewer.id,
    anchor: `message-${message_id}`,
    words: `${viewer.name} replied.`,
  })
  if (mail_id !== null) changed('mails', [mail_id])
  return { message_id, mail_id, card_id }
}

/** Makes the changes that are sent along with an answer, as one operation; returns the ID of the ticket's card, or 0. */
async function changeAlong(
  context: Context,
  held: StoredTicket,
  message_id: number,
  answer: Answer,
  assignee_id: number | null | undefined,
): Promise<number> {
  const { db } = context
  // An explicit 0 means that there is no card yet; omitting the field changes nothing.
  const makesCard = (answer.card_id === 0 || answer.add_trello === 1) && held['list_id'] === null
  const card = makesCard ? await placeCard(db, held, answer) : {}
  const along = {
    ...(assignee_id === undefined ? {} : { assignee_id }),
    ...(answer.status === undefined ? {} : { status: answer.status }),
    ...(answer.customer_feedback === undefined ? {} : { customer_feedback: answer.customer_feedback === 1 }),
    ...card,
  }
  if (Object.keys(along).length) {
    const { operation } = await changeRecord(context, ticketKind, held.id, along, {
      summary: 'Changed with a reply',
    })
    await db
      .updateTable('ticket_messages')
      .set({ operation_id: operation?.id ?? null })
      .where('id', '=', message_id)
      .execute()
  }
  return makesCard || held['list_id'] !== null ? held.id : 0
}

/**
 * Returns the assignee that a reply sets; undefined if it keeps the ticket's.
 * @throws HttpError 422 if the chosen admin user can't open the ticket.
 */
async function assigneeAfterReply(
  db: Db,
  author: number,
  ticket: Pick<StoredOf<typeof ticketKind>, 'id' | 'assignee_id' | 'staff_id'>,
  chosen: number | undefined,
): Promise<number | null | undefined> {
  if (chosen !== undefined) {
    if (chosen !== 0) await demandAssignee(db, ticket.id, chosen)
    return chosen || null
  }
  return (await findReplyTakes(db, ticket.id, ticket.staff_id === author)) ? author : undefined
}

/**
 * Returns whether a reply assigns a ticket to its author unless they choose otherwise.
 * @param isOwn whether the author is its requester
 */
export const findReplyTakes = async (db: Db, id: number, isOwn: boolean): Promise<boolean> =>
  !isOwn && !(await hasPresentAssignee(db, id)) && (await findReplyAssigns(db))
