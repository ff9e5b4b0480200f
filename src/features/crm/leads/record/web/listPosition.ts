import { createContext, useEffect, useState } from 'react'
import { leadsPerPage, type LeadRow } from '#features/crm/leads/contract.ts'

/**
 * The list that a lead was opened from, and its position there. Kept in the browser's history state: a reload keeps it,
 * and a direct link has none.
 */
export interface ListPosition {
  list: '/demo-leads' | '/demo-leads/follow-ups'
  /** The filters as in the URL of the list, without the page. */
  search: Record<string, unknown>
  lead_for?: number | undefined
  /** From 1, across all pages. */
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

/** Context with the function that returns the history state for a lead opened from the surrounding list. */
export const ListPositionContext = createContext<(lead_id: number) => LeadLinkState>(() => ({}))

/** Returns the function that builds this state for a page of a list. */
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

let seen: number | undefined

/** Remembers the lead on screen, for the list that the user returns to. */
export function useSeenLead(id: number): void {
  useEffect(() => {
    seen = id
  }, [id])
}

/** Returns the lead viewed last; a list gets it once. */
export function useLastSeen(): number | undefined {
  const [last] = useState(seen)
  useEffect(() => {
    seen = undefined
  }, [])
  return last
}
