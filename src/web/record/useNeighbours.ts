import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'

/** A list that a record was opened from, page by page. */
export interface Pages<Row> {
  perPage: number
  /** Exactly what the list itself asks, so that whoever comes from it has the answer already. */
  askPage: (page: number) => { queryKey: readonly unknown[]; queryFn: (context: { signal: AbortSignal }) => Promise<any>; enabled: () => boolean }
  read: (reply: any) => { rows: readonly Row[]; total: number }
}

interface Placed<Row> {
  row: Row
  /** From 1, through all pages. */
  position: number
}

export interface Neighbours<Row> {
  /** Undefined when the record has left the list. */
  position: number | undefined
  /** Where it is, or was before it left. */
  place: number
  /** Undefined while the list is on its way. */
  total: number | undefined
  previous: Placed<Row> | undefined
  next: Placed<Row> | undefined
  /** A page of the list is on its way, and may bring the one that is missing. */
  isLooking: boolean
}

/** The records before and after one in the list that it was opened from, as the list is now; of one that has left it, those around its old place. */
export function useNeighbours<Row>(pages: Pages<Row>, isHere: (row: Row) => boolean, openedAt: number): Neighbours<Row> {
  const { perPage } = pages
  const [place, setPlace] = useState(openedAt)
  const page = Math.ceil(place / perPage)
  const here = usePage(pages, page, true)
  const at = here.page?.rows.findIndex(isHere)
  const isLost = at === -1
  const isLast = at !== undefined && at === perPage - 1
  // The pages beside it only where they are needed: at the border, or to look for a record that moved.
  const before = usePage(pages, page - 1, page > 1 && (at === 0 || isLost))
  const after = usePage(pages, page + 1, here.page !== undefined && here.page.total > page * perPage && (isLast || isLost))

  const known = [before, here, after].flatMap(({ page: one }, index) =>
    (one?.rows ?? []).map((row, inPage): Placed<Row> => ({ row, position: (page - 2 + index) * perPage + inPage + 1 })),
  )
  const position = known.find(({ row }) => isHere(row))?.position
  if (position !== undefined && position !== place) setPlace(position)
  const standing = (wanted: number) => known.find((one) => one.position === wanted)
  return {
    position,
    place,
    total: here.page?.total,
    previous: standing((position ?? place) - 1),
    next: standing(position === undefined ? place : position + 1),
    isLooking: before.isOnItsWay || here.isOnItsWay || after.isOnItsWay,
  }
}

function usePage<Row>({ askPage, read }: Pages<Row>, number: number, wanted: boolean) {
  const asked = askPage(Math.max(1, number))
  const { data, isFetching } = useQuery({ ...asked, enabled: () => wanted && asked.enabled() })
  return { page: wanted && data !== undefined ? read(data) : undefined, isOnItsWay: wanted && isFetching }
}
