import { Suspense } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { mostFound } from '#features/cms/articles/categories/contract.ts'
import { namesOf, type FindCategories } from '#features/cms/articles/categories/web/findCategories.ts'
import { choice, type Filter } from '#web/filter/filters.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const CategoryField = lazyPart(
  () => import('#features/cms/articles/categories/web/CategoryField.tsx'),
  'CategoryField',
)

interface ByCategory {
  category?: number | undefined
}

/**
 * Returns the category filter of a list. If there are more categories than a single search returns, the
 * filter searches by name.
 */
export function useCategoryFilter<F extends ByCategory>(
  find: FindCategories,
  category: number | undefined,
): Filter<F> {
  const { data } = useQuery({
    ...find(category === undefined ? { q: '' } : { q: '', chosen: category }),
    placeholderData: keepPreviousData,
  })
  const found = namesOf(data)
  const filter = choice<F>(
    'category',
    'Category',
    'All categories',
    found.map(({ id, title }) => [id, title] as const),
  )
  if (found.length < mostFound) return filter
  return {
    ...filter,
    control: (filters, onChange) => (
      <Suspense fallback={filter.control(filters, onChange)}>
        <CategoryField
          aria-label="Category"
          find={find}
          none="All categories"
          clearable
          value={String(filters.category ?? '')}
          onChange={(id: string) => onChange({ category: id === '' ? undefined : Number(id) } as Partial<F>)}
        />
      </Suspense>
    ),
  }
}
