import { sql, type RawBuilder } from 'kysely'
import { can } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { selectOf } from '#shared/field.ts'
import { truncate } from '#shared/truncate.ts'
import type { TicketRow } from '#features/crm/support/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { lastReplyFailed } from '#features/crm/support/server/replies/failed-replies.ts'
import { isSaid, isUnread } from '#features/crm/support/server/conditions.ts'
import { ofProducts } from '#features/crm/support/server/filters.ts'
import { textOf } from '#server/html/html-clean.ts'

/* The columns of a ticket's row in replies, over tickets `t`. */

/** Number of characters of a message that its first words are taken from, with tags. */
const mostRead = 2000
/** SQL for the start of a message `m`, from which `firstWords` reads: after the styles of an email. */
export const startOfMessage = sql`left(case when m.is_foreign then coalesce(nullif(split_part(m.message, '</style>', -1), ''), m.message)
  else m.message end, ${sql.lit(mostRead)})`
const mostWords = 140

export const requester = sql.raw(`coalesce(nullif(u.name, ''), s.name, nullif(t.sender_name, ''),
  t.sender_email::text, '')`)
export const rowColumns = sql`t.id, ${sql.raw(selectOf(ticketFields, 't').join(', '))}, coalesce(t.organization_id, 0) as org_id, o.name as organization, coalesce(t.customer_user_id, 0) as user_id,
  ${requester} as requester, t.staff_id, a.name as assignee, array(select k.tag_id from ticket_tag_links k where k.ticket_id = t.id order by k.tag_id) as tag_ids, case when t.list_id is null then 0 else t.id end as card_id, (t.list_id is not null)::int as add_trello,
  t.unread_message_id is not null as unread, ${lastReplyFailed} as email_failed, t.last_message_at, t.created_at, t.version`
export const joins =
  sql.raw(`left join organizations o on o.organization_id = t.organization_id left join customer_users u on u.id = t.customer_user_id
  left join staff s on s.id = t.staff_id left join staff a on a.id = t.assignee_id`)

/** A row as selected: `last_words` is the whole last message, as HTML. */
export type SelectedRow = TicketRow

/** Selects the rows of tickets for a viewer from `source`, a subquery or a table; `more` are further columns. */
export const selectRows = (viewer: Viewer, source: RawBuilder<unknown>, more: RawBuilder<unknown> = sql``) =>
  sql`select ${rowColumns}, ${ofViewer(viewer)}, ${ofTarget}${more} from ${source} t ${joins} ${lastMessage(viewer)} ${target}
    left join ticket_snoozes z on z.ticket_id = t.id and z.staff_id = ${viewer.id}`

const ofViewer = (viewer: Viewer) => sql`${ofIncident(viewer)}, ${ofQueues(viewer)}`

/** The incident of a ticket, and how many tickets are linked to it, for viewers who can open tickets. */
const ofIncident = (viewer: Viewer) =>
  can(viewer, 'all_tickets_view')
    ? sql`t.incident_id, (select count(*)::int from tickets linked where linked.incident_id = t.id
        and linked.deleted_at is null and linked.merged_into is null and ${ofProducts('linked', viewer)}) as linked_count`
    : sql`null::int as incident_id, 0 as linked_count`

const ofQueues = (viewer: Viewer) => sql`${isUnread(viewer)} as is_new,
  exists (select from ticket_followers f where f.ticket_id = t.id and f.staff_id = ${viewer.id}) as is_followed,
  z.ticket_id is not null and (z.until is null or z.until > now()) as is_snoozed, z.until as snoozed_until,
  coalesce(l.sent_by_admin, false) as last_by_admin, coalesce(l.who, '') as last_who, coalesce(l.message, '') as last_words`

const ofTarget = sql`k.kind as target_kind, k.due_at as target_due_at, k.seconds_left as target_seconds_left`
/** The service target that ends first, of those that run or are paused. */
const target = sql`left join lateral (select c.kind, c.due_at, c.seconds_left from ticket_clocks c
    where c.ticket_id = t.id and c.ended_at is null and c.minutes is not null order by c.due_at nulls last limit 1) k on true`

const lastMessage = ({ id }: Viewer) => sql`left join lateral (
    select m.sent_by_admin, ${startOfMessage} as message,
      case when m.staff_id = ${id} then 'You' else coalesce(w.name, nullif(c.name, ''), nullif(m.sender_name, ''), m.sender_email::text, '') end as who
    from ticket_messages m left join staff w on w.id = m.staff_id left join customer_users c on c.id = m.customer_user_id
    where m.ticket_id = t.id and ${isSaid} order by m.id desc limit 1) l on true`

/** Replaces the last message of a row by its first words. Copying the row would take longer than everything else here. */
export function withWords<Row extends TicketRow>(row: Row): Row {
  row.last_words = firstWords(row.last_words)
  return row
}

/** Returns the first words of a message that may be cut within a tag. */
export const firstWords = (html: string): string =>
  truncate(
    textOf(html.replaceAll(/<(style|title)\b[^>]*>.*?(?:<\/\1>|$)/gis, '').replace(/<[^>]*$/, ''))
      .replaceAll(/\s+/g, ' ')
      .trim(),
    mostWords,
  )
