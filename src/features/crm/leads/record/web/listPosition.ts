import { createContext } from 'react'
import { leadsPerPage, type LeadRow } from '#features/crm/leads/contract.ts'

/**
 * The list that a lead was opened from, and its position in that list. Stored in the browser's history state,
 * so it survives a reload and is absent for a direct link.
 */
export interface ListPosition {
  list: '/demo-leads' | '/demo-leads/follow-ups'
  /** The filters as in the list's URL, without the page. */
  search: Record<string, unknown>
  lead_for?: number | undefined
  /** Starts at 1 and continues across all pages. */
  position: number
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    listPosition?: ListPosition
  }
}

interface LeadLinkState {
  listPosition?: ListPosition
}

/** Context with a function that returns the history state for a lead opened from the surrounding list. */
export const ListPositionContext = createContext<(lead_id: number) => LeadLinkState>(() => ({}))

/** Returns the function that builds the history state for leads on a page of a list. */
export function positionsInPage(
  list: Omit<ListPosition, 'position'>,
  leads: readonly LeadRow[],
  page: number,
): (lead_id: number) => LeadLinkState {
  return (lead_id) => {
    const at = leads.findIndex((lead) => lead.lead_id === lead_id)
    return at === -1 ? {} : { listPosition: { ...list, position: (page - 1) * leadsPerPage + at + 1 } }
  }
}
