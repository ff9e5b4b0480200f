import type { QueryClient, QueryFilters } from '@tanstack/react-query'
import { everything, inLists, type ChangedName, type InLists } from '#shared/changed.ts'
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
  for (const { path } of endpoints)
    whenAnswered(queries, path, () => refetchMatching(queries, { queryKey: [path] }))
}

/**
 * Refetches the queries that match. TanStack Query doesn't restart a query's first request, whose answer can be from
 * before the change, so that query is refetched after the answer.
 */
function refetchMatching(queries: QueryClient, filters: QueryFilters): void {
  const first = queries
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined)
  void queries.invalidateQueries(filters)
  for (const { promise, queryKey } of first)
    void promise?.then(
      () => queries.invalidateQueries({ queryKey, exact: true }),
      () => {},
    )
}

/** Names whose queries are refetched once no optimistic update is unanswered. */
let changed = new Set<string>()

/** Refetches the queries that show any of these names once no optimistic update is unanswered. */
export function refetchShowing(
  queries: QueryClient,
  names: readonly (ChangedName | InLists | typeof everything)[],
): void {
  for (const name of names) changed.add(name)
  // All names in one go: a query that shows two of them is refetched once.
  whenAnswered(queries, 'changed', () => {
    const these = changed
    changed = new Set()
    refetchMatching(queries, {
      predicate: ({ meta, queryKey: [path] }) => {
        const shows = meta?.['shows'] as EndpointShape['shows']
        if (shows === undefined || shows === 'everything') return shows !== undefined && these.size > 0
        const isOfOne = typeof path === 'string' && path.endsWith('}')
        return [everything, ...shows].some((one) => these.has(one) || (!isOfOne && these.has(inLists(one))))
      },
    })
  })
}

/** Runs a refetch once no optimistic update is unanswered; of those with the same name, only the last. */
function whenAnswered(queries: QueryClient, name: string, refetchNow: () => void): void {
  if (queries.isMutating() === 0) refetchNow()
  else waiting.set(name, refetchNow)
}
