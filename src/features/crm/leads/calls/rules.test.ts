import { expect, test } from 'vitest'
import { isRunning, minutesSince, timerText } from '#features/crm/leads/calls/rules.ts'

const start = '2026-03-16T09:00:00.000Z'
const after = (seconds: number) => Date.parse(start) + seconds * 1000

test.each([
  [0, 1, '00:00'],
  [60, 1, '01:00'],
  [61, 2, '01:01'],
  [252, 5, '04:12'],
  [3852, 65, '1:04:12'],
  // A clock that was set back.
  [-30, 1, '00:00'],
])('a call of %i seconds counts %i minutes, and the timer says %s', (seconds, minutes, text) => {
  expect([minutesSince(start, after(seconds)), timerText(start, after(seconds))]).toEqual([minutes, text])
})

test('a call that would be longer than the longest one is no longer running', () => {
  expect(['', start].map((started) => isRunning(started, after(599 * 60)))).toEqual([false, true])
  expect(isRunning(start, after(600 * 60))).toBe(false)
  expect(minutesSince(start, after(900 * 60))).toBe(600)
})
