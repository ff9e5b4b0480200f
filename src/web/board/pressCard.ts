import type { KeyboardEvent } from 'react'
import type { Lift } from '#web/board/useLift.ts'

/** Prevents what a key does otherwise, in the browser and on the page. */
export function takeKey(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

/**
 * Handles the keys that move a card: Space lifts and drops it, arrow keys move it, Escape cancels. Returns
 * whether the key was one of them.
 */
export function pressCard(event: KeyboardEvent, card: HTMLElement, lift: Lift, mayMove: boolean): boolean {
  const { key } = event
  const id = Number(card.dataset['card'])
  const isLifted = lift.lifted?.id === id
  if (key !== ' ' && !isLifted) return false
  takeKey(event)
  if (!isLifted) {
    if (mayMove) lift.lift(id, 'keys', card.offsetHeight)
  } else if (key === ' ' || key === 'Enter') lift.drop()
  else if (key === 'Escape' || key === 'Tab') lift.cancel()
  else lift.step(key)
  return true
}
