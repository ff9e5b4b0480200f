import { categories } from '#features/cms/articles/categories/contract.ts'
import { faqCategories } from '#features/cms/articles/faq-categories/contract.ts'
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

/** Searches post categories, limited to one product if given, excluding `current` and its descendants. */
export const findPostCategories =
  (of: { product_id?: number; current?: number }): FindCategories =>
  (search) =>
    queryOptionsFor(categories.search, { query: { ...search, ...of, admin: '1' } })

/** Searches FAQ categories, excluding `current` and its descendants. */
export const findFaqCategories =
  (of: { current?: number }): FindCategories =>
  (search) =>
    queryOptionsFor(faqCategories.search, { query: { ...search, ...of } })

/**
 * Searches the categories that an FAQ can be assigned to; if the call fails, no categories are offered (A
 * §8).
 */
export const findCategoriesForFaq: FindCategories = ({ q, ...chosen }) =>
  queryOptionsFor(faqCategories.lookup, { query: { query: q, ...chosen } })
