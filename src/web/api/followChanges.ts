import type { Query, QueryCacheNotifyEvent, QueryClient } from '@tanstack/react-query'
import { mayHear, type LiveName } from '#shared/records.ts'
import { refetchHearing } from '#web/api/refetch.ts'
import { listen, onReconnect } from '#web/live.ts'
import { subscribe, viewer } from '#web/session.ts'

/*
 * Live refresh: data that a page shows is refetched when others change it. Pages do nothing for it, because the contracts
 * of their endpoints name the data. Data of pages that were left is only marked, so that they request it again.
 */

const refreshDelayMs = 150
/** Longest time between the reading of data on the server and its arrival. */
const longestLoadMs = 5000

/** Refetches what others change, if a page shows it, until the returned function is called. */
export function followChanges(queries: QueryClient, connection = { listen, onReconnect }): () => void {
  /** Functions that stop listening, by the name that they listen to. */
  const listening = new Map<LiveName, () => void>()
  const changed = new Map<LiveName, ReturnType<typeof setTimeout>>()
  let isUpdating = false
  let isStopped = false

  function refresh(): void {
    const names = [...changed.keys()]
    for (const timer of changed.values()) clearTimeout(timer)
    changed.clear()
    refetchHearing(queries, names)
  }
  function refreshSoon(name: LiveName): void {
    clearTimeout(changed.get(name))
    changed.set(name, setTimeout(refresh, refreshDelayMs))
  }

  function listenTo(name: LiveName): () => void {
    const since = Date.now()
    return connection.listen(
      `private-records.${name}`,
      'changed',
      ({ type }: { type?: string }) => {
        if (type === undefined || type === name) refreshSoon(name)
      },
      (isJoined, msSinceLast) => {
        if (!isJoined || msSinceLast === undefined) return
        const last = Date.now() - msSinceLast
        const isMissed = loaded(queries).some((query) => hears(query, name) && readAt(query, since) < last)
        if (isMissed) refreshSoon(name)
      },
    )
  }

  function update(): void {
    isUpdating = false
    if (isStopped) return
    const names = new Set(loaded(queries).flatMap(({ meta }) => meta?.hears ?? []))
    for (const [name, stop] of listening) {
      if (names.has(name) && mayHear(name, viewer())) continue
      stop()
      listening.delete(name)
    }
    for (const name of names)
      if (!listening.has(name) && mayHear(name, viewer())) listening.set(name, listenTo(name))
  }
  /** Once for all parts of a page. */
  function updateSoon(): void {
    if (!isUpdating) queueMicrotask(update)
    isUpdating = true
  }

  updateSoon()
  const stops = [
    queries.getQueryCache().subscribe((event) => {
      if (changesLoaded(event)) updateSoon()
    }),
    subscribe(updateSoon),
    connection.onReconnect(() => {
      for (const name of listening.keys()) refreshSoon(name)
    }),
  ]
  return () => {
    isStopped = true
    for (const stop of [...stops, ...listening.values()]) stop()
    for (const timer of changed.values()) clearTimeout(timer)
  }
}

/** Returns the queries that are on the page, and those with data of pages that were left. */
const loaded = (queries: QueryClient): Query[] =>
  queries
    .getQueryCache()
    .findAll({ predicate: (query) => query.isActive() || query.state.data !== undefined })

const hears = ({ meta }: Query, name: LiveName): boolean => meta?.hears.includes(name) === true

/**
 * Returns the earliest time at which the server can have read the data of a query.
 * @param since when the request began, for data that is still being requested
 */
const readAt = ({ state }: Query, since: number): number =>
  (state.fetchStatus === 'fetching' ? since : state.dataUpdatedAt) - longestLoadMs

/** Returns whether an event changes which queries are loaded. */
const changesLoaded = ({ type }: QueryCacheNotifyEvent): boolean =>
  type !== 'updated' && type !== 'observerResultsUpdated'
