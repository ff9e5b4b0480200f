import type { TicketMessage } from '#features/crm/support/contract.ts'
import { findBannedAddresses } from '#features/crm/organizations/server/organizations.queries.ts'
import type { Db } from '#server/db/db.ts'
import { mostPeople } from '#shared/record-mail.contract.ts'

/**
 * Returns who gets a copy of the next reply to a ticket: the people in the emails of its requester and of those who
 * got a copy before, until the author of a reply removes them. Anyone else who wrote, such as someone to whom a message
 * was forwarded, isn't copied.
 */
export async function findKeptCc(
  db: Db,
  ticket_id: number,
  requester: string | null,
  messages: readonly Pick<TicketMessage, 'id' | 'sent_by_admin' | 'author' | 'author_email' | 'others'>[],
): Promise<string[]> {
  if (requester === null || messages.every(({ others }) => others.length === 0)) return []
  // Replies to several tickets, and older ones, say nothing about it.
  const chosen = await db
    .selectFrom('ticket_messages')
    .innerJoin('mails', 'mails.id', 'mail_id')
    .where('ticket_id', '=', ticket_id)
    .where('is_open', '=', true)
    .select('ticket_messages.id')
    .execute()
  const isChosen = new Set(chosen.map(({ id }) => id))
  let kept: string[] = []
  for (const { id, sent_by_admin, author, author_email, others } of messages)
    if (sent_by_admin) kept = isChosen.has(id) ? others : kept
    else if (author === 'requester' || kept.includes(author_email?.toLowerCase() ?? ''))
      kept = [...new Set([...kept, ...others])]
  const banned = await findBannedAddresses(db, kept)
  const left = new Set([requester.toLowerCase(), ...banned])
  return kept.filter((address) => !left.has(address.toLowerCase())).slice(0, mostPeople)
}
