import { memo, useEffect, useEffectEvent, useRef, useState, type ReactElement } from 'react'
import IconArrowsHorizontal from '@tabler/icons-react/dist/esm/icons/IconArrowsHorizontal.mjs'
import IconLayoutSidebarLeftCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { BoardLane } from '#web/board/Board.tsx'
import { BoardCard } from '#web/board/BoardCard.tsx'
import { useBoard } from '#web/board/boardContext.ts'
import type { CardTexts } from '#web/board/CardFace.tsx'
import classes from '#web/board/board.module.css'
import { dropIndex } from '#web/board/useLift.ts'
import { gap, overscan, useShownCards, type Body } from '#web/board/useShownCards.ts'
import { IconButton } from '#web/parts/controls.tsx'
import { countText } from '#web/time.ts'

interface Shown<Card> {
  lane: BoardLane<Card>
  words: readonly [one: string, many: string]
  fold: (isFolded: boolean) => void
}

const cardCount = (total: number, [one, many]: readonly [string, string]) =>
  `${countText(total)} ${total === 1 ? one : many}`

/** Lets cards be dropped on a lane, and scrolls it while a card is near its ends. */
function useDropLane(lane: number, body?: Body) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    const target = dropTargetForElements({ element: element.current!, getData: () => ({ lane }) })
    return body ? combine(target, autoScrollForElements({ element: body })) : target
  }, [lane, body])
  return element
}

/** A lane as a narrow strip, which a click opens; it takes drops too. */
export function FoldedLane<Card>({ lane, words, fold }: Shown<Card>) {
  const element = useDropLane(lane.id)
  const { lifted } = useBoard()
  return (
    <section
      ref={element}
      className={classes.slim}
      data-lane={lane.id}
      data-over={lifted?.to?.lane === lane.id || undefined}
    >
      <button
        type="button"
        aria-expanded={false}
        aria-label={`${lane.name}, ${cardCount(lane.total, words)}, expand`}
        onClick={() => fold(false)}
      >
        <IconArrowsHorizontal size={14} aria-hidden />
        {lane.title ?? lane.name} <span className={classes.count}>{countText(lane.total)}</span>
      </button>
    </section>
  )
}

interface OpenProps<Card> extends Shown<Card> {
  keyOf: (card: Card) => number
  nameOf: (card: Card) => string
  addressOf: (card: Card) => string
  texts: (card: Card) => CardTexts
  onMore: (lane: BoardLane<Card>) => void
}

/** A lane with its cards. */
export function OpenLane<Card>(props: OpenProps<Card>) {
  const { lane, words, fold } = props
  // State, because the cards inside need the element as soon as it exists.
  const [body, setBody] = useState<Body>(null)
  const element = useDropLane(lane.id, body)
  const { lifted } = useBoard()
  return (
    <section
      ref={element}
      className={classes.lane}
      aria-label={`${lane.name}, ${cardCount(lane.total, words)}`}
      data-lane={lane.id}
      data-over={lifted?.to?.lane === lane.id || undefined}
    >
      <header>
        <h2>{lane.title ?? lane.name}</h2>
        <span className={classes.count}>{countText(lane.total)}</span>
        {lane.note}
        <span className={classes.fold}>
          <IconButton bare label={`Fold ${lane.name}`} aria-expanded onClick={() => fold(true)}>
            <IconLayoutSidebarLeftCollapse size={14} aria-hidden />
          </IconButton>
        </span>
      </header>
      {lane.sum}
      <div ref={setBody} className={classes.body} data-lane-body>
        <Cards {...props} body={body} />
      </div>
    </section>
  )
}

/** Cards of a lane, of which only those near the screen are rendered. */
function Cards<Card>(props: OpenProps<Card> & { body: Body }) {
  const { lane, body, keyOf, nameOf, addressOf, texts } = props
  const { lifted, focused, menuOf, mayMove, isOrdered } = useBoard()
  const indexOf = (id: number | undefined) => lane.cards.findIndex((one) => keyOf(one) === id)
  const liftedIndex = indexOf(lifted?.id)
  const { items, size, measure } = useShownCards(lane, body, keyOf, [liftedIndex, indexOf(focused)])
  useNextCards(props, items.at(-1)?.index ?? -1)
  const height = lifted?.height ?? 0
  const before = dropIndex(lane.id, lifted, liftedIndex, isOrdered)
  const room = before === undefined ? 0 : height + gap
  const top = items.find(({ index }) => index === before)?.start ?? size + (lane.cards.length ? gap : 0)
  return (
    <ul className={classes.cards} aria-label={lane.name} style={{ height: size + room }}>
      {room > 0 && (
        <li className={classes.place} aria-hidden style={{ height, transform: `translateY(${top}px)` }} />
      )}
      {items.map(({ index, start }) => (
        <li
          key={keyOf(lane.cards[index]!)}
          ref={measure}
          data-index={index}
          aria-posinset={index + 1}
          aria-setsize={lane.total}
          style={{
            transform: `translateY(${start + (before !== undefined && index >= before ? room : 0)}px)`,
          }}
        >
          <CardOfLane
            card={lane.cards[index]!}
            keyOf={keyOf}
            nameOf={nameOf}
            addressOf={addressOf}
            texts={texts}
            mayMove={mayMove}
            lifted={index === liftedIndex ? lifted?.by : undefined}
            isMenuOpen={keyOf(lane.cards[index]!) === menuOf}
          />
        </li>
      ))}
    </ul>
  )
}

/** Requests the next cards of a lane when its last ones are near the screen. */
function useNextCards<Card>({ lane, onMore }: OpenProps<Card>, last: number): void {
  const { cards, total } = lane
  const loaded = cards.length < total && last >= cards.length - overscan ? cards.length : undefined
  const more = useEffectEvent(() => onMore(lane))
  useEffect(() => {
    if (loaded !== undefined) more()
  }, [loaded])
}

interface CardProps<Card> extends Pick<OpenProps<Card>, 'keyOf' | 'nameOf' | 'addressOf' | 'texts'> {
  card: Card
  mayMove: boolean
  lifted: 'pointer' | 'keys' | undefined
  isMenuOpen: boolean
}

/** Rendered only if the card itself changes, because a drag renders its lanes at every step. */
const CardOfLane = memo(function CardOfLane<Card>({
  card,
  keyOf,
  nameOf,
  addressOf,
  texts,
  ...state
}: CardProps<Card>) {
  return (
    <BoardCard id={keyOf(card)} name={nameOf(card)} to={addressOf(card)} texts={texts(card)} {...state} />
  )
}) as <Card>(props: CardProps<Card>) => ReactElement
