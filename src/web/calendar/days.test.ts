import { addMonths, mondayOf } from '#shared/dates.ts'
import { expect, test } from 'vitest'
import { daysOfMonth, isWeekend } from '#web/calendar/days.ts'

test.each([
  ['2026-02-10', 28 + 7, '2026-01-26', '2026-03-01'],
  ['2027-02-10', 28, '2027-02-01', '2027-02-28'],
  ['2026-03-16', 42, '2026-02-23', '2026-04-05'],
  ['2026-08-31', 42, '2026-07-27', '2026-09-06'],
])('the weeks of the month of %s are %i days from %s to %s', (day, count, first, last) => {
  const days = daysOfMonth(day)
  expect([days.length, days[0], days.at(-1)]).toEqual([count, first, last])
})

test('adding months stays within the target month', () => {
  expect([addMonths('2026-01-31', 1), addMonths('2026-12-15', 1), addMonths('2026-01-15', -1)]).toEqual([
    '2026-02-28',
    '2027-01-15',
    '2025-12-15',
  ])
})

test('a week starts on Monday, in every time zone', () => {
  expect([
    mondayOf('2026-03-16'),
    mondayOf('2026-03-22'),
    isWeekend('2026-03-22'),
    isWeekend('2026-03-16'),
  ]).toEqual(['2026-03-16', '2026-03-16', true, false])
})
