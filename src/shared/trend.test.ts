import { expect, test } from 'vitest'
import { countsPerWeek, firstOfTrend, trendOf, weeksUntil } from '#shared/trend.ts'

const today = '2026-03-18'

test('a trend has the last 30 days in steps of three, and the 30 days before them', () => {
  expect(firstOfTrend(today)).toBe('2026-02-17')
  const days = [
    { day: '2026-03-18', count: 1 },
    { day: '2026-03-16', count: 2 },
    { day: '2026-03-15', count: 4 },
    { day: '2026-02-17', count: 8 },
    { day: '2026-02-16', count: 16 },
    { day: '2026-01-18', count: 32 },
    { day: '2026-01-17', count: 64 },
    { day: '2026-03-19', count: 128 },
  ]
  expect(trendOf(days, today)).toEqual({ total: 15, before: 48, parts: [8, 0, 0, 0, 0, 0, 0, 0, 4, 3] })
})

test('weeks begin on Monday, and the last one is the current week', () => {
  const weeks = weeksUntil(today)
  expect([weeks.length, weeks[0], weeks[10]]).toEqual([11, '2026-01-05', '2026-03-16'])
  expect(weeksUntil('2026-03-22')[10]).toBe('2026-03-16')
  const days = [
    { day: '2026-01-04', count: 1 },
    { day: '2026-01-11', count: 2 },
    { day: '2026-01-05', count: 3 },
    { day: '2026-03-18', count: 4 },
  ]
  expect(countsPerWeek(days, weeks)).toEqual([5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4])
})
