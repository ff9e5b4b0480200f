import { type Lane, type Place } from '#web/board/lanes.ts'

/** Returns the element of a card; undefined while it is not rendered. */
export const cardElement = (root: HTMLElement | null, id: number): HTMLElement | undefined =>
  root?.querySelector<HTMLElement>(`[data-card="${id}"]`) ?? undefined

/** Returns the place in a lane that the pointer is over. */
export function placeAt<Card>(
  element: HTMLElement,
  y: number,
  id: number,
  isOrdered: boolean,
  lanes: readonly Lane<Card>[],
): Place | undefined {
  const lane = lanes.find((one) => one.id === Number(element.dataset['lane']))
  if (!lane) return undefined
  if (!isOrdered) return { lane: lane.id, index: 0 }
  const items = [...element.querySelectorAll<HTMLElement>('li[data-index]')]
  const own = items.find((item) => item.querySelector(`[data-card="${id}"]`))
  const ownIndex = own ? Number(own.dataset['index']) : undefined
  const below = items.find((item) => {
    const { top, height } = item.getBoundingClientRect()
    return item !== own && top + height / 2 > y
  })
  const index = below ? Number(below.dataset['index']) : lane.cards.length
  return { lane: lane.id, index: ownIndex !== undefined && ownIndex < index ? index - 1 : index }
}

/** Moves a card visibly from where it was dropped to where it is, as soon as it has moved. */
export function flyBack(find: () => HTMLElement | undefined, from: DOMRect, frames = 20): void {
  if (frames === 0 || globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches) return
  requestAnimationFrame(() => {
    const card = find()
    const to = card?.getBoundingClientRect()
    if (!card || !to || (to.left === from.left && to.top === from.top)) return flyBack(find, from, frames - 1)
    const distance = `translate(${from.left - to.left}px, ${from.top - to.top}px)`
    card.animate([{ transform: distance }, { transform: 'none' }], { duration: 220, easing: 'ease-out' })
  })
}
