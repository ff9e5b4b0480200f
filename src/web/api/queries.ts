import { QueryClient, type FetchQueryOptions, type QueryKey } from '@tanstack/react-query'
import { ApiError } from '#web/api/errors.ts'

const freshMs = 15_000

/** Everything that the panel has asked of the server. */
export const queries = new QueryClient({
  defaultOptions: {
    // `always`: a browser that thinks it is offline is often wrong, and a paused request looks like a hanging page.
    queries: { networkMode: 'always', staleTime: freshMs, retry: isWorthRepeating, retryDelay: 800 },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** The `meta` of a query that answers entries of the lists, so that a change of a list asks it again wherever it is kept. */
export const fromLists = { fromLists: true }
export const askListsAgain = (): void => void queries.invalidateQueries({ predicate: ({ meta }) => meta === fromLists })

/**
 * Asks ahead of the page that will want it: `prefetch(ask(leads.show, …))`. The library's own function asks whether it is allowed or not;
 * without permission no request leaves (A §5).
 */
export async function prefetch<T, Key extends QueryKey>(asked: FetchQueryOptions<T, Error, T, Key> & { enabled: () => boolean }): Promise<void> {
  const { enabled, ...query } = asked
  if (enabled()) await queries.prefetchQuery(query)
}

/** Only what may pass by itself: no answer, or a server that is just starting. Never a refusal. */
function isWorthRepeating(failures: number, error: unknown): boolean {
  return failures < 2 && error instanceof ApiError && [0, 502, 503, 504].includes(error.status)
}
