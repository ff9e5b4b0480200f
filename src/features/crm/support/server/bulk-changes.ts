import type { TicketBulkChange } from '#features/crm/support/desk.contract.ts'
import type { Row } from '#server/record/rows.ts'

/** Returns the columns and tags that a bulk change sets on a ticket. */
export function patchOfTicket(change: TicketBulkChange, ticket: { tag_ids: number[] }): Row {
  if (change.kind !== 'tags') {
    const { kind: _, ...values } = change
    return values
  }
  const others = ticket.tag_ids.filter((id) => id !== change.tag_id)
  return { tag_ids: change.add ? [...others, change.tag_id] : others }
}
