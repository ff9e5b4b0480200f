import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { useLocalStorage } from '@mantine/hooks'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { BoardContext } from '#web/board/boardContext.ts'
import { CardMenu } from '#web/board/CardMenu.tsx'
import type { CardTexts } from '#web/board/CardFace.tsx'
import { cardElement, flyBack } from '#web/board/cardElements.ts'
import { FoldedLane, OpenLane } from '#web/board/LaneColumn.tsx'
import { placeOf, type Lane } from '#web/board/lanes.ts'
import { LaneTabs } from '#web/board/LaneTabs.tsx'
import { pressCard, takeKey } from '#web/board/pressCard.ts'
import { useDragMonitor } from '#web/board/useDragMonitor.ts'
import { useLift, type Lift, type Move } from '#web/board/useLift.ts'
import { useTouchDrag } from '#web/board/useTouchDrag.ts'
import classes from '#web/board/board.module.css'
import { usePhone } from '#web/list/usePhone.ts'
import { personalKey } from '#web/session.ts'

export interface BoardLane<Card> extends Lane<Card> {
  /** Shown as the lane's name; defaults to the name as text. */
  title?: ReactNode
  /** Shown after the number of cards, such as how many are overdue. */
  note?: ReactNode
  /** Shown below the name, such as the sum of amounts. */
  sum?: ReactNode
  /** Menu item that moves a card to the lane; defaults to `Move to NAME`. */
  moveLabel?: string
  /** Whether the lane is a narrow strip until the user opens it. It takes drops either way. */
  isFolded?: boolean
}

interface Props<Card> {
  /** Name of the board, under which the folded lanes are kept. */
  name: string
  label: string
  lanes: readonly BoardLane<Card>[]
  /** Singular and plural of the cards, such as `['lead', 'leads']`. */
  words: readonly [one: string, many: string]
  keyOf: (card: Card) => number
  nameOf: (card: Card) => string
  addressOf: (card: Card) => string
  texts: (card: Card) => CardTexts
  /** Whether cards have an order that users give them; otherwise, a drop only changes the lane. */
  isOrdered: boolean
  mayMove: boolean
  /** Moves a card; resolves to false if it was not moved, and the card flies back. */
  onMove: (move: Move<Card>) => Promise<boolean>
  /** Called when the next cards of a lane are about to be shown. */
  onMore: (lane: Lane<Card>) => void
  /** Shown below the lanes. */
  children?: ReactNode
}

/**
 * Cards in lanes, as a layout of a list. Cards are moved by pointer, with the keyboard, or from their menu, and
 * have no other controls: `docs/decisions/017-boards.md`.
 */
export function Board<Card>(props: Props<Card>) {
  const { name, label, lanes, keyOf, nameOf, isOrdered, mayMove } = props
  const root = useRef<HTMLDivElement>(null)
  const [folds, setFolds] = useFolds(name)
  const [menuOf, setMenuOf] = useState<number>()
  const [focused, setFocused] = useState<number>()
  const { onDropped, keepFocus } = useAfterDrop(root, setFocused)
  const lift = useLift({ lanes, keyOf, nameOf, isOrdered, onMove: props.onMove, onDropped })
  const { lifted } = lift
  useEffect(() => keepFocus(lifted?.by === 'keys' ? lifted.id : undefined))
  useDragMonitor(root, lift, lanes, isOrdered)
  useEffect(() => autoScrollForElements({ element: root.current! }), [])
  useTouchDrag(root, lift, lanes, { isOrdered, mayMove })
  const isPhone = usePhone()
  const isFolded = (lane: BoardLane<Card>) => folds[lane.id] ?? lane.isFolded ?? false
  const openMenu = (event: MouseEvent<HTMLElement>) => {
    const id = idOfCard(event)
    if (id === undefined) return
    event.preventDefault()
    // Holding a card drags it; its menu has a button.
    if (event.type === 'contextmenu' && isTouch(event)) return
    // Linux and macOS ask for the menu when the mouse button is pressed; its release would close an open one.
    if (event.buttons === 0) setMenuOf(id)
    else addEventListener('pointerup', () => setTimeout(() => setMenuOf(id)), { once: true })
  }
  const opened = menuOf === undefined ? undefined : placeOf(lanes, keyOf, menuOf)
  return (
    <BoardContext value={{ mayMove, isOrdered, lifted, menuOf, focused }}>
      <div className={classes.page} data-fill>
        {isPhone && (
          <LaneTabs
            board={root}
            lanes={lanes}
            onOpen={(lane) => isFolded(lane) && setFolds({ ...folds, [lane.id]: false })}
          />
        )}
        <div
          ref={root}
          className={classes.board}
          role="group"
          aria-label={label}
          onKeyDown={(event) => press(event, lift, mayMove)}
          onFocus={(event) => setFocused(idOfCard(event))}
          onBlur={({ relatedTarget }) => relatedTarget && lifted?.by === 'keys' && lift.cancel()}
          onContextMenu={openMenu}
          onClick={(event) => isMenuButton(event) && openMenu(event)}
        >
          {lanes.map((lane) => {
            const shown = { lane, fold: (is: boolean) => setFolds({ ...folds, [lane.id]: is }) }
            return isFolded(lane) ? (
              <FoldedLane key={lane.id} {...shown} words={props.words} />
            ) : (
              <OpenLane key={lane.id} {...shown} {...props} />
            )
          })}
        </div>
        <p className={classes.keys}>
          {mayMove && <Keys isOrdered={isOrdered} />}
          <span className={classes.said} role="status">
            {lift.announcement}
          </span>
          {props.children}
        </p>
        {opened && menuOf !== undefined && (
          <CardMenu
            {...props}
            id={menuOf}
            at={opened}
            onClose={() => setMenuOf(undefined)}
            onMove={(to) => void lift.move(menuOf, to)}
          />
        )}
      </div>
    </BoardContext>
  )
}

