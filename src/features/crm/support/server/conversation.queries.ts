import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { RecordFile } from '#shared/files.ts'
import type { TicketMessage } from '#features/crm/support/contract.ts'
import type { TicketComment } from '#features/crm/support/ticket-comment.contract.ts'
import { isOfRequester, isSaid } from '#features/crm/support/server/conditions.ts'
import { ofProducts } from '#features/crm/support/server/filters.ts'
import { ratingOfMessage } from '#features/crm/support/server/report/ratings.queries.ts'
import type { Db } from '#server/db/db.ts'
import { filesOf } from '#server/files/record-files.ts'
import type { Links } from '#server/files/signed-links.ts'

export const pictureAddress = (name: string | null) =>
  name === null ? null : `/api/admin/users/profile-picture/${name}`
export const storageUrls = {
  storage_url_attachments: '/api/files/',
  storage_url_profile_images: '/api/admin/users/profile-picture/',
}

const withPath = (file: RecordFile) => ({ ...file, path: file.url })

/** SQL expression on message `m` of ticket `t`: whether its requester, another sender, or an admin user wrote it. */
const author = sql<TicketMessage['author']>`case when m.sent_by_admin then 'staff'
  when ${isOfRequester} then 'requester'
  else 'other' end`

/**
 * Returns a ticket's messages, oldest first.
 * @param isOwn whether an address is one of the panel's own, which are not among the others of a message
 */
export async function findMessages(
  db: Db,
  ticket_id: number,
  viewer: Viewer,
  links: Links,
  isOwn: (address: string) => boolean,
): Promise<TicketMessage[]> {
  const { rows } = await sql<
    Omit<TicketMessage, 'attachments' | 'mail' | 'user_logo'> & {
      picture: string | null
      mail_id: number
      state: string
      undo_seconds: number | null
      sent_with: NonNullable<TicketMessage['mail']>['sent_with']
      error: string | null
    }
  >`select m.id, m.sent_by_admin, ${author} as author, case when m.sent_by_admin then s.role_id end as author_role, m.customer_user_id as user_id,
      case when ${author} = 'other' then coalesce(m.sender_email, u.email)::text end as author_email,
      ${author} = 'other' and m.sender_email is not null and m.customer_user_id is null and t.customer_user_id is not null
        and not exists (select from received_mails e where e.ticket_message_id = m.id and e.was_checked and e.verified_by is null)
        as can_be_requesters,
      case when not m.sent_by_admin and m.staff_id is null and m.message_id is null
          and not exists (select from received_mails e where e.ticket_message_id = m.id)
        then (select w.name from staff w where w.id = t.created_by) end as recorded_by,
      (select json_build_object('verified', e.verified_by is not null, 'banned', e.state = 'banned') from received_mails e
        where e.ticket_message_id = m.id limit 1) as sender,
      coalesce(case when m.sent_by_admin then (select array_agg(q.address::text order by q.id) from mail_recipients q where q.mail_id = m.mail_id and q.is_cc)
        else (select e.other_addresses from received_mails e where e.ticket_message_id = m.id limit 1) end, '{}') as others,
      m.message, m.is_foreign, m.created_at, m.refused_files, s.picture, ${ratingOfMessage} as rating,
      coalesce(s.name, nullif(u.name, ''), nullif(m.sender_name, ''), m.sender_email::text, 'Someone') as who,
      m.mail_id, r.state, r.last_error as error,
      case when r.state = 'held' and a.staff_id = ${viewer.id} and r.next_try_at > now()
        then ceil(extract(epoch from r.next_try_at - now()))::int end as undo_seconds,
      (select jsonb_strip_nulls(jsonb_build_object('status', c.after -> 'status', 'customer_feedback', c.after -> 'customer_feedback', 'list_id', c.after -> 'list_id'))
        from record_changes c where c.operation_id = m.operation_id and c.record_type = 'ticket' and c.record_id = m.ticket_id) as sent_with
    from ticket_messages m join tickets t on t.id = m.ticket_id left join staff s on s.id = m.staff_id
      left join customer_users u on u.id = m.customer_user_id
      left join mails a on a.id = m.mail_id
      left join lateral (select q.state, q.next_try_at, q.last_error from mail_recipients q where q.mail_id = m.mail_id order by q.is_cc, q.id limit 1) r on true
    where m.ticket_id = ${ticket_id} and ${isSaid} order by m.id`.execute(db)
  const files = await filesOf(
    db,
    'ticket_message',
    rows.map(({ id }) => id),
    links,
  )
  return rows.map(({ picture, mail_id, state, undo_seconds, sent_with, error, ...message }) => ({
    ...message,
    others: message.others.filter((address) => !isOwn(address)),
    user_logo: pictureAddress(picture),
    attachments: (files.get(message.id) ?? []).map(withPath),
    mail:
      mail_id === null
        ? null
        : {
            id: mail_id,
            state: state ?? 'waiting',
            undo_seconds,
            sent_with: sent_with ?? {},
            error,
          },
  }))
}

/** Returns a ticket's internal notes, oldest first, or the one with the ID. */
export async function findComments(
  db: Db,
  ticket_id: number,
  links: Links,
  id?: number,
): Promise<TicketComment[]> {
  const { rows } = await sql<
    Omit<TicketComment, 'attachments'>
  >`select c.id, c.ticket_id, c.support_comment, c.lead_id, c.organization_id, c.message_id, c.created_at,
      c.created_by, c.edited_at, s.name as who,
      coalesce((select json_agg(json_build_object('id', p.id, 'name', p.name) order by p.id)
        from ticket_comment_tags g join staff p on p.id = g.staff_id where g.comment_id = c.id), '[]'::json) as tag_user
    from ticket_comments c join staff s on s.id = c.created_by
    where c.ticket_id = ${ticket_id} and c.deleted_at is null and ${id === undefined ? sql`true` : sql`c.id = ${id}`} order by c.id`.execute(
    db,
  )
  const files = await filesOf(
    db,
    'ticket_comment',
    rows.map((row) => row.id),
    links,
  )
  return rows.map((row) => ({ ...row, attachments: (files.get(row.id) ?? []).map(withPath) }))
}

/**
 * Returns a ticket's conversation for Task Details. Files have URLs only if `links` is given to sign them.
 */
export async function findConversation(db: Db, ticket_id: number, viewer: Viewer, links: Links | undefined) {
  const { rows } = await sql<{
    id: number
    sent_by_admin: boolean
    message: string
    created_at: string
  }>`select m.id, m.sent_by_admin, m.message, m.created_at
    from ticket_messages m join tickets t on t.id = m.ticket_id
    where m.ticket_id = ${ticket_id} and t.deleted_at is null and ${ofProducts('t', viewer)}
      and ${isSaid} order by m.id`.execute(db)
  const files = links
    ? await filesOf(
        db,
        'ticket_message',
        rows.map(({ id }) => id),
        links,
      )
    : new Map<number, RecordFile[]>()
  return rows.map(({ id, ...message }) => ({
    ...message,
    attachments: (files.get(id) ?? []).map(({ name, url }) => ({ name, path: url })),
  }))
}
