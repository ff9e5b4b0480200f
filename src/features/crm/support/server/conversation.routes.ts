import { watchFailedReplies } from '#features/crm/support/server/replies/failed-replies.ts'
import { sql } from 'kysely'
import { replySent, tickets } from '#features/crm/support/contract.ts'
import { findMentionable } from '#features/crm/support/server/mentionable.queries.ts'
import { conversation } from '#features/crm/support/conversation.contract.ts'
import { seesTicket } from '#features/crm/support/rules.ts'
import { countUses } from '#features/crm/support/server/saved-replies/saved-replies.queries.ts'
import { storageUrls } from '#features/crm/support/server/conversation.queries.ts'
import { getTicket, ticketKind } from '#features/crm/support/server/support.queries.ts'
import { isSaid } from '#features/crm/support/server/conditions.ts'
import { demandNotBanned } from '#features/crm/organizations/server/organizations.queries.ts'
import {
  findRequester,
  queueReply,
  signatureBelow,
  ticketValues,
} from '#features/crm/support/server/replies/reply-email.ts'
import { lockUnmerged } from '#features/crm/support/server/merge/lock-unmerged.ts'
import { isAsked } from '#features/crm/support/server/report/ratings.queries.ts'
import { unread } from '#features/crm/support/server/changes.ts'
import {
  answerTicket,
  cleanAnswer,
  demandFilled,
  markRead,
} from '#features/crm/support/server/replies/answer.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, notFound } from '#server/http/errors.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import type { SignedIn } from '#server/http/session.ts'
import { findMailRules } from '#server/mail/rules.ts'
import { linksFor } from '#server/files/signed-links.ts'
import { getRecord, isVisible, lockRecord } from '#server/record/record.ts'
import { findOnlyProduct, type ContinuableWriting } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'
import { engineOf, undoOrRedo } from '#server/record/undo.ts'

const ticketOf = (db: Db, id: number) =>
  db.selectFrom('tickets').select(['id', 'staff_id']).where('id', '=', id).executeTakeFirst()

const listTaggable: Handler<typeof conversation.taggable> = async ({ params }, { app, db, viewer }) => {
  await getRecord(db, ticketKind, params.id, viewer)
  const people = await findMentionable(app, db, params.id)
  return { data: people.map(({ id, name }) => ({ id, name })) }
}

const openTicket: Handler<typeof tickets.getTicket> = async ({ params: { id, org } }, context) => {
  const { db, viewer, changed, audit } = context
  audit({ target: 'ticket', id })
  const data = await getTicket(db, id, org, viewer, linksFor(context))
  const last = data.messages.at(-1)?.id
  if (last !== undefined && ((data.read_to ?? 0) < last || data.is_new))
    await markRead(db, viewer.id, id, last)
  // A visit by the requester does not mark the ticket as read, and a message that is missing from the
  // response stays unread.
  if (data.unread && last !== undefined) {
    const isUnread = sql`r.id = ${id} and r.unread_message_id <= ${last} and r.staff_id is distinct from ${viewer.id}`
    const read = await touchRecords({ db, changed }, ticketKind, isUnread, unread(null), {
      keepsVersion: true,
    })
    if (read.length) return { data: { ...data, unread: false, is_new: false }, ...storageUrls }
  }
  return { data: { ...data, is_new: false }, ...storageUrls }
}

const sendReply: Handler<typeof conversation.sendReply> = async ({ params: { id }, body }, context) => {
  const { app, db, viewer } = context
  const held = await lockUnmerged(db, id, viewer)
  if (body.org_id !== undefined && body.org_id !== (held.organization_id ?? 0))
    throw notFound('Ticket not found.')
  const message = cleanAnswer(body.message)
  demandFilled(message)
  await demandNotBanned(db, { cc: body.cc ?? [] })
  if (body.last_message_id !== undefined) await demandNoNewer(context, id, body.last_message_id)
  const data = await answerTicket(app, context, held, { ...body, message })
  await countUses(db, body.saved_reply_ids ?? [], viewer)
  return { message: replySent, data: { ...data, undo_seconds: (await findMailRules(db)).undo_seconds } }
}

/** @throws HttpError 409 with the messages of others after the newest one that the author has seen. */
async function demandNoNewer(
  context: WriteContext<typeof conversation.sendReply>,
  id: number,
  seen: number,
): Promise<void> {
  const { db, viewer } = context
  const later = await db
    .selectFrom('ticket_messages')
    .select('id')
    .where('ticket_id', '=', id)
    .where('id', '>', seen)
    // Their own ones, which a page may not show yet, are no news to them.
    .where('staff_id', 'is distinct from', viewer.id)
    .execute()
  if (later.length === 0) return
  const ids = new Set(later.map((one) => one.id))
  const { messages } = await getTicket(db, id, undefined, viewer, linksFor(context))
  const newer = messages.filter((one) => ids.has(one.id))
  if (newer.length)
    throw conflict(
      newer.length === 1 ? `${newer[0]!.who} sent a new message.` : `${newer.length} new messages arrived.`,
      { newer },
    )
}

