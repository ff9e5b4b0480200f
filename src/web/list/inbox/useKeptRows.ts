import { useState } from 'react'
import type { z } from 'zod'
import { keepOrder } from '#web/list/inbox/keepOrder.ts'
import type { List, ListFilters } from '#web/list/useList.ts'

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
 * their place until another page or other filters are shown, even if they no longer belong there.
 */
export function useKeptRows<Row, S extends z.ZodType<ListFilters>>(list: List<Row, S>) {
  const { rowKey } = list.definition
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
    const isOpened = open === undefined || kept.opened.has(open)
    if (isOpened && kept.source === source) return kept
    const opened = isOpened ? kept.opened : new Map(kept.opened).set(open, undefined)
    return { page, source, opened, rows: keepOrder(kept.rows, source, rowKey, (id) => opened.has(id)) }
  }

  /** Notes the current values of an open record, for the case that it is no longer in the list. */
  function note(row: Row): void {
    setKept((before) => before && { ...before, opened: new Map(before.opened).set(rowKey(row), row) })
  }
  const isListed = (row: Row) => now?.source.some((one) => rowKey(one) === rowKey(row))
  const rows = now?.rows.map((row) => (isListed(row) ? row : (now.opened.get(rowKey(row)) ?? row)))
  return { rows, note }
}
