import { QueryClient, type FetchQueryOptions, type QueryKey } from '@tanstack/react-query'
import { ApiError } from '#web/api/errors.ts'

const freshMs = 15_000

/** Query client shared by the whole panel. */
export const queries = new QueryClient({
  defaultOptions: {
    // `always`: a browser that considers itself offline is often wrong, and a paused request looks like a hanging page.
    queries: { networkMode: 'always', staleTime: freshMs, retry: isWorthRepeating, retryDelay: 800 },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** `meta` of a query that returns list entries, so that a change of a list refetches it wherever it is cached. */
export const fromLists = { fromLists: true }
export const askListsAgain = (): void =>
  void queries.invalidateQueries({ predicate: ({ meta }) => meta === fromLists })

/**
 * Prefetches for the page that will need it: `prefetch(queryOptionsFor(leads.show, …))`. The library's own function ignores `enabled`;
 * without permission no request may be sent (A §5).
 */
export async function prefetch<T, Key extends QueryKey>(
  asked: FetchQueryOptions<T, Error, T, Key> & { enabled: () => boolean },
): Promise<void> {
  const { enabled, ...query } = asked
  if (enabled()) await queries.prefetchQuery(query)
}

/** Returns whether a failure is likely transient and worth retrying: no response, or a server that is still starting. Never for a request the server rejected. */
function isWorthRepeating(failures: number, error: unknown): boolean {
  return failures < 2 && error instanceof ApiError && [0, 502, 503, 504].includes(error.status)
}