function useFolds(name: string) {
  return useLocalStorage<Readonly<Record<number, boolean>>>({
    key: personalKey(`folded-${name}`),
    defaultValue: {},
    getInitialValueInEffect: false,
  })
}

/** Time for which a dropped card gets the focus back, because its element is replaced in the other lane. */
const focusMs = 2000

/** Keeps the focus on a card that moves, and lets a refused one fly back from where it was dropped. */
function useAfterDrop(root: { readonly current: HTMLDivElement | null }, setFocused: (id: number) => void) {
  const dropped = useRef<{ id: number; until: number; rect?: DOMRect }>(undefined)

  function onDropped(id: number, isRefused: boolean): void {
    setFocused(id)
    const from = dropped.current?.id === id ? dropped.current.rect : undefined
    dropped.current = { id, until: performance.now() + focusMs }
    if (isRefused && from) flyBack(() => cardElement(root.current, id), from)
  }
  /** Focuses a card again whose element was replaced: the lifted one, or the one that was just dropped. */
  function keepFocus(liftedId: number | undefined): void {
    const last = dropped.current
    const id = liftedId ?? (last && performance.now() < last.until ? last.id : undefined)
    const card = id === undefined ? undefined : cardElement(root.current, id)
    if (!card) return
    if (last && last.id === id) last.rect = card.getBoundingClientRect()
    if (document.activeElement !== document.body) return
    card.focus({ preventScroll: true })
    card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  return { onDropped, keepFocus }
}

/** The board handles the events of its cards, so that moving one doesn't render the others. */
const idOfCard = ({ target }: { target: EventTarget }): number | undefined => {
  const card = (target as Element).closest('[data-frame]')
  return card instanceof HTMLElement ? Number(card.dataset['frame']) : undefined
}
const isTouch = ({ nativeEvent }: MouseEvent) =>
  nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'
const isMenuButton = ({ target }: { target: EventTarget }) =>
  (target as Element).closest('[data-more]') !== null

/** Handles the keys of a card: those that move it, and arrow keys, which move the focus. */
function press(event: KeyboardEvent<HTMLElement>, lift: Lift, mayMove: boolean): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  const card = (event.target as Element).closest<HTMLElement>('[data-card]')
  if (!card || ctrlKey || metaKey || altKey || shiftKey) return
  if (pressCard(event, card, lift, mayMove) || !key.startsWith('Arrow')) return
  takeKey(event)
  focusNeighbor(card, key)
}

/** Moves the focus to the next card in a direction. */
function focusNeighbor(card: HTMLElement, key: string): void {
  const item = card.closest('li')!
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const next = key === 'ArrowUp' ? item.previousElementSibling : item.nextElementSibling
    next?.querySelector<HTMLElement>('[data-card]')?.focus()
    return
  }
  const lanes = [...card.closest('[role=group]')!.querySelectorAll('section')].filter((lane) =>
    lane.querySelector('[data-card]'),
  )
  const next = lanes[lanes.indexOf(card.closest('section')!) + (key === 'ArrowLeft' ? -1 : 1)]
  const cards = [...(next?.querySelectorAll<HTMLElement>('[data-card]') ?? [])]
  const { top } = card.getBoundingClientRect()
  const distance = (one: HTMLElement) => Math.abs(one.getBoundingClientRect().top - top)
  cards.toSorted((a, b) => distance(a) - distance(b))[0]?.focus()
}

const Keys = ({ isOrdered }: { isOrdered: boolean }) => (
  <span className={classes.help}>
    <Key name="Tab">next card</Key>
    <Key name="Space">pick up or drop</Key>
    <Key name="← →">change lane</Key>
    {isOrdered && <Key name="↑ ↓">reorder</Key>}
    <Key name="Esc">cancel</Key>
    <Key name="Enter">open</Key>
  </span>
)

const Key = ({ name, children }: { name: string; children: string }) => (
  <span>
    <kbd>{name}</kbd> {children}
  </span>
)
