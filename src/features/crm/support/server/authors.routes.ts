import { ticketRequester } from '#features/crm/support/requester.contract.ts'
import { lockUnmerged } from '#features/crm/support/server/merge/lock-unmerged.ts'
import { addAddress, removeAddress } from '#features/crm/users/server/user-addresses.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { findOwnAddresses } from '#server/inbound/own-addresses.ts'
import { implement } from '#server/http/implement.ts'

/** Returns a message of a ticket that an email brought. */
const findEmail = (db: Db, ticket: number, message: number) =>
  db
    .selectFrom('ticket_messages as m')
    .leftJoin('received_mails as e', 'e.ticket_message_id', 'm.id')
    .select(['m.sender_email', 'm.customer_user_id', 'e.was_checked', 'e.verified_by'])
    .where('m.id', '=', message)
    .where('m.ticket_id', '=', ticket)
    .where('m.sent_by_admin', '=', false)
    .where('m.staff_id', 'is', null)
    .executeTakeFirst()

const setAuthor: Handler<typeof ticketRequester.setAuthor> = async (
  { params: { ticket, message }, body: { is_requester } },
  context,
) => {
  const { app, db, viewer, audit, changed } = context
  const { customer_user_id: user_id } = await lockUnmerged(db, ticket, viewer)
  const found = await findEmail(db, ticket, message)
  const address = found?.sender_email
  if (!found || !address) throw notFound('Email not found.')
  if (user_id === null) throw conflict('The requester of this ticket has no account.')
  if (is_requester) {
    if (found.customer_user_id !== null) throw conflict('This email is from someone else with an account.')
    if (found.was_checked && found.verified_by === null)
      throw conflict('The mail server couldn’t verify the sender of this email.')
    const isOwn = await findOwnAddresses(db, app.settings)
    if (isOwn(address) || !(await addAddress(context, { user_id, address })))
      throw conflict(`${address} is not an address of the requester.`)
  } else if (!(await removeAddress(context, { user_id, address })))
    throw conflict('The requester doesn’t have this address anymore.')
  await db
    .updateTable('ticket_messages')
    .set({ customer_user_id: is_requester ? user_id : null })
    .where('ticket_id', '=', ticket)
    .where('sender_email', '=', address)
    .where('customer_user_id', is_requester ? 'is' : '=', is_requester ? null : user_id)
    .where('staff_id', 'is', null)
    .execute()
  const said = { requesters_address: address }
  const none = { requesters_address: null }
  audit({
    target: 'ticket',
    id: ticket,
    before: is_requester ? none : said,
    after: is_requester ? said : none,
  })
  changed('ticket', [ticket])
  return {
    message: is_requester
      ? `${address} is now an address of the requester.`
      : `${address} is no longer an address of the requester.`,
  }
}

export function authorRoutes(app: App): void {
  implement(app, ticketRequester.setAuthor, setAuthor)
}
