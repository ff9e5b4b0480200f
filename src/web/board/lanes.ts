/** A lane of a board. Its cards are the first of all that it has; `total` counts all. */
export interface Lane<Card> {
  id: number
  name: string
  total: number
  cards: readonly Card[]
}

/** A place in a lane: before the card that has this index once the moved card is taken out. */
export interface Place {
  lane: number
  index: number
}

type KeyOf<Card> = (card: Card) => number

/** Returns where a card is; undefined if no lane has it. */
export function placeOf<Card>(
  lanes: readonly Lane<Card>[],
  keyOf: KeyOf<Card>,
  id: number,
): Place | undefined {
  for (const { id: lane, cards } of lanes) {
    const index = cards.findIndex((card) => keyOf(card) === id)
    if (index >= 0) return { lane, index }
  }
  return undefined
}

const without = <Card>(cards: readonly Card[], keyOf: KeyOf<Card>, id: number) =>
  cards.filter((card) => keyOf(card) !== id)

/** Returns the card that a moved card goes before; undefined at the end of the lane. */
export const cardAt = <Card>(
  lanes: readonly Lane<Card>[],
  keyOf: KeyOf<Card>,
  id: number,
  { lane, index }: Place,
): Card | undefined => without(lanes.find((one) => one.id === lane)?.cards ?? [], keyOf, id)[index]

/** Returns the lanes with a card moved before another one, or to the end if no card of the lane is `before`. */
export function moveCard<Card, L extends Lane<Card>>(
  lanes: readonly L[],
  keyOf: KeyOf<Card>,
  id: number,
  to: number,
  before: number,
): L[] {
  const from = placeOf(lanes, keyOf, id)
  if (!from) return [...lanes]
  const moved = lanes.find((lane) => lane.id === from.lane)!.cards[from.index]!
  return lanes.map((lane) => {
    if (lane.id !== from.lane && lane.id !== to) return lane
    const cards = without(lane.cards, keyOf, id)
    const total = lane.total - (lane.id === from.lane ? 1 : 0) + (lane.id === to ? 1 : 0)
    if (lane.id !== to) return { ...lane, total, cards }
    const at = cards.findIndex((card) => keyOf(card) === before)
    return { ...lane, total, cards: cards.toSpliced(at < 0 ? cards.length : at, 0, moved) }
  })
}

/** Returns the place that an arrow key leads to; undefined if there is none. Lanes without order have only one place. */
export function stepPlace<Card>(
  lanes: readonly Lane<Card>[],
  keyOf: KeyOf<Card>,
  id: number,
  { lane, index }: Place,
  key: string,
  isOrdered: boolean,
): Place | undefined {
  const last = (one: Lane<Card>) => without(one.cards, keyOf, id).length
  const at = lanes.findIndex((one) => one.id === lane)
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const next = lanes[at + (key === 'ArrowLeft' ? -1 : 1)]
    return next && { lane: next.id, index: isOrdered ? Math.min(index, last(next)) : 0 }
  }
  if (!isOrdered || !lanes[at]) return undefined
  const places: Readonly<Record<string, number>> = {
    ArrowUp: index - 1,
    ArrowDown: index + 1,
    Home: 0,
    End: last(lanes[at]),
  }
  const next = places[key]
  return next === undefined || next < 0 || next > last(lanes[at]) ? undefined : { lane, index: next }
}

/** Returns whether dropping a card at a place would change nothing. */
export const isSamePlace = (from: Place, to: Place, isOrdered: boolean): boolean =>
  from.lane === to.lane && (!isOrdered || from.index === to.index)

/** Returns the words for a place, such as `Doing, position 2 of 6`. */
export function placeText<Card>(
  lanes: readonly Lane<Card>[],
  from: Place,
  { lane, index }: Place,
  isOrdered: boolean,
): string {
  const found = lanes.find((one) => one.id === lane)
  if (!found) return ''
  const total = found.total + (from.lane === lane ? 0 : 1)
  return isOrdered ? `${found.name}, position ${index + 1} of ${total}` : found.name
}

/** Returns the moves within a lane that a menu offers for the card with this index, with the index that each leads to. */
export const movesWithin = (
  index: number,
  last: number,
): readonly (readonly [label: string, index: number])[] =>
  (
    [
      ['Move to top', 0],
      ['Move up', index - 1],
      ['Move down', index + 1],
      ['Move to bottom', last],
    ] as const
  ).filter(([, to]) => to !== index && to >= 0 && to <= last)
