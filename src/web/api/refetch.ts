import type { QueryClient, QueryFilters } from '@tanstack/react-query'
import type { EndpointShape } from '#shared/endpoint.ts'

/*
 * A refetch that starts before the server has answered an optimistic update reads the state before it, and the page
 * would show that again for a moment. Refetches wait until all optimistic updates are answered.
 */

/** How long a request without an answer can hold refetches up. */
const longestWaitMs = 10_000
/** Refetches that wait, by name. */
const waiting = new Map<string, () => void>()

/** Lets refetches wait until the request of an optimistic update is answered. */
export function holdRefetches(queries: QueryClient, sent: Promise<unknown>): void {
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, longestWaitMs)
  sent.then(
    () => resolve(),
    () => resolve(),
  )
  const update = queries
    .getMutationCache()
    .build(queries, { mutationFn: () => answered, networkMode: 'always', gcTime: 0 })
  void update.execute(undefined).then(() => {
    clearTimeout(timer)
    if (queries.isMutating() > 0) return
    const all = [...waiting.values()]
    waiting.clear()
    for (const refetchNow of all) refetchNow()
  })
}

/** Refetches the queries of these endpoints once no optimistic update is unanswered. */
export function refetch(queries: QueryClient, endpoints: readonly Pick<EndpointShape, 'path'>[]): void {
  for (const { path } of endpoints) refetchMatching(queries, path, { queryKey: [path] })
}

/**
 * Refetches the queries that a filter finds once no optimistic update is unanswered.
 * @param name the same for the same filter, which is then applied once
 */
export function refetchMatching(queries: QueryClient, name: string, filters: QueryFilters): void {
  const refetchNow = () => void queries.invalidateQueries(filters)
  if (queries.isMutating() === 0) refetchNow()
  else waiting.set(name, refetchNow)
}
