import { sql } from 'kysely'
import type { TicketForward } from '#features/crm/support/ticket-forward.contract.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Db } from '#server/db/db.ts'
import { filesOf } from '#server/files/record-files.ts'
import type { Links } from '#server/files/signed-links.ts'

/** Returns the forwarded messages of a ticket, oldest first, without those whose sending was undone. */
export async function findForwards(
  db: Db,
  ticket_id: number,
  viewer: Viewer,
  links: Links,
): Promise<TicketForward[]> {
  const { rows } = await sql<Omit<TicketForward, 'attachments'>>`
    select f.id, f.message_id, s.name as who, s.role_id, s.picture, f.content, f.created_at, f.mail_id,
      (select ceil(extract(epoch from max(r.next_try_at) - now()))::int from mail_recipients r
        where r.mail_id = f.mail_id and f.staff_id = ${viewer.id}
        having bool_and(r.state = 'held') and max(r.next_try_at) > now()) as undo_seconds,
      (select json_agg(json_build_object('address', r.address, 'state', r.state,
          'error', case when r.state <> 'sent' then r.last_error end) order by r.id)
        from mail_recipients r where r.mail_id = f.mail_id) as recipients
    from ticket_forwards f join ticket_messages m on m.id = f.message_id join staff s on s.id = f.staff_id
      join mails a on a.id = f.mail_id
    where m.ticket_id = ${ticket_id} and a.called_off_at is null order by f.id`.execute(db)
  const files = await filesOf(
    db,
    'mail',
    rows.map(({ mail_id }) => mail_id),
    links,
  )
  return rows.map((row) => ({ ...row, attachments: files.get(row.mail_id) ?? [] }))
}
