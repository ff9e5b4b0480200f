import { TicketFilters } from '#features/crm/support/contract.ts'

/*
 * The view of the tickets that this tab saw last: the ticket page goes to the next one of it. It lives as long as the tab.
 */

const name = 'ticket-view'

export function keepView(filters: TicketFilters): void {
  sessionStorage.setItem(name, JSON.stringify(filters))
}

/** Undefined in a tab that has seen no list, as one that a mail opened. */
export function readView(): TicketFilters | undefined {
  const kept = sessionStorage.getItem(name)
  return kept === null ? undefined : TicketFilters.safeParse(JSON.parse(kept)).data
}
