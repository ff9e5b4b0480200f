import { createContext, useEffect, useState } from 'react'
import { leadsPerPage, type LeadRow } from '#features/crm/leads/contract.ts'

/**
 * The list that a lead was opened from, and its place there. It stands in the browser's history beside the address of the
 * lead: a reload keeps it, and who comes by a bare link has none.
 */
export interface AmongLeads {
  list: '/demo-leads' | '/demo-leads/follow-ups'
  /** The filters, as they stand in the address of the list; without the page. */
  search: Record<string, unknown>
  lead_for?: number | undefined
  /** From 1, through all pages. */
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

/** What goes with the address of a lead that is opened from the list around it. */
export const Among = createContext<(lead_id: number) => Opened>(() => ({}))

/** The same for a page of a list. */
export function amongThese(list: Omit<AmongLeads, 'position'>, leads: readonly LeadRow[], page: number): (lead_id: number) => Opened {
  return (lead_id) => {
    const at = leads.findIndex((lead) => lead.lead_id === lead_id)
    return at === -1 ? {} : { among: { ...list, position: (page - 1) * leadsPerPage + at + 1 } }
  }
}

let seen: number | undefined

/** Remembers the lead that is looked at, for the list that the person goes back to. */
export function useSeenLead(id: number): void {
  useEffect(() => {
    seen = id
  }, [id])
}

/** The lead that was looked at last; a list says it once. */
export function useLastSeen(): number | undefined {
  const [last] = useState(seen)
  useEffect(() => {
    seen = undefined
  }, [])
  return last
}
