import { useNavigate } from '@tanstack/react-router'
import type { BoardLane } from '#web/board/Board.tsx'
import { movesWithin, type Place } from '#web/board/lanes.ts'
import { Menu, MenuItem, MenuLine } from '#web/parts/Menu.tsx'

interface Props<Card> {
  id: number
  /** Where the card is. */
  at: Place
  lanes: readonly BoardLane<Card>[]
  nameOf: (card: Card) => string
  addressOf: (card: Card) => string
  isOrdered: boolean
  mayMove: boolean
  onClose: () => void
  onMove: (to: Place) => void
}

/** Menu of a card: everything that a drop can do. */
export function CardMenu<Card>({ at, lanes, nameOf, addressOf, isOrdered, mayMove, ...menu }: Props<Card>) {
  const navigate = useNavigate()
  const { cards } = lanes.find(({ id }) => id === at.lane)!
  const card = cards[at.index]!
  const last = cards.length - 1
  return (
    <Menu id="card-menu" opened onClose={menu.onClose} label={`Actions for ${nameOf(card)}`}>
      <MenuItem onClick={() => void navigate({ to: addressOf(card) })}>Open</MenuItem>
      {mayMove && (
        <>
          <MenuLine />
          {lanes
            .filter(({ id }) => id !== at.lane)
            .map((lane) => (
              <MenuItem
                key={lane.id}
                onClick={() => menu.onMove({ lane: lane.id, index: isOrdered ? lane.cards.length : 0 })}
              >
                {lane.moveLabel ?? `Move to ${lane.name}`}
              </MenuItem>
            ))}
          {isOrdered && last > 0 && <MenuLine />}
          {isOrdered &&
            movesWithin(at.index, last).map(([label, index]) => (
              <MenuItem key={label} onClick={() => menu.onMove({ lane: at.lane, index })}>
                {label}
              </MenuItem>
            ))}
        </>
      )}
    </Menu>
  )
}
