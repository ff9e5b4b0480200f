import { TicketFilters } from '#features/crm/support/contract.ts'

/*
 * The ticket list last viewed in this tab, which the ticket page steps through. It is kept until the tab is
 * closed.
 */

const name = 'ticket-view'

export function keepView(filters: TicketFilters): void {
  sessionStorage.setItem(name, JSON.stringify(filters))
}

/**
 * Returns the last viewed list; undefined in a tab that has not shown a list, such as one opened from an
 * email.
 */
export function readView(): TicketFilters | undefined {
  const kept = sessionStorage.getItem(name)
  return kept === null ? undefined : TicketFilters.safeParse(JSON.parse(kept)).data
}
