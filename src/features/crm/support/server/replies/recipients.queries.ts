import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { isAddress } from '#shared/recipients.ts'
import type { BulkRecipient } from '#features/crm/support/bulk-reply.contract.ts'
import { ofProducts } from '#features/crm/support/server/filters.ts'
import { joins, requester } from '#features/crm/support/server/ticket-rows.ts'
import type { Db } from '#server/db/db.ts'
import { isBounced } from '#server/mail/bounced.ts'

/* Tickets as recipients of one answer to several. */

/** Columns of a recipient, over tickets `t` with `joins`. */
export const recipientColumns = sql`t.id, t.title, coalesce(t.organization_id, 0) as org_id, t.status,
  o.name as organization, ${requester} as requester, requester_address(t.id) as email,
  u.banned_at is not null as banned, ${isBounced(sql`requester_address(t.id)`)} as bounced`
export type RecipientRow = Omit<BulkRecipient, 'why'> & Reached

interface Reached {
  email: string | null
  banned: boolean
  bounced: boolean
}

/** Returns why a reply doesn't reach the requester of a ticket; null if it does. */
export function whyNotReached({
  banned,
  email,
  bounced,
}: Reached): 'banned' | 'no address' | 'bounced' | null {
  if (banned) return 'banned'
  if (email === null || !isAddress(email)) return 'no address'
  return bounced ? 'bounced' : null
}

/** Returns those of the tickets that the viewer can see, also merged ones and those in the trash, by number. */
export async function findRecipients(
  db: Db,
  ids: readonly number[],
  viewer: Viewer,
): Promise<BulkRecipient[]> {
  const { rows } = await sql<RecipientRow & { is_merged: boolean; in_trash: boolean }>`
    select ${recipientColumns}, t.merged_into is not null as is_merged, t.deleted_at is not null as in_trash
    from tickets t ${joins} where t.id = any(${[...ids]}::int[]) and ${ofProducts('t', viewer)} order by t.id`.execute(
    db,
  )
  return rows.map((row) => {
    const { banned: _, bounced: _bounced, is_merged, in_trash, ...ticket } = row
    return { ...ticket, why: in_trash ? 'in trash' : is_merged ? 'merged' : whyNotReached(row) }
  })
}
