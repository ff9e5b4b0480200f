import { createContext } from 'react'
import type { HistoryState } from '@tanstack/react-router'
import { pageCount } from '#shared/page.ts'

/** A row, as far as stepping through its list needs it. */
export interface StepRow {
  id: number
  /** URL of the record's page. */
  to: string
}

/**
 * The list that a record was opened from, and the record's position in it. Stored in the browser's history
 * state, so it survives a reload and is absent for a direct link.
 */
export interface ListPosition extends StepRow {
  /** Identifies the list with its filters among those that this tab has shown (`offeredList`). */
  key: string
  /** URL with the filters, but without the page. */
  address: string
  /** Singular name for the list's rows, such as `lead`. */
  one: string
  perPage: number
  /** Product that the list shows; undefined if it doesn't depend on the chosen product. */
  product?: number | undefined
  /** Starts at 1 and counts across all pages. */
  position: number
  total: number
  /** Whether there are more rows than `total`. */
  isCapped?: boolean | undefined
  /** The rows around the record, in the order in which the user walks through them. */
  queue: readonly StepRow[]
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    listPosition?: ListPosition
  }
}

/** Returns the URL of the list's page that has the record at this position. */
export function listAddress(
  { address, perPage, total }: Pick<ListPosition, 'address' | 'perPage' | 'total'>,
  position: number,
): string {
  const page = Math.min(Math.ceil(position / perPage), pageCount(total, perPage))
  return page > 1 ? `${address}${address.includes('?') ? '&' : '?'}page=${page}` : address
}

/** Gives page-by-page access to a list with its filters, so that its records can be stepped through. */
export interface WalkedList {
  key: string
  /**
   * Returns the same query that the list itself uses, so that its response is already cached for users who
   * come from the list.
   */
  askPage: (page: number) => {
    queryKey: readonly unknown[]
    queryFn: (context: { signal: AbortSignal }) => Promise<unknown>
    enabled: () => boolean
  }
  read: (reply: unknown) => { rows: readonly StepRow[]; total: number; isCapped?: boolean }
}

/** More lists than a user leaves open behind a record. */
const mostOffered = 20
const offered = new Map<string, WalkedList>()

/** Remembers a list in this tab, so that records opened from it can step through it. */
export function offerList(list: WalkedList): void {
  offered.delete(list.key)
  offered.set(list.key, list)
  const [oldest] = offered.keys()
  if (offered.size > mostOffered && oldest !== undefined) offered.delete(oldest)
}

export const offeredList = (key: string): WalkedList | undefined => offered.get(key)

/** Returns the key of the list that this query is a page of. */
export const keyOfList = ({ queryKey }: { queryKey: readonly unknown[] }): string => JSON.stringify(queryKey)

/** Context with a function that returns the history state for a page opened from the surrounding list. */
export const ListPositionContext = createContext<(to: string) => HistoryState>(() => ({}))

/** Returns the function that builds the history state for the records on a page of a list. */
export function positionsInPage(
  list: Omit<ListPosition, 'position' | 'queue' | keyof StepRow>,
  rows: readonly StepRow[],
  page: number,
): (to: string) => HistoryState {
  return (to) => {
    const at = rows.findIndex((row) => row.to === to)
    const row = rows[at]
    const position = (page - 1) * list.perPage + at + 1
    return row ? { listPosition: { ...list, ...row, position, queue: rows } } : {}
  }
}
