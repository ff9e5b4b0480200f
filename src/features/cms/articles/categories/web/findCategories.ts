import {
  categories,
  categoryKindRows,
  faqCategories,
  type CategoryKind,
} from '#features/cms/articles/categories/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'

interface Search {
  q: string
  /** Always included in the results. */
  chosen?: number
}

interface Named {
  id: number
  title: string
}

type Found = { data: readonly Named[] } | { categories: readonly Named[] }

/** Category search for a field or filter, as options for `useQuery`. */
export type FindCategories = (search: Search) => {
  queryKey: readonly unknown[]
  queryFn: (of: { signal: AbortSignal }) => Promise<Found>
  enabled: () => boolean
}

export const namesOf = (found: Found | undefined): readonly Named[] =>
  found === undefined ? [] : 'data' in found ? found.data : found.categories

interface Scope {
  product_id?: number | undefined
  current?: number | undefined
}

/** Searches a tree's categories, limited to one product if given, excluding `current` and its descendants. */
export const findCategoriesOf =
  (kind: CategoryKind, scope: Scope): FindCategories =>
  (search) => {
    const admin = categoryKindRows[kind].isOfProduct ? { admin: '1' } : {}
    return queryOptionsFor(categories[kind].search, { query: { ...search, ...scope, ...admin } })
  }

/**
 * Searches the categories that an FAQ can be assigned to; if the call fails, no categories are offered (A
 * §8).
 */
export const findCategoriesForFaq: FindCategories = ({ q, ...chosen }) =>
  queryOptionsFor(faqCategories.lookup, { query: { query: q, ...chosen } })
