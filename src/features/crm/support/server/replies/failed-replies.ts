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

/** Notifies the author of a reply or a forward when its delivery finally failed, and refreshes the pages of the ticket. */
export function watchFailedReplies({ mail, live }: Pick<App, 'mail' | 'live'>): void {
  mail.delivery.onFailed('ticket', async (db, { mail_id, address, error }) => {
    const { rows } = await sql<{ ticket_id: number; staff_id: number | null; anchor: string; what: string }>`
      with sent as (
        select m.ticket_id, m.staff_id, 'message-' || m.id as anchor, 'reply' as what from ticket_messages m
          where m.mail_id = ${mail_id} and m.sent_by_admin
        union all select m.ticket_id, f.staff_id, 'forward-' || f.id, 'forwarded message'
          from ticket_forwards f join ticket_messages m on m.id = f.message_id where f.mail_id = ${mail_id}
      ), old as (
        delete from notices n using sent where n.kind = 'email_failed' and n.staff_id = sent.staff_id
          and n.record_type = 'ticket' and n.record_id = sent.ticket_id and n.anchor = sent.anchor
      )
      select * from sent`.execute(db)
    const [sent] = rows
    if (!sent) return undefined
    const { ticket_id, staff_id, anchor, what } = sent
    const words = `Your ${what} to ${address} wasn’t delivered. ${explainFailure(error)}`
    // In a separate statement, which sees that the notice of an earlier failure was deleted.
    await sql`insert into notices (kind, staff_id, by_staff_id, record_type, record_id, anchor, title, words)
      select 'email_failed', s.id, s.id, 'ticket', t.id, ${anchor}, left(t.title, 300), left(${words}, 500)
      from tickets t join staff s on s.id = ${staff_id} where t.id = ${ticket_id}
        and not exists (select from muted_records u where u.staff_id = s.id and u.record_type = 'ticket' and u.record_id = t.id)`.execute(
      db,
    )
    return () => {
      live.changed('ticket', [ticket_id], null)
      if (staff_id !== null) live.publish(`private-staff.${staff_id}`, 'notices', {})
    }
  })
}
