import { useState } from 'react'
import type { z } from 'zod'
import { useSearch } from '@tanstack/react-router'
import { fromAddress, toAddress } from '#web/list/address/fromAddress.ts'
import type { FilterChange } from '#web/list/address/useAddress.ts'
import { storedByPage, storeForPage, type PageKey } from '#web/session.ts'

/* Filters that are kept until the user signs out (A §3); all others are only in the URL. */

interface Definition<S extends z.ZodType<object>> {
  filters: S
  storedFilters?: readonly PageKey[] | undefined
}

type Filters<S extends z.ZodType<object>> = z.output<S>
type Change<S extends z.ZodType<object>> = (
  change: FilterChange<Filters<S>>,
  options?: { replace?: boolean },
) => Promise<void>

/**
 * Adds a list's stored filters to those from the URL. They apply when the list is opened without any filters,
 * and are updated whenever they change.
 */
export function useStoredFilters<S extends z.ZodType<object>>(
  definition: Definition<S>,
  [fromLink, filterBy]: readonly [Filters<S>, Change<S>],
): readonly [Filters<S>, Change<S>] {
  const { storedFilters = [] } = definition
  const [stored, setStored] = useState(() => readStored(storedFilters))
  const isView = useSearch({ strict: false, select: hasView })
  if (!storedFilters.length) return [fromLink, filterBy]
  const filters = isView ? fromLink : withStored(definition.filters, fromLink, stored)

  function change(changed: FilterChange<Filters<S>>, options?: { replace?: boolean }): Promise<void> {
    for (const key of storedFilters)
      if (key in changed) storeForPage(key, String(changed[key as keyof typeof changed]))
    setStored(readStored(storedFilters))
    const { page: _, ...kept } = filters as Filters<S> & { page?: number }
    return filterBy({ ...kept, ...changed }, options)
  }
  return [filters, change]
}

/** Returns the filters that a URL stands for, for use outside components. */
export const filtersOf = <S extends z.ZodType<object>>(
  { filters, storedFilters = [] }: Definition<S>,
  search: Record<string, unknown>,
): Filters<S> =>
  hasView(search)
    ? fromAddress(filters, search)
    : withStored(filters, fromAddress(filters, search), readStored(storedFilters))

/** Returns whether a saved view is open, whose filters are all in the URL. */
const hasView = ({ saved_view }: { saved_view?: unknown }): boolean => saved_view !== undefined

function withStored<S extends z.ZodType<object>>(
  schema: S,
  fromLink: Filters<S>,
  stored: Record<string, unknown>,
): Filters<S> {
  // The product isn't a filter of its rows: with all products, a list has the stored filters too.
  const { page, product_scope, ...narrowed } = fromLink as Filters<S> & {
    page?: number
    product_scope?: unknown
  }
  const isBare = Object.keys(toAddress(schema, narrowed as Partial<Filters<S>>)).length === 0
  return isBare
    ? { ...fromAddress(schema, stored), page, ...(product_scope === undefined ? {} : { product_scope }) }
    : fromLink
}

const readStored = (keys: readonly PageKey[]): Record<string, unknown> =>
  Object.fromEntries(keys.map((key) => [key, storedByPage(key)]).filter(([, value]) => value !== undefined))
