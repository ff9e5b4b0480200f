import { useState } from 'react'
import { useSearch } from '@tanstack/react-router'
import { LeadFilters } from '#features/crm/leads/contract.ts'
import { storedFilter, storeFilter } from '#web/session.ts'
import { fromAddress } from '#web/list/fromAddress.ts'
import { useAddress } from '#web/list/useAddress.ts'

export type Change = Partial<LeadFilters>

/** Filters that are stored until the user signs out (A §3); all others are only in the URL. */
const storedKeys = ['software_filter', 'demo_filter', 'direction', 'column'] as const

/**
 * Returns the lead list's filters with a setter. Filters are in the URL, so that a link opens the same view.
 * The stored filters apply when the list is opened without any filters, and are updated whenever they change.
 */
export function useLeadFilters() {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const [fromLink, filterBy] = useAddress(LeadFilters)
  const [stored, setStored] = useState(readStored)
  const filters = withStored(fromLink, search, stored)

  function change(changed: Change, options?: { replace?: boolean }): Promise<void> {
    const toStore = storedKeys.filter((key) => changed[key] !== undefined)
    for (const key of toStore) storeFilter(key, changed[key]!)
    if (toStore.length) setStored(readStored())
    const { page: _, ...kept } = filters
    return filterBy({ ...kept, ...changed }, options)
  }

  return [filters, change] as const
}

/** Returns the filters that a URL stands for, for use outside components. */
export const filtersOf = (search: Record<string, unknown>): LeadFilters =>
  withStored(fromAddress(LeadFilters, search), search, readStored())

const withStored = (
  fromLink: LeadFilters,
  search: Record<string, unknown>,
  stored: Record<string, unknown>,
): LeadFilters =>
  isBare(search) ? { ...fromLink, ...fromAddress(LeadFilters, stored), page: fromLink.page } : fromLink

const isBare = (search: Record<string, unknown>) =>
  Object.keys(search).every((name) => name === 'page' || !(name in LeadFilters.shape))

const readStored = (): Record<string, unknown> =>
  Object.fromEntries(
    storedKeys.map((key) => [key, storedFilter(key)]).filter(([, value]) => value !== undefined),
  )
