import { expect, test } from 'vitest'
import { keepInside, maxZoom } from '#features/panel/session/web/crop.ts'

test('a wide picture moves sideways but not up or down until it is enlarged', () => {
  expect(keepInside({ zoom: 1, x: 0.9, y: 0.9 }, 200, 100)).toEqual({ zoom: 1, x: 0.5, y: 0 })
})

test('an enlarged picture can move to all sides', () => {
  expect(keepInside({ zoom: 2, x: -2, y: 0.3 }, 100, 100)).toEqual({ zoom: 2, x: -0.5, y: 0.3 })
})

test('the zoom stays between the whole picture and its limit', () => {
  expect(keepInside({ zoom: 0.2, x: 0, y: 0 }, 100, 100).zoom).toBe(1)
  expect(keepInside({ zoom: 99, x: 0, y: 0 }, 100, 100).zoom).toBe(maxZoom)
})
