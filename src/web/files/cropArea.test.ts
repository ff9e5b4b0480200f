import { expect, test } from 'vitest'
import { isSlip, isWhole, pixelsOf, wholeImage } from '#web/files/cropArea.ts'

test('an area in percent is whole pixels within the image', () => {
  expect(pixelsOf(wholeImage, 640, 401)).toEqual({ left: 0, top: 0, width: 640, height: 401 })
  expect(pixelsOf({ ...wholeImage, x: 50, width: 50 }, 200, 100)).toEqual({
    left: 100,
    top: 0,
    width: 100,
    height: 100,
  })
  expect(pixelsOf({ unit: '%', x: 33.3, y: 66.7, width: 66.8, height: 33.4 }, 3, 3)).toEqual({
    left: 1,
    top: 2,
    width: 2,
    height: 1,
  })
})

test('the smallest area of the smallest image is one pixel', () => {
  expect(pixelsOf({ unit: '%', x: 98, y: 98, width: 2, height: 2 }, 1, 1)).toEqual({
    left: 0,
    top: 0,
    width: 1,
    height: 1,
  })
})

test('only an area that covers everything is the whole image, and only a tiny one is a slip', () => {
  expect(isWhole(wholeImage)).toBe(true)
  expect(isWhole({ ...wholeImage, width: 99 })).toBe(false)
  expect(isSlip({ ...wholeImage, width: 1.9 })).toBe(true)
  expect(isSlip({ ...wholeImage, height: 2 })).toBe(false)
})
