import { useEffect, useState, type RefObject } from 'react'
import type { BoardLane } from '#web/board/Board.tsx'
import { FilterTab, FilterTabs } from '#web/parts/Tabs.tsx'
import { countText } from '#web/time.ts'

interface Props<Card> {
  board: RefObject<HTMLDivElement | null>
  lanes: readonly BoardLane<Card>[]
  /** Opens a folded lane. */
  onOpen: (lane: BoardLane<Card>) => void
}

/** Tabs of the lanes, for phones, which show one at a time. A card can be dropped on a tab. */
export function LaneTabs<Card>({ board, lanes, onOpen }: Props<Card>) {
  const current = useLaneInView(board, lanes)
  return (
    <FilterTabs label="Lanes">
      {lanes.map((lane) => (
        <span key={lane.id} data-lane={lane.id}>
          <FilterTab
            isCurrent={lane.id === current}
            count={countText(lane.total)}
            onClick={() => {
              onOpen(lane)
              requestAnimationFrame(() =>
                laneElement(board.current, lane.id)?.scrollIntoView({ block: 'nearest', inline: 'center' }),
              )
            }}
          >
            {lane.name}
          </FilterTab>
        </span>
      ))}
    </FilterTabs>
  )
}

const laneElement = (board: HTMLElement | null, id: number) =>
  board?.querySelector<HTMLElement>(`section[data-lane="${id}"]`)

/** Returns the ID of the lane that is closest to the middle of the board. */
function useLaneInView<Card>(
  board: RefObject<HTMLDivElement | null>,
  lanes: readonly BoardLane<Card>[],
): number | undefined {
  const [current, setCurrent] = useState(lanes[0]?.id)
  useEffect(() => {
    const element = board.current
    if (!element) return undefined
    const find = () => {
      const { left, width } = element.getBoundingClientRect()
      const distance = (one: Element) => {
        const at = one.getBoundingClientRect()
        return Math.abs(at.left + at.width / 2 - left - width / 2)
      }
      const [nearest] = [...element.querySelectorAll<HTMLElement>('section[data-lane]')].toSorted(
        (a, b) => distance(a) - distance(b),
      )
      if (nearest) setCurrent(Number(nearest.dataset['lane']))
    }
    element.addEventListener('scroll', find, { passive: true })
    return () => element.removeEventListener('scroll', find)
  }, [board])
  return current
}
