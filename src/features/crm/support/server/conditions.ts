import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { settledStatuses } from '#features/crm/support/rules.ts'

/* Conditions on tickets `t` and messages `m`, without the filters of a list. */

// As literals, so that partial indexes can be used.
const settled = sql.join(settledStatuses.map((status) => sql.lit(status)))
/** Neither resolved nor closed. */
export const isOpen = sql`t.status not in (${settled})`

/** Other tickets are linked to it, so that it is an incident. */
export const hasLinked = sql`exists (select from tickets p
  where p.incident_id = t.id and p.deleted_at is null and p.merged_into is null)`

/** SQL expression on `m`: whether the message is part of the conversation; an undone reply is not. */
export const isSaid = sql<boolean>`not exists (select from mails off where off.id = m.mail_id and off.called_off_at is not null)`

/**
 * Whether the requester of `t` wrote `m`. What an admin user wrote down for someone without an account stays theirs when
 * their address is corrected, but not in a ticket of someone else into which theirs was merged; the name that an email
 * gives proves nothing.
 */
export const isOfRequester = sql<boolean>`(m.customer_user_id = t.customer_user_id or m.staff_id = t.staff_id or m.sender_email = t.sender_email
  or coalesce(m.customer_user_id, m.staff_id) is null
    and (m.written_in is null or have_same_requester(m.written_in, m.ticket_id)) and (m.sender_email is null
    or m.sender_name <> '' and m.sender_name = t.sender_name and m.message_id is null
      and not exists (select from received_mails e where e.ticket_message_id = m.id)))`

/** Whether an admin user snoozed the ticket. */
export const isSnoozed = ({ id }: Viewer) => sql`exists (select from ticket_snoozes z where z.ticket_id = t.id
  and z.staff_id = ${id} and (z.until is null or z.until > now()))`

/**
 * Whether a ticket is unread for an admin user (docs/product.md, “Queues of tickets”). One that is resolved or closed
 * is only for those who marked it, its assignee, and its followers.
 */
export const isUnread = ({
  id,
}: Viewer) => sql<boolean>`(exists (select from ticket_unread x where x.ticket_id = t.id
  and x.staff_id = ${id} and x.answered_at is null) and ${staysUnread(id)})`

/** The same as a condition of a list, which begins with the few unread tickets. */
export const isAmongUnread = ({
  id,
}: Viewer) => sql<boolean>`(t.id in (select x.ticket_id from ticket_unread x
  where x.staff_id = ${id} and x.answered_at is null) and ${staysUnread(id)})`

const staysUnread = (staff_id: number) => sql`(${isOpen} or t.assignee_id is not distinct from ${staff_id}
  or exists (select from ticket_unread k where k.ticket_id = t.id and k.staff_id = ${staff_id} and k.is_marked)
  or exists (select from ticket_followers f where f.ticket_id = t.id and f.staff_id = ${staff_id}))`
