import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { queryOptionsFor } from '#web/api/client.ts'
import { keepOrder } from '#web/list/inbox/keepOrder.ts'
import type { List, ListFilters, PageOf } from '#web/list/useList.ts'

interface Kept<Row> {
  /** The page of the list, with its filters. */
  page: string
  source: readonly Row[]
  rows: readonly Row[]
  /** The records that were opened on this page; the values are known for those that were loaded. */
  opened: ReadonlyMap<number, Row | undefined>
}

/**
 * Returns the rows of a list in the order in which the user walks through them: records that were opened keep
 * their place until another page or other filters are shown, even if they no longer belong there; with
 * `leavesWhenDone`, only the one that is open does.
 */
export function useKeptRows<Row, S extends z.ZodType<ListFilters>>(list: List<Row, S>) {
  const { rowKey, leavesWhenDone } = list.definition
  const { open } = list.filters
  const page = JSON.stringify(list.requestQuery)
  const [kept, setKept] = useState<Kept<Row>>()
  const now = nextKept()
  if (now !== kept) setKept(now)

  function nextKept(): Kept<Row> | undefined {
    const source = list.rows
    if (!source || list.stale) return kept
    if (kept?.page !== page) {
      const opened = new Map(open === undefined ? [] : [[open, undefined]])
      return { page, source, rows: source, opened }
    }
    const opened = nextOpened(kept.opened)
    if (opened === kept.opened && kept.source === source) return kept
    return { page, source, opened, rows: keepOrder(kept.rows, source, rowKey, (id) => opened.has(id)) }
  }

  function nextOpened(opened: Kept<Row>['opened']): Kept<Row>['opened'] {
    if (leavesWhenDone && [...opened.keys()].some((id) => id !== open))
      return new Map(open === undefined ? [] : [[open, opened.get(open)]])
    return open === undefined || opened.has(open) ? opened : new Map(opened).set(open, undefined)
  }

  /** Notes the current values of an open record, for the case that it is no longer in the list. */
  function note(row: Row): void {
    setKept((before) => before && { ...before, opened: new Map(before.opened).set(rowKey(row), row) })
  }
  const listed = new Set(now?.source.map(rowKey))
  const isListed = (row: Row) => listed.has(rowKey(row))
  const current = useRowsNow(list.definition, now?.rows.map(rowKey).filter((id) => !listed.has(id)) ?? [])
  const rows = now?.rows.map((row) =>
    isListed(row) ? row : (current.get(rowKey(row)) ?? now.opened.get(rowKey(row)) ?? row),
  )
  return { rows, isListed, note }
}

/** Returns the current values of records that have left the list; none if the list can't ask for them. */
function useRowsNow<Row>(
  {
    endpoint,
    takesIds,
    rowKey,
  }: Pick<List<Row, z.ZodType<ListFilters>>['definition'], 'endpoint' | 'takesIds' | 'rowKey'>,
  ids: readonly number[],
): ReadonlyMap<number, Row> {
  const { data } = useQuery({
    ...queryOptionsFor(endpoint, { query: { ids } }),
    enabled: takesIds === true && ids.length > 0,
    placeholderData: keepPreviousData,
  })
  const rows = (data as PageOf<Row> | undefined)?.data ?? []
  return new Map(rows.map((row) => [rowKey(row), row]))
}
