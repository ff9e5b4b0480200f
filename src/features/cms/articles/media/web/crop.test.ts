import { expect, test } from 'vitest'
import { between, isWhole, whole, withEdge } from '#features/cms/articles/media/web/crop.ts'

test('a crop is drawn from any corner and stays within the image; a slip of the pointer is ignored', () => {
  expect(between([0.8, 0.9], [0.2, -0.5])).toEqual({ left: 0.2, right: 0.8, top: 0, bottom: 0.9 })
  expect(between([0.2, 0], [0.8, 0.9])).toEqual({ left: 0.2, right: 0.8, top: 0, bottom: 0.9 })
  expect(between([0.5, 0.5], [0.51, 0.9])).toBeUndefined()
})

test('an edge stops before the opposite one', () => {
  expect(withEdge(whole, 'left', 0.25)).toEqual({ ...whole, left: 0.25 })
  expect(withEdge({ ...whole, right: 0.5 }, 'left', 0.9).left).toBeCloseTo(0.48)
  expect(withEdge({ ...whole, top: 0.5 }, 'bottom', -1).bottom).toBeCloseTo(0.52)
  expect([
    isWhole(whole),
    isWhole(withEdge(whole, 'left', 0.25)),
    isWhole(withEdge(whole, 'right', 2)),
  ]).toEqual([true, false, true])
})
