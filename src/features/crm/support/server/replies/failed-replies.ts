import { sql } from 'kysely'
import { explainFailure } from '#shared/delivery.ts'
import type { App } from '#server/app.ts'

/** SQL condition on a ticket `t`: the email of its last emailed reply was not delivered. */
export const lastReplyFailed = sql<boolean>`exists (select from ticket_messages m join mail_recipients r on r.mail_id = m.mail_id
  where m.ticket_id = t.id and r.state = 'failed' and not exists (select from ticket_messages n
    where n.ticket_id = m.ticket_id and n.mail_id is not null and n.id > m.id))`

/** The same condition for a filter, which reads the failed recipients first, because they are few. */
export const isOfFailedReply = sql<boolean>`t.id in (select m.ticket_id from mail_recipients r
  join ticket_messages m on m.mail_id = r.mail_id where r.state = 'failed' and not exists (select from ticket_messages n
    where n.ticket_id = m.ticket_id and n.mail_id is not null and n.id > m.id))`

/** Notifies the author of a reply when its delivery finally failed, and refreshes the pages of the ticket. */
export function watchFailedReplies({ mail, live }: Pick<App, 'mail' | 'live'>): void {
  mail.delivery.onFailed('ticket', async (db, { mail_id, address, error }) => {
    const words = `Your reply to ${address} wasn’t delivered. ${explainFailure(error)}`
    const { rows } = await sql<{ ticket_id: number; staff_id: number | null }>`
      with reply as (
        select m.id, m.ticket_id, m.staff_id, t.title from ticket_messages m join tickets t on t.id = m.ticket_id
        where m.mail_id = ${mail_id} and m.sent_by_admin
      ), old as (
        delete from notices n using reply where n.kind = 'email_failed' and n.staff_id = reply.staff_id
          and n.record_type = 'ticket' and n.record_id = reply.ticket_id and n.anchor = 'message-' || reply.id
      )
      select ticket_id, staff_id from reply`.execute(db)
    const [reply] = rows
    if (!reply) return undefined
    const { ticket_id, staff_id } = reply
    // In a separate statement, which sees that the notice of an earlier failure was deleted.
    await sql`insert into notices (kind, staff_id, by_staff_id, record_type, record_id, anchor, title, words)
      select 'email_failed', m.staff_id, m.staff_id, 'ticket', t.id, 'message-' || m.id, left(t.title, 300), left(${words}, 500)
      from ticket_messages m join tickets t on t.id = m.ticket_id where m.mail_id = ${mail_id} and m.staff_id is not null
        and not exists (select from muted_records u where u.staff_id = m.staff_id and u.record_type = 'ticket' and u.record_id = t.id)`.execute(
      db,
    )
    return () => {
      live.changed('ticket', [ticket_id], null)
      if (staff_id !== null) live.publish(`private-staff.${staff_id}`, 'notices', {})
    }
  })
}
