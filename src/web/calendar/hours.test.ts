import { expect, test } from 'vitest'
import { mondayOf } from '#shared/dates.ts'
import { daysFrom } from '#web/calendar/days.ts'
import { hoursOf, placeDay } from '#web/calendar/hours.ts'

test('a week starts on Monday, also over clock changes and the turn of the year', () => {
  expect([
    mondayOf('2026-03-08'),
    mondayOf('2026-03-09'),
    mondayOf('2026-11-01'),
    mondayOf('2027-01-01'),
  ]).toEqual(['2026-03-02', '2026-03-09', '2026-10-26', '2026-12-28'])
  expect(daysFrom('2026-10-30', 4)).toEqual(['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'])
})

const at = (...instants: string[]) => instants.map((one) => ({ at: one, minutes: 30 }))

test('ten in the morning is at ten before and after a clock change, in March and in November', () => {
  const starts = (day: string, instant: string) =>
    placeDay(at(instant), day, 'US/Eastern').map(({ start }) => start)
  expect(starts('2026-03-07', '2026-03-07T15:00:00Z')).toEqual([600])
  expect(starts('2026-03-08', '2026-03-08T14:00:00Z')).toEqual([600])
  expect(starts('2026-10-31', '2026-10-31T14:00:00Z')).toEqual([600])
  expect(starts('2026-11-01', '2026-11-01T15:00:00Z')).toEqual([600])
  // In the repeated hour, both meetings are at 1:30 and are shown side by side.
  expect(
    placeDay(at('2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'), '2026-11-01', 'US/Eastern'),
  ).toMatchObject([
    { start: 90, lane: 0, lanes: 2 },
    { start: 90, lane: 1, lanes: 2 },
  ])
})

test('overlapping entries are side by side, later ones have the full width again', () => {
  const day = placeDay(
    at('2026-07-01T10:00:00Z', '2026-07-01T10:30:00Z', '2026-07-01T11:00:00Z', '2026-07-01T14:00:00Z'),
    '2026-07-01',
    'UTC',
  )
  expect(day.map(({ lane, lanes }) => [lane, lanes])).toEqual([
    [0, 2],
    [1, 2],
    [0, 2],
    [0, 1],
  ])
  expect(placeDay(at('2026-07-01T23:30:00Z'), '2026-07-01', 'Europe/Berlin')).toEqual([])
})

test('a week shows working hours, and entries outside them', () => {
  expect(hoursOf([])).toEqual({ first: 8, last: 18 })
  expect(hoursOf([], { start: '06:30', end: '20:15' })).toEqual({ first: 6, last: 21 })
  expect(
    hoursOf([
      { start: 5 * 60 + 15, length: 45 },
      { start: 23 * 60 + 30, length: 45 },
    ]),
  ).toEqual({ first: 5, last: 24 })
})
