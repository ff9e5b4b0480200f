import { expect, test } from 'vitest'
import { labelStep, ticksUpTo } from '#web/charts/plot.ts'

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [4, [0, 1, 2, 3, 4]],
  [8, [0, 2, 4, 6, 8]],
  [9, [0, 3, 6, 9]],
  [12, [0, 3, 6, 9, 12]],
  [1205, [0, 400, 800, 1200, 1600]],
])('the axis of values up to %d', (most, ticks) => {
  expect(ticksUpTo(most)).toEqual(ticks)
})

test('the axis reaches every value with at most five lines of whole numbers', () => {
  for (let most = 0; most < 3000; most += 7) {
    const ticks = ticksUpTo(most)
    expect([most, ticks.at(-1)! >= most, ticks.length <= 5, ticks.every(Number.isInteger)]).toEqual([
      most,
      true,
      true,
      true,
    ])
  }
})

test('names of points never overlap', () => {
  expect([0, 20, 40, 58, 100].map(labelStep)).toEqual([1, 3, 2, 1, 1])
})
