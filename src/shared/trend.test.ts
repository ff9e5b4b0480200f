import { expect, test } from 'vitest'
import {
  agoText,
  countsPerWeek,
  daysOf,
  levelOf,
  periodOf,
  periodText,
  trendOf,
  weeksOf,
} from '#shared/trend.ts'

const today = '2026-03-18'
const month = periodOf('30', today)

test('a period ends today, and is compared with as many days before it', () => {
  expect(month).toEqual({
    from: '2026-02-17',
    to: today,
    length: 30,
    before: { from: '2026-01-18', to: '2026-02-16' },
  })
  expect(periodOf('7', today)).toMatchObject({ from: '2026-03-12', before: { from: '2026-03-05' } })
  expect(periodOf('2', today)).toMatchObject({ from: '2026-03-17', before: { from: '2026-03-15' } })
  expect(periodOf('90', today)).toMatchObject({ from: '2025-12-19', length: 90 })
})

test.each([
  ['2026-01-01', '2026-01-01', 1, 'a day ago'],
  ['2026-03-31', '2026-01-01', 90, '90 days ago'],
  ['2026-12-31', '2026-10-01', 92, '92 days ago'],
])('on %s, the quarter begins on %s', (day, from, length, text) => {
  const quarter = periodOf('quarter', day)
  expect(quarter).toMatchObject({ from, to: day, length })
  expect(agoText(quarter)).toBe(text)
})

test('a period is described by its number of days, and the shortest one by its name', () => {
  expect((['2', '30', 'quarter'] as const).map(periodText)).toEqual([
    'since yesterday',
    'in 30 days',
    'this quarter',
  ])
})

test('a trend has the period in equal parts, and the number of the days before', () => {
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
  expect(trendOf(days, month)).toEqual({ total: 15, before: 48, parts: [8, 0, 0, 0, 0, 0, 0, 0, 4, 3] })
  expect(trendOf(days, periodOf('7', today))).toEqual({ total: 7, before: 0, parts: [0, 0, 0, 4, 2, 0, 1] })
  expect(trendOf([{ day: today, count: 5 }], periodOf('quarter', '2026-01-01')).parts).toEqual([0])
})

test('a number of now is followed back through its changes', () => {
  const week = periodOf('7', today)
  const changes = [
    { day: today, count: 2 },
    { day: '2026-03-15', count: -3 },
  ]
  expect(levelOf(10, changes, week)).toEqual({ total: 10, before: 11, parts: [11, 11, 11, 8, 8, 8, 10] })
})

test('weeks begin on Monday, and the last one is the current week', () => {
  const weeks = weeksOf(month)
  expect([weeks.length, weeks[0], weeks[10]]).toEqual([11, '2026-01-05', '2026-03-16'])
  expect(weeksOf(periodOf('30', '2026-03-22'))[10]).toBe('2026-03-16')
  const days = [
    { day: '2026-01-04', count: 1 },
    { day: '2026-01-11', count: 2 },
    { day: '2026-01-05', count: 3 },
    { day: '2026-03-18', count: 4 },
  ]
  expect(countsPerWeek(days, weeks)).toEqual([5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4])
})

test('a chart covers the whole period, and its data begins with the first week or the days before the period', () => {
  const long = periodOf('90', today)
  expect(weeksOf(long)).toHaveLength(14)
  expect(weeksOf(long)[0]).toBe('2025-12-15')
  expect(daysOf(long)).toEqual({ from: '2025-09-20', to: '2026-03-22' })
  expect(daysOf(month)).toEqual({ from: '2026-01-05', to: '2026-03-22' })
})