const resendReply: Handler<typeof conversation.resendReply> = async (
  { params: { ticket: id, message: message_id } },
  context,
) => {
  const { app, db, viewer, audit, changed } = context
  const held = await lockRecord(db, ticketKind, id, viewer)
  const { messages } = await getTicket(db, id, undefined, viewer, linksFor(context))
  const reply = messages.find((one) => one.id === message_id && one.sent_by_admin)
  if (!reply) throw notFound('Reply not found.')
  if (reply.mail && ['held', 'waiting', 'sending'].includes(reply.mail.state))
    throw conflict('This reply is still being sent.')
  const mail_id = await queueReply(app, context, {
    id,
    title: held.title,
    message_id,
    token: held.reply_token,
    message: reply.message,
    // Inline images are part of the message text.
    file_ids: reply.attachments.filter(({ role }) => role === 'attachment').map((file) => file.id),
    cc: (await isOpenMail(db, reply.mail?.id)) ? reply.others : undefined,
    asksRating: await isAsked(db, message_id),
  })
  if (mail_id === null) throw conflict('The requester has no email address.')
  await db
    .updateTable('ticket_messages')
    .set({ mail_id, resends_mail_id: reply.mail?.id ?? null })
    .where('id', '=', message_id)
    .execute()
  audit({ target: 'ticket', id, after: { resent: message_id } })
  changed('ticket', [id])
  changed('mails', [mail_id])
  return { message: 'Resending the reply.', data: { message_id, mail_id } }
}

/** Returns whether the author of an email chose who gets a copy. */
async function isOpenMail(db: Db, id: number | undefined): Promise<boolean> {
  if (id === undefined) return false
  const mail = await db.selectFrom('mails').select('is_open').where('id', '=', id).executeTakeFirst()
  return mail?.is_open === true
}

const noAddress = { url: '', small_url: null, download_url: '' }

export function conversationRoutes(app: App): void {
  app.files.registerReadCheck('ticket_message', async (db, id, viewer) => {
    const message = await db
      .selectFrom('ticket_messages')
      .select('ticket_id')
      .where('id', '=', id)
      .executeTakeFirst()
    const ticket = message && (await ticketOf(db, message.ticket_id))
    return ticket !== undefined && seesTicket(viewer, ticket) && isVisible(db, ticketKind, ticket.id, viewer)
  })
  watchFailedReplies(app)
  const facts = async (db: Db, id: number, viewer: SignedIn) => {
    const { title, messages } = await getTicket(db, id, undefined, viewer, () => noAddress)
    const { first_name } = await findRequester(db, id)
    const last = messages.findLast((one) => one.sent_by_admin)
    const message = last?.message ?? '<p>Thank you for your message.</p>'
    return { message, values: ticketValues({ id, title, message }, first_name) }
  }
  app.mail.registerFacts(['ticket-received'], async (...of) => (await facts(...of)).values)
  app.mail.registerFacts(['ticket-reply'], async (db, id, viewer) => {
    const { message, values } = await facts(db, id, viewer)
    const about = { product_id: await findOnlyProduct(db, ticketKind, id), staff_id: viewer.id }
    return { ...values, signature: await signatureBelow(app, db, about, message) }
  })
  app.mail.control.onCancel('ticket', (writing, mail_id) => undoReply(writing, app, mail_id))
  implement(app, conversation.taggable, listTaggable)
  implement(app, tickets.getTicket, openTicket)
  implement(app, conversation.sendReply, sendReply)
  implement(app, conversation.resendReply, resendReply)
}

/**
 * Reverts what a canceled reply changed on its ticket, except for what has changed again since. The message
 * disappears from the conversation along with its email; a reply that was only being resent stays and is
 * linked to its earlier email again.
 */
async function undoReply(writing: ContinuableWriting, app: App, mail_id: number): Promise<void> {
  const { db, changed } = writing
  const reply = await db
    .selectFrom('ticket_messages as m')
    .leftJoin('operations as o', 'o.id', 'm.operation_id')
    .select(['m.id', 'm.ticket_id', 'm.resends_mail_id', 'o.id as operation_id', 'o.state'])
    .where('m.mail_id', '=', mail_id)
    .executeTakeFirst()
  if (!reply) return
  const { id, ticket_id, resends_mail_id, operation_id, state } = reply
  if (resends_mail_id !== null)
    await db
      .updateTable('ticket_messages')
      .set({ mail_id: resends_mail_id, resends_mail_id: null })
      .where('id', '=', id)
      .execute()
  else {
    if (operation_id !== null && state === 'done')
      await undoOrRedo(writing, { ...engineOf(app), accessOf: () => undefined }, operation_id, 'undo')
    const last = sql`coalesce((select max(m.created_at) from ticket_messages m where m.ticket_id = r.id and ${isSaid}), r.created_at)`
    await touchRecords({ db }, ticketKind, ticket_id, { last_message_at: last }, { keepsVersion: true })
  }
  changed('ticket', [ticket_id])
}
