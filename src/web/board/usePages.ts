import { useState } from 'react'
import { cardsPerPage } from '#shared/board.contract.ts'
import type { Lane } from '#web/board/lanes.ts'

/** Returns how many pages of each lane a board requests, and a function that requests one more. */
export function usePages() {
  const [pages, setPages] = useState<Readonly<Record<number, number>>>({})
  const onMore = ({ id, cards }: Lane<unknown>) =>
    setPages({ ...pages, [id]: Math.floor(cards.length / cardsPerPage) + 1 })
  const text = Object.entries(pages).map(([lane, count]) => `${lane}:${count}`)
  return { pages: text.join(',') || undefined, onMore }
}
