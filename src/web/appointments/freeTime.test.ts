import { expect, test } from 'vitest'
import { nearestFreeStart } from '#web/appointments/freeTime.ts'

const at = (hour: number, minutes = 60) => ({ start: hour * 60, minutes })
const workday = { from: 9 * 60, until: 17 * 60 }

test('the nearest free start is before or after the session, and the earlier one of two', () => {
  expect(nearestFreeStart(at(15.5, 45), [at(16, 45)], workday)).toBe(15 * 60)
  expect(nearestFreeStart(at(16, 30), [at(15, 90)], workday)).toBe(16.5 * 60)
  expect(nearestFreeStart(at(12), [at(12)], workday)).toBe(11 * 60)
})

test('a session may touch another one, but not the ends of the day', () => {
  expect(nearestFreeStart(at(9.5), [at(9.5)], workday)).toBe(10.5 * 60)
  expect(nearestFreeStart(at(16), [at(16)], workday)).toBe(15 * 60)
  expect(nearestFreeStart(at(10), [at(10)], { from: 10 * 60 + 10, until: 17 * 60 })).toBe(11 * 60)
})

test('a full day has no free start', () => {
  expect(nearestFreeStart(at(10), [at(9, 480)], workday)).toBeUndefined()
  expect(nearestFreeStart(at(10, 600), [], workday)).toBeUndefined()
})
