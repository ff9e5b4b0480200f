import { createContext, useEffect, useState } from 'react'
import { leadsPerPage, type LeadRow } from '#features/crm/leads/contract.ts'

/**
 * The list that a lead was opened from, and its position there. Kept in the browser's history state: a reload keeps it,
 * and a direct link has none.
 */
export interface AmongLeads {
  list: '/demo-leads' | '/demo-leads/follow-ups'
  /** The filters as in the URL of the list, without the page. */
  search: Record<string, unknown>
  lead_for?: number | undefined
  /** From 1, across all pages. */
  position: number
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    among?: AmongLeads
  }
}

interface Opened {
  among?: AmongLeads
}

/** Context with the function that returns the history state for a lead opened from the surrounding list. */
export const Among = createContext<(lead_id: number) => Opened>(() => ({}))

/** Returns the function that builds this state for a page of a list. */
export function amongThese(list: Omit<AmongLeads, 'position'>, leads: readonly LeadRow[], page: number): (lead_id: number) => Opened {
  return (lead_id) => {
    const at = leads.findIndex((lead) => lead.lead_id === lead_id)
    return at === -1 ? {} : { among: { ...list, position: (page - 1) * leadsPerPage + at + 1 } }
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
