import type { QueryClient, QueryFilters } from '@tanstack/react-query'
import { everything, inLists, isLive, type ChangedName, type InLists, type Shows } from '#shared/changed.ts'
import type { EndpointShape } from '#shared/endpoint.ts'
import type { LiveName } from '#shared/records.ts'
import type { AnyInput } from '#web/api/types.ts'

/*
 * A refetch that starts before the server has answered an optimistic update reads the state before it, and the page
 * would show that again for a moment. Refetches wait until all optimistic updates are answered.
 */

/** How long a request without an answer can hold refetches up. */
const longestWaitMs = 10_000

/** Names by which a query is refetched. */
type RefetchedBy = {
  /** After a write of this tab. */
  shows: Shows
  /** After a change by others. */
  hears: readonly LiveName[]
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: RefetchedBy
  }
}

/** Returns `meta` of the query of an endpoint, from what its contract says that it shows. */
export function refetchedBy(
  { shows = [], live }: Pick<EndpointShape, 'shows' | 'live'>,
  input: Partial<AnyInput> = {},
): RefetchedBy {
  const names = typeof shows === 'function' ? shows({ params: {}, query: {}, body: {}, ...input }) : shows
  return { shows: names, hears: live === false ? [] : names.filter(isLive) }
}

/** Names whose queries are refetched once no optimistic update is unanswered. */
let waiting = { written: new Set<string>(), heard: new Set<string>() }

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
    refetchWaiting(queries)
  })
}

/** Refetches the queries that show any of these names, which this tab changed, once no optimistic update is unanswered. */
export function refetchShowing(
  queries: QueryClient,
  names: readonly (ChangedName | InLists | typeof everything)[],
): void {
  for (const name of names) waiting.written.add(name)
  refetchWaiting(queries)
}

/** Refetches the queries that show any of these names, which others changed, once no optimistic update is unanswered. */
export function refetchHearing(queries: QueryClient, names: readonly LiveName[]): void {
  for (const name of names) waiting.heard.add(name)
  refetchWaiting(queries)
}

/** All names in one go: a query that shows two of them is refetched once. */
function refetchWaiting(queries: QueryClient): void {
  if (queries.isMutating() > 0) return
  const { written, heard } = waiting
  waiting = { written: new Set(), heard: new Set() }
  refetchMatching(queries, {
    predicate: ({ meta: { shows, hears } = nothing, queryKey: [path] }) =>
      hears.some((name) => heard.has(name)) ||
      isShown(written, shows, typeof path === 'string' && path.endsWith('}')),
  })
}

const nothing: RefetchedBy = { shows: [], hears: [] }

/** Returns whether a query shows what this tab wrote; `isOfOne` says that it isn't a list, but one record. */
const isShown = (written: ReadonlySet<string>, shows: Shows, isOfOne: boolean) =>
  written.size > 0 &&
  shows.some(
    (name) =>
      name === everything ||
      written.has(everything) ||
      written.has(name) ||
      (!isOfOne && written.has(inLists(name))),
  )

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
