import { ticketForwards } from '#features/crm/support/forwards.contract.ts'
import { demandNotBanned } from '#features/crm/organizations/server/organizations.queries.ts'
import { isSaid } from '#features/crm/support/server/conditions.ts'
import { lockUnmerged } from '#features/crm/support/server/merge/lock-unmerged.ts'
import { writeForward } from '#features/crm/support/server/replies/forward-email.ts'
import type { App, Handler } from '#server/app.ts'
import type { Db } from '#server/db/db.ts'
import { attachFiles } from '#server/files/record-files.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
import { cleanHtml } from '#server/html/html-clean.ts'
import { emailOfStaff } from '#server/mail/personal-mail.ts'
import { findMailRules } from '#server/mail/rules.ts'

const forward: Handler<typeof ticketForwards.forward> = async (
  { params: { ticket: id, message: message_id }, body: { to, content: unclean, file_ids = [] } },
  context,
) => {
  const { app, db, viewer, audit, changed } = context
  const { title } = await lockUnmerged(db, id, viewer)
  await demandMessage(db, id, message_id)
  await demandFilesOf(db, message_id, file_ids)
  await demandNotBanned(db, { to })
  const content = cleanHtml(unclean, 'content')
  const { undo_seconds } = await findMailRules(db)
  const mail_id = await app.mail.queue(db, {
    kind: 'ticket-forward',
    to,
    // Every recipient sees the others.
    cc: [],
    ...(await writeForward(context, { id, title, message_id, content, file_ids })),
    reply_to: await emailOfStaff(db, viewer.id),
    record: { type: 'ticket', id },
    sendAfterSeconds: undo_seconds,
  })
  await attachFiles(app.files, context, { file_ids }, { type: 'mail', id: mail_id })
  const { id: forward_id } = await db
    .insertInto('ticket_forwards')
    .values({ message_id, mail_id, staff_id: viewer.id, content })
    .returning('id')
    .executeTakeFirstOrThrow()
  audit({ target: 'ticket', id, after: { forwarded_to: to.join(', ') } })
  changed('ticket', [id])
  changed('mails', [mail_id])
  return {
    message: app.mail.isOn
      ? `Forwarding the message to ${to.length === 1 ? to[0] : `${to.length} people`}.`
      : 'The forwarded message is in the outbox. It will be sent once email is set up.',
    data: { id: forward_id, mail_id, undo_seconds },
  }
}

/** @throws HttpError 404 if the ticket doesn't have the message, or if it was undone. */
async function demandMessage(db: Db, ticket_id: number, id: number): Promise<void> {
  const message = await db
    .selectFrom('ticket_messages as m')
    .select('m.id')
    .where('m.id', '=', id)
    .where('m.ticket_id', '=', ticket_id)
    .where(isSaid)
    .executeTakeFirst()
  if (!message) throw notFound('Message not found.')
}

/** @throws HttpError 422 at `file_ids.N` for a file that the message doesn't have. */
async function demandFilesOf(db: Db, message_id: number, file_ids: readonly number[]): Promise<void> {
  const links = await db
    .selectFrom('file_links')
    .select('file_id')
    .where('record_type', '=', 'ticket_message')
    .where('record_id', '=', message_id)
    .where('deleted_at', 'is', null)
    .execute()
  const own = new Set(links.map(({ file_id }) => file_id))
  const wrong = file_ids.findIndex((id) => !own.has(id))
  if (wrong !== -1) throw invalid(`file_ids.${wrong}`, 'Choose files of this message.')
}

export function forwardRoutes(app: App): void {
  app.mail.control.onCancel('ticket', async ({ db, changed }, mail_id) => {
    const { ticket_id } =
      (await db
        .selectFrom('ticket_forwards as f')
        .innerJoin('ticket_messages as m', 'm.id', 'f.message_id')
        .select('m.ticket_id')
        .where('f.mail_id', '=', mail_id)
        .executeTakeFirst()) ?? {}
    if (ticket_id !== undefined) changed('ticket', [ticket_id])
  })
  implement(app, ticketForwards.forward, forward)
}
