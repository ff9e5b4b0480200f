import { expect, test } from 'vitest'
import { fixedClock } from '#server/clock.ts'

test('a fixed clock stands still until somebody advances it', () => {
  const clock = fixedClock('2026-11-20T10:00:00Z')
  expect(clock.now()).toEqual(clock.now())
  clock.advance(90_000)
  expect(clock.now().toISOString()).toBe('2026-11-20T10:01:30.000Z')
})

test('an instant that does not exist is refused', () => {
  expect(() => fixedClock('tomorrow')).toThrow(RangeError)
})
