import { QueryClient, type FetchQueryOptions, type QueryKey } from '@tanstack/react-query'
import type { ChangedName } from '#shared/changed.ts'
import { onWritten } from '#web/api/client.ts'
import { ApiError } from '#web/api/errors.ts'
import { refetchShowing } from '#web/api/refetch.ts'

const freshMs = 15_000

/** Query client shared by the whole panel. */
export const queries = new QueryClient({
  defaultOptions: {
    // `always`: browsers often report being offline by mistake, and a paused request makes the page appear to
    // hang.
    queries: {
      networkMode: 'always',
      staleTime: freshMs,
      retry: isWorthRepeating,
      retryDelay: 800,
      // What could not be loaded while offline is loaded as soon as the browser is online again.
      refetchOnReconnect: ({ state }) => (state.error === null ? false : 'always'),
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

onWritten((names) => refetchShowing(queries, names as ChangedName[]))

/**
 * Prefetches a query for the page that will need it: `prefetch(queryOptionsFor(leads.show, …))`. TanStack's
 * own function ignores `enabled`, but no request may be sent without permission (A §5).
 */
export async function prefetch<T, Key extends QueryKey>(
  asked: FetchQueryOptions<T, Error, T, Key> & { enabled: () => boolean },
): Promise<void> {
  const { enabled, ...query } = asked
  if (enabled()) await queries.prefetchQuery(query)
}

/**
 * Returns whether a failure is likely transient and worth retrying: no response, or a server that is still
 * starting. Requests that the server rejected are never retried.
 */
function isWorthRepeating(failures: number, error: unknown): boolean {
  return failures < 2 && error instanceof ApiError && [0, 502, 503, 504].includes(error.status)
}
