import { useEffect, useEffectEvent } from 'react'
import { placeAt } from '#web/board/cardElements.ts'
import type { Lane, Place } from '#web/board/lanes.ts'
import type { Lift } from '#web/board/useLift.ts'

/** A finger that rests on a card this long lifts it; one that moves earlier scrolls. */
const holdMs = 350
const slack = 8
/** Distance from an edge within which the board and its lanes scroll, and how far per frame. */
const edge = 48
const scrollStep = 9

interface Touch {
  pointer: number
  card: HTMLElement
  id: number
  x: number
  y: number
  /** Set once the card is lifted. */
  ghost?: HTMLElement
  timer?: number
  frame?: number
}

/**
 * Lets cards be dragged by touch: browsers don't start the native drags of the library for touch everywhere, so
 * a card that is held is lifted here, and hovers and drops like any other.
 */
export function useTouchDrag<Card>(
  root: { current: HTMLElement | null },
  lift: Lift,
  lanes: readonly Lane<Card>[],
  { isOrdered, mayMove }: { isOrdered: boolean; mayMove: boolean },
): void {
  const placeUnder = useEffectEvent((touch: Touch): Place | undefined => {
    const lane = document.elementFromPoint(touch.x, touch.y)?.closest<HTMLElement>('[data-lane]')
    return lane ? placeAt(lane, touch.y, touch.id, isOrdered, lanes) : undefined
  })
  const start = useEffectEvent((touch: Touch) => lift.lift(touch.id, 'pointer', touch.card.offsetHeight))
  const hover = useEffectEvent((touch: Touch) => lift.hover(placeUnder(touch)))
  const end = useEffectEvent((touch: Touch, isDropped: boolean) => {
    const to = isDropped ? placeUnder(touch) : undefined
    if (to) lift.drop(touch.id, to)
    else lift.cancel()
  })
  useEffect(() => {
    const element = root.current
    if (!mayMove || !element) return undefined
    return listen(element, { start, hover, end })
  }, [root, mayMove])
}

interface Handlers {
  start: (touch: Touch) => void
  hover: (touch: Touch) => void
  end: (touch: Touch, isDropped: boolean) => void
}

/** Follows the finger on the cards of a board; returns the function that stops this. */
function listen(root: HTMLElement, { start, hover, end }: Handlers): () => void {
  let touch: Touch | undefined

  function begin(event: PointerEvent): void {
    const card = (event.target as Element).closest<HTMLElement>('[data-card]')
    if (event.pointerType !== 'touch' || !event.isPrimary || !card) return
    stop(false)
    const { pointerId: pointer, clientX: x, clientY: y } = event
    const begun: Touch = { pointer, card, id: Number(card.dataset['card']), x, y }
    begun.timer = window.setTimeout(() => pickUp(begun), holdMs)
    touch = begun
  }
  function pickUp(begun: Touch): void {
    begun.ghost = ghostOf(root, begun.card)
    navigator.vibrate?.(10)
    start(begun)
    const scroll = () => {
      scrollNear(root, begun)
      begun.frame = requestAnimationFrame(scroll)
    }
    scroll()
  }
  function move(event: PointerEvent): void {
    if (touch?.pointer !== event.pointerId) return
    const [dx, dy] = [event.clientX - touch.x, event.clientY - touch.y]
    if (!touch.ghost) {
      if (Math.hypot(dx, dy) > slack) stop(false)
      return
    }
    const { left, top } = touch.ghost.getBoundingClientRect()
    Object.assign(touch.ghost.style, { left: `${left + dx}px`, top: `${top + dy}px` })
    Object.assign(touch, { x: event.clientX, y: event.clientY })
    hover(touch)
  }
  function stop(isDropped: boolean): void {
    if (!touch) return
    const ended = touch
    touch = undefined
    clearTimeout(ended.timer)
    if (ended.frame !== undefined) cancelAnimationFrame(ended.frame)
    if (!ended.ghost) return
    ended.ghost.remove()
    end(ended, isDropped)
  }
  const up = ({ pointerId }: PointerEvent) => touch?.pointer === pointerId && stop(true)
  const cancel = ({ pointerId }: PointerEvent) => touch?.pointer === pointerId && stop(false)
  // Without this, the browser would scroll instead, and send no further positions.
  const hold = (event: TouchEvent) => touch?.ghost && event.preventDefault()

  root.addEventListener('pointerdown', begin)
  root.addEventListener('touchmove', hold, { passive: false })
  root.addEventListener('touchend', hold, { passive: false })
  document.addEventListener('pointermove', move)
  document.addEventListener('pointerup', up)
  document.addEventListener('pointercancel', cancel)
  return () => {
    stop(false)
    root.removeEventListener('pointerdown', begin)
    root.removeEventListener('touchmove', hold)
    root.removeEventListener('touchend', hold)
    document.removeEventListener('pointermove', move)
    document.removeEventListener('pointerup', up)
    document.removeEventListener('pointercancel', cancel)
  }
}

/** Returns a copy of a card that follows the finger. */
function ghostOf(root: HTMLElement, card: HTMLElement): HTMLElement {
  // An entry of a list has a handle, and moves as a whole.
  const whole = card.closest<HTMLElement>('[data-whole]') ?? card
  const { left, top, width } = whole.getBoundingClientRect()
  const ghost = whole.cloneNode(true) as HTMLElement
  for (const name of ['data-card', 'data-index']) ghost.removeAttribute(name)
  ghost.ariaHidden = 'true'
  ghost.dataset['ghost'] = ''
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` })
  root.append(ghost)
  return ghost
}

/** Scrolls the board and the lane below the finger while it is near their edges. */
function scrollNear(root: HTMLElement, { x, y }: Touch): void {
  const body = document.elementFromPoint(x, y)?.closest('[data-lane]')?.querySelector('[data-lane-body]')
  const across = root.getBoundingClientRect()
  root.scrollLeft += stepAt(x, across.left, across.right)
  if (!body) return
  const { top, bottom } = body.getBoundingClientRect()
  body.scrollTop += stepAt(y, top, bottom)
}

const stepAt = (at: number, from: number, to: number): number =>
  at < from + edge ? -scrollStep : at > to - edge ? scrollStep : 0
