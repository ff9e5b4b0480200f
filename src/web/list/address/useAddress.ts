import { useNavigate, useSearch } from '@tanstack/react-router'
import type { z } from 'zod'
import { fromAddress, toAddress } from '#web/list/address/fromAddress.ts'

type Filters<S extends z.ZodType<object>> = z.output<S>

/** A change of filters; the list leaves its saved view with `saved_view: undefined`. */
export type FilterChange<F> = Partial<F> & { saved_view?: undefined }

interface ChangeOptions {
  /** Replaces the current entry in the browser history, as when typing in a search box. */
  replace?: boolean
}

/**
 * Keeps a list's filters in the URL: `const [filters, filterBy] = useAddress(LeadFilters)`. `filterBy({
 * status: 1 })` changes only the given filters and returns to the first page, unless the page itself is
 * changed; passing undefined for a filter removes it. The returned promise resolves when the URL has changed.
 * A link to the URL opens the same view.
 */
export function useAddress<S extends z.ZodType<object>>(schema: S) {
  // Changes to other parts of the URL, such as an open dialog, must not re-render the list.
  const filters = useSearch({
    strict: false,
    structuralSharing: true,
    select: (search) => fromAddress(schema, search) as never,
  }) as Filters<S>
  const navigate = useNavigate()

  function filterBy(
    change: FilterChange<Filters<S>>,
    { replace = false }: ChangeOptions = {},
  ): Promise<void> {
    const toFirstPage = 'page' in change ? {} : { page: undefined }
    const next = toAddress(schema, { ...filters, ...toFirstPage, ...change })
    // A list whose filters change still has the saved view that it was opened with, which can be updated.
    return navigate({
      to: '.',
      search: ({ saved_view }: { saved_view?: unknown }) =>
        'saved_view' in change ? next : { ...next, saved_view },
      replace,
    })
  }

  return [filters, filterBy] as const
}
