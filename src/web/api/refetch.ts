import type { QueryClient, QueryFilters } from '@tanstack/react-query'
import type { EndpointShape } from '#shared/endpoint.ts'

/*
 * A refetch that starts before the server has answered an optimistic update reads the state before it, and the page
 * would show that again for a moment. Refetches wait until all optimistic updates are answered.
 */

let unanswered = 0
/** Refetches that wait, by name. */
const waiting = new Map<string, () => void>()

/** Tells that an optimistic update was sent; returns a function that tells that it was answered. */
export function beginOptimisticUpdate(): () => void {
  unanswered += 1
  return () => {
    unanswered -= 1
    if (unanswered > 0) return
    const all = [...waiting.values()]
    waiting.clear()
    for (const refetchNow of all) refetchNow()
  }
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
  if (unanswered === 0) refetchNow()
  else waiting.set(name, refetchNow)
}
