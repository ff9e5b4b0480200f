import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import type { Lane } from '#web/board/lanes.ts'

/** The part of a lane that scrolls. */
export type Body = HTMLDivElement | null

/** Number of cards beyond the screen that are rendered. */
export const overscan = 6
/** Pixels between two cards. */
export const gap = 7
/** Height of a card that has not been rendered yet, in pixels. */
const usualHeight = 92

/** Returns the cards of a lane that are rendered: those near the screen, and those at `kept`. */
export function useShownCards<Card>(
  { cards }: Lane<Card>,
  body: Body,
  keyOf: (card: Card) => number,
  kept: readonly number[],
) {
  'use no memo'
  // oxlint-disable-next-line react/incompatible-library -- The compiler leaves this hook out, and its results are plain values.
  const virtual = useVirtualizer({
    count: cards.length,
    getScrollElement: () => body,
    estimateSize: () => usualHeight,
    getItemKey: (index) => keyOf(cards[index]!),
    gap,
    overscan,
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), ...kept])]
        .filter((index) => index >= 0 && index < cards.length)
        .toSorted((a, b) => a - b),
  })
  return { items: virtual.getVirtualItems(), size: virtual.getTotalSize(), measure: virtual.measureElement }
}
