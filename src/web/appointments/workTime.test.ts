import { expect, test } from 'vitest'
import { workTime } from '#web/appointments/workTime.ts'

test.each([
  ['in working hours', '2026-03-16T08:59:00Z', 'Europe/Berlin', true, 'Open until 17:00'],
  ['when they begin', '2026-03-16T08:00:00Z', 'Europe/Berlin', true, 'Open until 17:00'],
  ['before them', '2026-03-16T07:59:00Z', 'Europe/Berlin', false, 'Opens at 09:00'],
  ['when they end', '2026-03-16T16:00:00Z', 'Europe/Berlin', false, 'Opens tomorrow at 09:00'],
  ['on another day there', '2026-03-16T16:00:00Z', 'Australia/Sydney', false, 'Opens at 09:00'],
  ['on a Friday evening', '2026-03-20T18:00:00Z', 'Europe/London', false, 'Opens on Monday at 09:00'],
  ['on a Saturday', '2026-03-21T12:00:00Z', 'Europe/London', false, 'Opens on Monday at 09:00'],
  ['on a Sunday evening', '2026-03-22T20:00:00Z', 'Europe/London', false, 'Opens tomorrow at 09:00'],
  ['after the clocks changed there only', '2026-03-16T13:30:00Z', 'US/Eastern', true, 'Open until 17:00'],
])('the working hours of a place %s', (_when, at, zone, isOpen, words) => {
  expect(workTime(new Date(at), zone, { start: '09:00', end: '17:00' })).toEqual({ isOpen, words })
})
