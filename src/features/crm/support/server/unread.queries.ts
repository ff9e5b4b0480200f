import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { seesAllOrganizations } from '#features/crm/organizations/server/product-sets.queries.ts'
import { ofProducts } from '#features/crm/support/server/filters.ts'
import { firstWords, startOfMessage } from '#features/crm/support/server/ticket-rows.ts'
import type { Db } from '#server/db/db.ts'
import { cachedCountRow } from '#server/record/counted.ts'

const shownInBell = 50
/** Returns the unread tickets that the bell counts (docs/spec-gaps.md G120). */
export async function findUnread(db: Db, reader: Viewer) {
  const viewer = { ...reader, seesAllOrganizations: await seesAllOrganizations(db, reader) }
  // A viewer's own request counts as unread only for other viewers.
  const where = sql`t.unread_message_id is not null and t.deleted_at is null and t.spam_reason is null and t.staff_id is distinct from ${viewer.id} and ${ofProducts('t', viewer)}`
  const [listed, counted] = await Promise.all([
    sql<{
      id: number
      title: string
      created_at: string
      st_id: number
      organization_id: number
      who: string
      organization: string | null
      words: string
    }>`select t.unread_message_id as id, t.title,
        t.last_message_at as created_at, t.id as st_id, coalesce(t.organization_id, 0) as organization_id,
        coalesce(s.name, nullif(u.name, ''), nullif(m.sender_name, ''), m.sender_email::text, 'Someone') as who,
        o.name as organization, ${startOfMessage} as words
      from tickets t join ticket_messages m on m.id = t.unread_message_id
        left join staff s on s.id = m.staff_id left join customer_users u on u.id = m.customer_user_id
        left join organizations o on o.organization_id = t.organization_id
      where ${where} order by t.unread_message_id desc limit ${shownInBell}`.execute(db),
    cachedCountRow(
      db,
      sql<{ total: number }>`select count(*) as total from tickets t where ${where}`.compile(db),
    ),
  ])
  const unread_tickets = listed.rows.map(({ words, ...ticket }) => ({ ...ticket, words: firstWords(words) }))
  return { ticket_count: counted.total, unread_tickets }
}
