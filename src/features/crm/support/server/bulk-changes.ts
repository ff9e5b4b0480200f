import type { TicketBulkChange } from '#features/crm/support/desk.contract.ts'
import type { Row } from '#server/record/rows.ts'

/** A bulk change as it is stored with its operation. */
export type StoredChange = TicketBulkChange & {
  /** Why tickets are spam that no rule marked. */
  reason?: string
  /** The assignee of each ticket that is distributed. */
  turns?: Readonly<Record<number, number>>
}

/** Returns the columns and tags that a bulk change sets on a ticket. */
export function patchOfTicket(
  change: StoredChange,
  ticket: { id: number; tag_ids: number[]; spam_reason: string | null },
): Row {
  if (change.kind === 'distribute') return { assignee_id: change.turns?.[ticket.id] ?? null }
  if (change.kind === 'spam')
    // A reason that a rule gave stays.
    return { spam_reason: change.spam ? (ticket.spam_reason ?? change.reason ?? '') : null }
  if (change.kind !== 'tags') {
    const { kind: _, reason: _reason, turns: _turns, ...values } = change
    return values
  }
  const others = ticket.tag_ids.filter((id) => id !== change.tag_id)
  return { tag_ids: change.add ? [...others, change.tag_id] : others }
}
