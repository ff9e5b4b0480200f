import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'

/** Gives page-by-page access to the list that a record was opened from. */
export interface Pages<Row> {
  perPage: number
  /**
   * Returns the same query that the list itself uses, so that its response is already cached for users who
   * come from the list.
   */
  askPage: (page: number) => {
    queryKey: readonly unknown[]
    queryFn: (context: { signal: AbortSignal }) => Promise<unknown>
    enabled: () => boolean
  }
  read: (reply: unknown) => { rows: readonly Row[]; total: number }
}

interface Placed<Row> {
  row: Row
  /** Starts at 1 and counts across all pages. */
  position: number
}

export interface Neighbors<Row> {
  /** Undefined if the record has left the list. */
  position: number | undefined
  /** Current position or, if the record has left the list, its last position. */
  place: number
  /** Undefined while the list loads. */
  total: number | undefined
  previous: Placed<Row> | undefined
  next: Placed<Row> | undefined
  /** Whether a list page that may contain the missing neighbor is loading. */
  isLooking: boolean
}

/**
 * Returns a record's neighbors in the current version of the list it was opened from; if the record is no
 * longer in the list, returns the neighbors of its former position.
 */
export function useNeighbors<Row>(
  pages: Pages<Row>,
  isHere: (row: Row) => boolean,
  openedAt: number,
): Neighbors<Row> {
  const { perPage } = pages
  const [place, setPlace] = useState(openedAt)
  const page = Math.ceil(place / perPage)
  const here = usePage(pages, page, true)
  const at = here.page?.rows.findIndex(isHere)
  const isLost = at === -1
  const isLast = at !== undefined && at === perPage - 1
  // Adjacent pages load only if needed: at a page's edge, or to look for a record that has moved.
  const before = usePage(pages, page - 1, page > 1 && (at === 0 || isLost))
  const after = usePage(
    pages,
    page + 1,
    here.page !== undefined && here.page.total > page * perPage && (isLast || isLost),
  )

  const known = [before, here, after].flatMap(({ page: one }, index) =>
    (one?.rows ?? []).map((row, inPage): Placed<Row> => ({
      row,
      position: (page - 2 + index) * perPage + inPage + 1,
    })),
  )
  const position = known.find(({ row }) => isHere(row))?.position
  if (position !== undefined && position !== place) setPlace(position)
  const atPosition = (wanted: number) => known.find((one) => one.position === wanted)
  return {
    position,
    place,
    total: here.page?.total,
    previous: atPosition((position ?? place) - 1),
    next: atPosition(position === undefined ? place : position + 1),
    isLooking: before.isInFlight || here.isInFlight || after.isInFlight,
  }
}

function usePage<Row>({ askPage, read }: Pages<Row>, number: number, wanted: boolean) {
  const asked = askPage(Math.max(1, number))
  const { data, isFetching } = useQuery({ ...asked, enabled: () => wanted && asked.enabled() })
  return { page: wanted && data !== undefined ? read(data) : undefined, isInFlight: wanted && isFetching }
}
