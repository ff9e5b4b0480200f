import { expect, test } from 'vitest'
import { moved, ordered, type Parts } from '#features/panel/dashboard/web/cards.ts'

const parts = (...ids: string[]) => ids.map((id) => ({ id, name: id, Part: () => null }))
const idsOf = (all: readonly { id: string }[]) => all.map(({ id }) => id).join(' ')

test.each([
  [[], 'a b c d'],
  [['d', 'c', 'b', 'a'], 'd c b a'],
  // New parts follow the one that they follow by default.
  [['c', 'a'], 'c d a b'],
  [['d', 'gone'], 'a b c d'],
  [['b'], 'a b c d'],
])('with the order %j, the parts are %s', (order, expected) => {
  expect(idsOf(ordered(parts('a', 'b', 'c', 'd'), order))).toBe(expected)
})

test('a part moves within its place, and not beyond its ends', () => {
  const all: Parts = { tiles: parts('a', 'b', 'c'), wide: parts('d', 'e'), narrow: [], full: [], half: [] }
  expect(moved(all, [], 'b', -1)).toEqual(['b', 'a', 'c', 'd', 'e'])
  expect(moved(all, ['b', 'a', 'c', 'd', 'e'], 'd', 1)).toEqual(['b', 'a', 'c', 'e', 'd'])
  expect(moved(all, [], 'a', -1)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(moved(all, [], 'c', 1)).toEqual(['a', 'b', 'c', 'd', 'e'])
})
