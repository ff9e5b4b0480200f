import { truncate } from '#shared/truncate.ts'
import { replySent } from '#features/crm/support/contract.ts'
import { requests } from '#features/crm/support/requests.contract.ts'
import { restingStatuses } from '#features/crm/support/rules.ts'
import { storageUrls } from '#features/crm/support/server/conversation.queries.ts'
import { findTickets, getTicket } from '#features/crm/support/server/support.queries.ts'
import { addMessage, recordCustomerMessage } from '#features/crm/support/server/changes.ts'
import { lockUnmerged } from '#features/crm/support/server/merge/lock-unmerged.ts'
import { HttpError, invalid, notFound } from '#server/http/errors.ts'
import { cleanHtml, imagesIn, textOf } from '#server/html/html-clean.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { linksFor } from '#server/files/signed-links.ts'

const showRequest: Handler<typeof requests.show> = async ({ params: { id, org } }, context) => {
  const data = await getTicket(context.db, id, org, context.viewer, linksFor(context)).catch(
    (error: unknown) => {
      throw error instanceof HttpError && error.status === 403 ? notFound('Ticket not found.') : error
    },
  )
  if (!data.is_own) throw notFound('Ticket not found.')
  return { data, ...storageUrls }
}

const replyToRequest: Handler<typeof requests.reply> = async ({ params: { id }, body }, context) => {
  const { app, db, viewer, audit, changed } = context
  const held = await lockUnmerged(db, id, viewer)
  if (held['staff_id'] !== viewer.id) throw notFound('Ticket not found.')
  const message = cleanHtml(body.message, 'message')
  if (textOf(message) === '' && !imagesIn(message).length) throw invalid('message', 'This field is required.')
  const values = { ticket_id: id, sent_by_admin: false, staff_id: viewer.id, message }
  const { message_id } = await addMessage(app, context, values, body.file_ids)
  await recordCustomerMessage(app, context, id, message_id, restingStatuses.includes(held.status))
  audit({ target: 'ticket', id, after: { message: truncate(textOf(message), 1000) } })
  changed('ticket', [id])
  return { message: replySent, data: { message_id } }
}

export function requestRoutes(app: App): void {
  implement(app, requests.list, ({ query }, { db, viewer }) => findTickets(db, query, viewer, true))
  implement(app, requests.show, showRequest)
  implement(app, requests.reply, replyToRequest)
}
