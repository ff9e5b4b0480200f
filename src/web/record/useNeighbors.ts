import { useState } from 'react'
import { skipToken, useQuery } from '@tanstack/react-query'
import type { ListPosition, WalkedList } from '#web/list/position/listPosition.ts'
import { around, extend, type Around, type Placed, type Walk } from '#web/record/walk.ts'

export interface Neighbors extends Around {
  walk: Walk
  total: number
  /** Whether there are more rows than `total`. */
  isCapped: boolean
  /** Whether a list page that may contain the missing neighbor is loading. */
  isLooking: boolean
}

/**
 * Returns a record's neighbors in the list it was opened from, as the list was when the walk began and as it is
 * now (`walk.ts`).
 * @param list undefined while it is unknown after a reload; the remembered rows can be walked even so
 */
export function useNeighbors(list: WalkedList | undefined, opened: ListPosition): Neighbors {
  const { id, perPage } = opened
  const [kept, setWalk] = useState<Walk>({ place: opened.position, queue: opened.queue })
  const page = Math.ceil(kept.place / perPage)
  const here = usePage(list, page, true)
  const at = here.page?.rows.findIndex((row) => row.id === id)
  const isLost = at === -1
  const isLast = at !== undefined && at === perPage - 1
  // Adjacent pages load only if needed: at a page's edge, or to look for a record that has moved.
  const before = usePage(list, page - 1, page > 1 && (at === 0 || isLost))
  const after = usePage(
    list,
    page + 1,
    here.page !== undefined && here.page.total > page * perPage && (isLast || isLost),
  )

  const known = [before, here, after].flatMap(({ page: one }, index) =>
    (one?.rows ?? []).map((row, inPage): Placed => ({
      ...row,
      position: (page - 2 + index) * perPage + inPage + 1,
    })),
  )
  const walk = extend(kept, id, known)
  if (walk !== kept) setWalk(walk)
  return {
    ...around(walk, id, here.page && known),
    walk,
    total: here.page?.total ?? opened.total,
    isCapped: (here.page ?? opened).isCapped === true,
    isLooking: before.isInFlight || here.isInFlight || after.isInFlight,
  }
}

const noList = { queryKey: ['no list'], queryFn: skipToken } as const

function usePage(list: WalkedList | undefined, number: number, wanted: boolean) {
  const asked = list?.askPage(Math.max(1, number))
  const { data, isFetching } = useQuery(
    asked ? { ...asked, enabled: () => wanted && asked.enabled() } : noList,
  )
  return {
    page: wanted && list && data !== undefined ? list.read(data) : undefined,
    isInFlight: wanted && isFetching,
  }
}
