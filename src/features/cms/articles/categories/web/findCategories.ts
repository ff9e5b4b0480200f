import { categories } from '#features/cms/articles/categories/contract.ts'
import { faqCategories } from '#features/cms/articles/faq-categories/contract.ts'
import { ask } from '#web/api/client.ts'

interface Search {
  q: string
  /** Is among the found, whatever is looked for. */
  chosen?: number
}

interface Named {
  id: number
  title: string
}

type Found = { data: readonly Named[] } | { categories: readonly Named[] }

/** How a field and a filter look for categories: what `useQuery` needs. */
export type FindCategories = (search: Search) => {
  queryKey: readonly unknown[]
  queryFn: (of: { signal: AbortSignal }) => Promise<Found>
  enabled: () => boolean
}

export const namesOf = (found: Found | undefined): readonly Named[] => (found === undefined ? [] : 'data' in found ? found.data : found.categories)

/** Those of posts; of one product where it is named, without `current` and what lies below it. */
export const findPostCategories =
  (of: { product_id?: number; current?: number }): FindCategories =>
  (search) =>
    ask(categories.search, { query: { ...search, ...of, admin: '1' } })

/** Those of FAQs, without `current` and what lies below it. */
export const findFaqCategories =
  (of: { current?: number }): FindCategories =>
  (search) =>
    ask(faqCategories.search, { query: { ...search, ...of } })

/** Those that a FAQ is put into; where they cannot be fetched, there are none to choose (A §8). */
export const findCategoriesForFaq: FindCategories = ({ q, ...chosen }) => ask(faqCategories.lookup, { query: { query: q, ...chosen } })
