import { expect, test } from 'vitest'
import { snoozes, tabOf } from '#features/crm/leads/follow-ups/rules.ts'
import { daysBetween } from '#shared/dates.ts'

const today = '2026-03-16'

test.each([
  [null, undefined],
  ['2020-02-29', 'overdue'],
  ['2026-03-15', 'overdue'],
  ['2026-03-16', 'today'],
  ['2026-03-17', 'next'],
  ['2026-03-23', 'next'],
  ['2026-03-24', undefined],
])('a follow-up on %s is in the tab %s', (day, tab) => {
  expect(tabOf(day, today)).toBe(tab)
})

test('a snooze leaves the tabs of due leads, also over the end of a month and a clock change', () => {
  expect([snoozes.tomorrow('2026-03-31'), snoozes.week('2026-02-25')]).toEqual(['2026-04-01', '2026-03-04'])
  for (const day of [today, '2026-03-28', '2026-12-31'])
    expect([tabOf(snoozes.tomorrow(day), day), tabOf(snoozes.week(day), day)]).toEqual(['next', 'next'])
})

test('days are counted by the calendar, not by hours', () => {
  expect([
    daysBetween('2026-03-28', '2026-03-30'),
    daysBetween('2026-03-16', '2026-03-16'),
    daysBetween('2026-03-16', '2026-02-28'),
  ]).toEqual([2, 0, -16])
})
