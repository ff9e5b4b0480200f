import { useRef, useState } from 'react'
import {
  cardAt,
  isSamePlace,
  placeOf,
  placeText,
  stepPlace,
  type Lane,
  type Place,
} from '#web/board/lanes.ts'

export interface Move<Card> {
  card: Card
  /** ID of the lane. */
  to: number
  /** The card that it is placed before; undefined at the end of the lane. */
  before: Card | undefined
}

/** A card that is being moved: where it came from, and where it would be dropped. */
export interface Lifted {
  id: number
  from: Place
  /** Undefined while the pointer is not over a lane. */
  to: Place | undefined
  by: 'pointer' | 'keys'
  /** Height of the card in pixels. */
  height: number
}

interface Options<Card> {
  lanes: readonly Lane<Card>[]
  keyOf: (card: Card) => number
  nameOf: (card: Card) => string
  isOrdered: boolean
  /** Moves a card; resolves to false if it was not moved. */
  onMove: (move: Move<Card>) => Promise<boolean>
  /** Called when a card was dropped, and when the drop was refused. */
  onDropped: (id: number, isRefused: boolean) => void
}

/** The moves of a card, by pointer, keys, and menu. */
export type Lift = Omit<ReturnType<typeof useLift>, 'lifted' | 'move'> & {
  lifted: Lifted | undefined
  move: (id: number, to: Place) => Promise<void>
}

/** Moves cards between lanes, by pointer, keys, or menu. `announcement` describes each step. */
export function useLift<Card>({ lanes, keyOf, nameOf, isOrdered, onMove, onDropped }: Options<Card>) {
  // The card as the user saw it: a drop is refused if someone else has moved it since then.
  const [lifted, setLifted] = useState<Lifted & { card: Card }>()
  const [announcement, setAnnouncement] = useState('')
  const steps = useRef(0)
  const say = (text: string) => {
    steps.current += 1
    setAnnouncement(text)
  }
  const cardOf = (id: number) => {
    const at = placeOf(lanes, keyOf, id)
    return at && lanes.find((lane) => lane.id === at.lane)?.cards[at.index]
  }

  function lift(id: number, by: Lifted['by'], height: number): void {
    const from = placeOf(lanes, keyOf, id)
    const card = cardOf(id)
    if (!from || !card) return
    setLifted({ id, card, from, to: from, by, height })
    const at = placeText(lanes, from, from, isOrdered)
    if (by === 'keys')
      say(
        `${nameOf(card)} picked up from ${at}. Press an arrow key to move it, Space to drop it, or Escape to cancel.`,
      )
  }

  function hover(to: Place | undefined): void {
    if (!lifted || (lifted.to?.lane === to?.lane && lifted.to?.index === to?.index)) return
    setLifted({ ...lifted, to })
    const card = cardOf(lifted.id)
    if (card && to) say(`${nameOf(card)} is over ${placeText(lanes, lifted.from, to, isOrdered)}`)
  }

  /** Handles an arrow key; returns whether it moved the card. */
  function step(key: string): boolean {
    const to = lifted?.to && stepPlace(lanes, keyOf, lifted.id, lifted.to, key, isOrdered)
    if (to) hover(to)
    return to !== undefined
  }

  function cancel(): void {
    const card = lifted && cardOf(lifted.id)
    setLifted(undefined)
    if (card) say(`${nameOf(card)} wasn’t moved.`)
  }

  /** Moves a card to a place, such as one from its menu. */
  async function move(id: number, to: Place, card = cardOf(id)): Promise<void> {
    const from = placeOf(lanes, keyOf, id)
    if (!from || !card || isSamePlace(from, to, isOrdered)) return cancel()
    setLifted(undefined)
    const before = isOrdered ? cardAt(lanes, keyOf, id, to) : undefined
    const moving = onMove({ card, to: to.lane, before })
    const step = steps.current
    onDropped(id, false)
    const isMoved = await moving
    if (!isMoved) onDropped(id, true)
    const where = placeText(lanes, from, to, isOrdered)
    // The user may have picked up a card since then, and hears of its steps. A refusal is said regardless.
    if (!isMoved) say(`${nameOf(card)} wasn’t moved.`)
    else if (step === steps.current) say(`${nameOf(card)} moved to ${where}.`)
  }

  /** Drops a card. A fast drop with the pointer is known before the state that its last step set. */
  function drop(id = lifted?.id, to = lifted?.to): void {
    if (id === undefined || !to) return cancel()
    void move(id, to, lifted?.id === id ? lifted.card : undefined)
  }

  return { lifted, announcement, lift, hover, step, cancel, drop, move }
}

/** Returns the index of the card that the dashed place is before; undefined if the lane shows no place. */
export function dropIndex(
  lane: number,
  lifted: Lifted | undefined,
  liftedIndex: number,
  isOrdered: boolean,
): number | undefined {
  if (lifted?.to?.lane !== lane) return undefined
  const isOwn = lifted.from.lane === lane
  if (isOwn && (!isOrdered || lifted.from.index === lifted.to.index)) return undefined
  // Places are counted without the lifted card, which stays where it was.
  return liftedIndex >= 0 && lifted.to.index > liftedIndex ? lifted.to.index + 1 : lifted.to.index
}
