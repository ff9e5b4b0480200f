import { sql } from 'kysely'
import { isAddress } from '#shared/recipients.ts'
import { findConfirmsTickets } from '#features/admin/settings/server/panel-settings.queries.ts'
import { findRequester, ticketValues } from '#features/crm/support/server/replies/reply-email.ts'
import type { App } from '#server/app.ts'
import type { Writing } from '#server/record/rows.ts'

/**
 * One address gets at most this many confirmations per hour, so that a machine that answers them without saying
 * that it is one can't keep the panel busy.
 */
const mostPerHour = 3

/**
 * Confirms a customer's new ticket with its number, if the settings say so. Emails of machines and of mailing lists
 * get none.
 * @param email the email that opened the ticket
 */
export async function confirmReceipt(
  app: App,
  { db, audit }: Pick<Writing, 'db' | 'audit'>,
  id: number,
  email?: { id: number; message_id: string },
): Promise<void> {
  if (!(await findConfirmsTickets(db))) return
  if (email && (await kindOfEmail(db, email.id)) !== 'message') return
  const { email: to, first_name, product_id } = await findRequester(db, id)
  if (to === null || !isAddress(to) || (await countRecent(app, db, to)) >= mostPerHour) return
  const { title, reply_token } = await db
    .selectFrom('tickets')
    .select(['title', 'reply_token'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const about = { product_id: product_id ?? undefined }
  const { reply: _reply, ...values } = ticketValues({ id, title, message: '' }, first_name)
  await app.mail.queue(db, {
    kind: 'ticket-received',
    to: [to],
    ...(await app.mail.write(db, 'ticket-received', values, about)),
    ...about,
    record: { type: 'ticket', id },
    reply_token,
    ...(email ? { in_reply_to: email.message_id, references: [email.message_id] } : {}),
    is_automatic: true,
  })
  audit({ target: 'ticket', id, automatic: 'Sent a confirmation', after: { address: to } })
}

async function kindOfEmail(db: Writing['db'], id: number): Promise<string | undefined> {
  const row = await db.selectFrom('received_mails').select('kind').where('id', '=', id).executeTakeFirst()
  return row?.kind
}

async function countRecent({ clock }: App, db: Writing['db'], address: string): Promise<number> {
  const since = new Date(clock.now().getTime() - 3_600_000).toISOString()
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from mails m
    join mail_recipients r on r.mail_id = m.id and r.address = ${address}
    where m.is_automatic and m.kind = 'ticket-received' and m.created_at >= ${since}`.execute(db)
  return rows[0]!.count
}
