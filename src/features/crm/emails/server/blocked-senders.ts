import { unsorted } from '#features/crm/emails/contract.ts'
import { lockEmail } from '#features/crm/emails/server/unsorted.queries.ts'
import { isReturnable, returnEmail, settle } from '#features/crm/emails/server/unsorted.routes.ts'
import { findUsersWith } from '#features/crm/users/server/user-addresses.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { findOwnAddresses } from '#server/inbound/own-addresses.ts'

/* Senders whose emails are put under Spam. None is deleted, and what answers a conversation arrives there. */

/** Returns why the emails of a sender are spam; undefined if they aren't. */
export async function findBlock(db: Db, address: string): Promise<string | undefined> {
  const block = await db
    .selectFrom('blocked_senders as b')
    .leftJoin('staff as s', 's.id', 'b.blocked_by')
    .select('s.name')
    .where('b.address', '=', address)
    .executeTakeFirst()
  return block && `Sender blocked by ${block.name ?? 'System'}`
}

const listBlocked: Handler<typeof unsorted.blocked> = async (_input, { db }) => ({
  data: await db
    .selectFrom('blocked_senders as b')
    .leftJoin('staff as s', 's.id', 'b.blocked_by')
    .select(['b.address', 'b.blocked_at', 's.name as blocked_by'])
    .orderBy('b.blocked_at', 'desc')
    .orderBy('b.address')
    .limit(1000)
    .execute(),
})

const blockSender: Handler<typeof unsorted.block> = async ({ params: { id } }, context) => {
  const { app, db, viewer, audit } = context
  const mail = await lockEmail(app, db, viewer, id)
  const { from_address: address, record_type, state } = mail
  if (record_type !== null) throw conflict('Someone has already filed this email.')
  if (address === '') throw conflict('This email has no sender.')
  const isOwn = await findOwnAddresses(db, app.settings)
  if (isOwn(address)) throw conflict(`${address} is an address of this panel.`)
  if ((await findUsersWith(db, address)).length > 0)
    throw conflict(`${address} is the address of a user. Ban the user instead.`)
  await db
    .insertInto('blocked_senders')
    .values({ address, blocked_by: viewer.id })
    .onConflict((on) => on.doNothing())
    .execute()
  audit({ target: 'received_mail', id, before: { blocked_sender: null }, after: { blocked_sender: address } })
  if (state === 'unsorted') await settle(context, mail, 'spam')
  await db
    .updateTable('received_mails')
    .set({ spam_reason: (await findBlock(db, address)) ?? '' })
    .where('id', '=', id)
    .where('state', '=', 'spam')
    .execute()
  return { message: `${address} blocked. New emails from this sender will be under Spam.` }
}

const unblockSender: Handler<typeof unsorted.unblock> = async ({ body: { address, return_id } }, context) => {
  const { app, db, viewer, audit, changed } = context
  const { numDeletedRows } = await db
    .deleteFrom('blocked_senders')
    .where('address', '=', address)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('This sender isn’t blocked anymore.')
  const id = return_id ?? 0
  audit({ target: 'received_mail', id, before: { blocked_sender: address }, after: { blocked_sender: null } })
  changed('received-mails', [id])
  if (return_id === undefined) return { message: `${address} unblocked.` }
  const mail = await lockEmail(app, db, viewer, return_id)
  if (isReturnable(mail)) await returnEmail(context, mail)
  return { message: `${address} unblocked, and the email returned to Unsorted.` }
}

export function blockedSenderRoutes(app: App): void {
  implement(app, unsorted.blocked, listBlocked)
  implement(app, unsorted.block, blockSender)
  implement(app, unsorted.unblock, unblockSender)
}
