import { expect, test } from 'vitest'
import { fixedClock } from '#server/clock.ts'

test('a fixed clock does not move until it is advanced', () => {
  const clock = fixedClock('2026-11-20T10:00:00Z')
  expect(clock.now()).toEqual(clock.now())
  clock.advance(90_000)
  expect(clock.now().toISOString()).toBe('2026-11-20T10:01:30.000Z')
})

test('a nonexistent instant is refused', () => {
  expect(() => fixedClock('tomorrow')).toThrow(RangeError)
})
