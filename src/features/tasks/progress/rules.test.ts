import { expect, test } from 'vitest'
import { reportDays, whyNotReport, workingDays } from '#features/tasks/progress/rules.ts'

test('without dates it is this month; a missing side is filled in', () => {
  expect(reportDays({}, '2026-03-16')).toEqual({ from: '2026-03-01', to: '2026-03-31' })
  expect(reportDays({ startDate: '2026-02-10' }, '2026-03-16')).toEqual({
    from: '2026-02-10',
    to: '2026-03-16',
  })
  expect(reportDays({ startDate: '2026-05-10' }, '2026-03-16')).toEqual({
    from: '2026-05-10',
    to: '2026-05-10',
  })
  expect(reportDays({ endDate: '2026-02-10' }, '2026-03-16')).toEqual({
    from: '2026-02-01',
    to: '2026-02-10',
  })
})

test('a reversed range and ten years are refused, three years are not', () => {
  expect(whyNotReport({ from: '2026-03-02', to: '2026-03-01' })).toBeDefined()
  expect(whyNotReport({ from: '2016-01-01', to: '2026-01-01' })).toBeDefined()
  expect(whyNotReport({ from: '2023-03-01', to: '2026-02-28' })).toBeUndefined()
})

test('workdays exclude weekends and holidays', () => {
  expect(workingDays('2026-03-13', '2026-03-18', new Set(['2026-03-17']))).toEqual([
    '2026-03-13',
    '2026-03-16',
    '2026-03-18',
  ])
})
