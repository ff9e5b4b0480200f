import { TicketFilters } from '#features/crm/support/contract.ts'

/*
 * The view of the tickets that this tab saw last, which the ticket page steps through. It lives as long as the tab.
 */

const name = 'ticket-view'

export function keepView(filters: TicketFilters): void {
  sessionStorage.setItem(name, JSON.stringify(filters))
}

/** Returns the view; undefined in a tab that has shown no list, such as one opened from an email. */
export function readView(): TicketFilters | undefined {
  const kept = sessionStorage.getItem(name)
  return kept === null ? undefined : TicketFilters.safeParse(JSON.parse(kept)).data
}
