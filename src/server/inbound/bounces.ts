import { sql, type Transaction } from 'kysely'
import { truncate } from '#shared/truncate.ts'
import type { Database } from '#server/db/db.ts'
import type { App } from '#server/app.ts'
import type { EmailReport, ReportedRecipient } from '#server/inbound/email.ts'
import type { Receiving } from '#server/inbound/inbox.ts'

/** Number of soft bounces that mark an address. */
const mostSoft = 3

/**
 * Notes what a mail server reports about the recipients of one of our emails. A report about anything else is
 * ignored, because anyone can send one.
 */
export async function keepReport(
  app: App,
  context: Receiving,
  report: EmailReport,
  mail_id: number | null,
): Promise<void> {
  if (mail_id === null) return
  const { db, changed, afterCommit } = context
  const sent = await db
    .selectFrom('mail_recipients')
    .select('address')
    .where('mail_id', '=', mail_id)
    .where('address', '=', sql<string>`any(${report.recipients.map(({ address }) => address)}::citext[])`)
    .execute()
  const addresses = new Set(sent.map(({ address }) => address.toLowerCase()))
  for (const one of report.recipients.filter(({ address }) => addresses.has(address))) {
    await noteBounce(db, { ...one, mail_id })
    if (one.kind === 'complaint') await unsubscribe(app, context, one.address)
    else for (const action of await app.mail.delivery.bounced(db, { ...one, mail_id })) afterCommit(action)
  }
  if (addresses.size) changed('mails', [mail_id])
}

async function unsubscribe(app: App, { db, audit, changed }: Receiving, address: string): Promise<void> {
  const { mails, changes } = await app.mail.unsubscribing.unsubscribe(db, address, undefined)
  if (mails.length) changed('mails', mails)
  for (const change of changes) {
    audit(change)
    changed(change.target, [change.id])
  }
}

/** Counts a bounce; a hard one marks the address immediately, soft ones at the third. */
export async function noteBounce(
  db: Transaction<Database>,
  { address, kind, error, mail_id }: ReportedRecipient & { mail_id: number },
): Promise<void> {
  const soft = kind === 'soft' ? 1 : 0
  await sql`
    insert into bounced_addresses as b (address, soft_count, marked_at, kind, error, last_at, mail_id)
    values (${address}, ${soft}, ${kind === 'hard' ? sql`now()` : null}, ${kind}, ${truncate(error, 1000)}, now(), ${mail_id})
    on conflict (address) do update set soft_count = b.soft_count + ${soft}, kind = excluded.kind, error = excluded.error, last_at = now(), mail_id = excluded.mail_id,
      marked_at = coalesce(b.marked_at, case when excluded.kind = 'hard' or b.soft_count + ${soft} >= ${sql.lit(mostSoft)} then now() end)`.execute(
    db,
  )
}
