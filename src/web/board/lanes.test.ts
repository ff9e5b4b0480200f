import { expect, test } from 'vitest'
import { cardAt, isSamePlace, moveCard, placeOf, placeText, stepPlace } from '#web/board/lanes.ts'

interface Card {
  id: number
}
const keyOf = ({ id }: Card) => id
const lane = (id: number, name: string, ...cards: number[]) => ({
  id,
  name,
  total: cards.length,
  cards: cards.map((card) => ({ id: card })),
})
const lanes = [lane(1, 'To do', 11, 12, 13), lane(2, 'Doing', 21), lane(3, 'Done')]
const shown = (of: typeof lanes) => of.map(({ cards, total }) => [total, ...cards.map(keyOf)])
const step = (id: number, at: { lane: number; index: number }, key: string, isOrdered = true) =>
  stepPlace(lanes, keyOf, id, at, key, isOrdered)

test('a card moves before another one, or to the end, and both lanes count it', () => {
  expect(shown(moveCard(lanes, keyOf, 12, 2, 21))).toEqual([[2, 11, 13], [2, 12, 21], [0]])
  expect(shown(moveCard(lanes, keyOf, 12, 2, 0))).toEqual([[2, 11, 13], [2, 21, 12], [0]])
  expect(shown(moveCard(lanes, keyOf, 13, 1, 11))).toEqual([[3, 13, 11, 12], [1, 21], [0]])
  expect(shown(moveCard(lanes, keyOf, 11, 1, 0))).toEqual([[3, 12, 13, 11], [1, 21], [0]])
  expect(shown(moveCard(lanes, keyOf, 99, 2, 0))).toEqual(shown(lanes))
})

test('a place is counted without the moved card', () => {
  expect(placeOf(lanes, keyOf, 13)).toEqual({ lane: 1, index: 2 })
  expect(placeOf(lanes, keyOf, 99)).toBeUndefined()
  expect(cardAt(lanes, keyOf, 11, { lane: 1, index: 0 })).toEqual({ id: 12 })
  expect(cardAt(lanes, keyOf, 11, { lane: 1, index: 2 })).toBeUndefined()
  expect(cardAt(lanes, keyOf, 11, { lane: 2, index: 0 })).toEqual({ id: 21 })
})

test('the arrow keys move a card within its lane and to the next one, and stop at the ends', () => {
  expect(step(12, { lane: 1, index: 1 }, 'ArrowUp')).toEqual({ lane: 1, index: 0 })
  expect(step(12, { lane: 1, index: 0 }, 'ArrowUp')).toBeUndefined()
  expect(step(12, { lane: 1, index: 1 }, 'ArrowDown')).toEqual({ lane: 1, index: 2 })
  expect(step(12, { lane: 1, index: 2 }, 'ArrowDown')).toBeUndefined()
  expect(step(12, { lane: 1, index: 1 }, 'End')).toEqual({ lane: 1, index: 2 })
  expect(step(12, { lane: 1, index: 1 }, 'Home')).toEqual({ lane: 1, index: 0 })
  expect(step(13, { lane: 1, index: 2 }, 'ArrowRight')).toEqual({ lane: 2, index: 1 })
  expect(step(13, { lane: 2, index: 1 }, 'ArrowRight')).toEqual({ lane: 3, index: 0 })
  expect(step(13, { lane: 3, index: 0 }, 'ArrowRight')).toBeUndefined()
  expect(step(13, { lane: 1, index: 0 }, 'ArrowLeft')).toBeUndefined()
  expect(step(13, { lane: 1, index: 0 }, 'a')).toBeUndefined()
})

test('in lanes that users don’t order, a card only changes its lane', () => {
  expect(step(13, { lane: 1, index: 2 }, 'ArrowUp', false)).toBeUndefined()
  expect(step(13, { lane: 1, index: 2 }, 'ArrowRight', false)).toEqual({ lane: 2, index: 0 })
  expect(isSamePlace({ lane: 1, index: 2 }, { lane: 1, index: 0 }, false)).toBe(true)
  expect(isSamePlace({ lane: 1, index: 2 }, { lane: 1, index: 0 }, true)).toBe(false)
})

test('the words for a place count the card that comes from another lane', () => {
  const from = { lane: 1, index: 1 }
  expect(placeText(lanes, from, { lane: 2, index: 1 }, true)).toBe('Doing, position 2 of 2')
  expect(placeText(lanes, from, from, true)).toBe('To do, position 2 of 3')
  expect(placeText(lanes, from, { lane: 2, index: 0 }, false)).toBe('Doing')
})
