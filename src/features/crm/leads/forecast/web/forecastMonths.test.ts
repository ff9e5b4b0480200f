import { expect, test } from 'vitest'
import { monthsToShow } from '#features/crm/leads/forecast/web/forecastMonths.ts'

const at = (month: string | null, count = 1) => ({ month, count, sum: count * 10.1, weighted: count * 5.05 })

test('earlier months are one row, gaps are filled, and leads without a date come last', () => {
  const rows = monthsToShow(
    [at('2025-11-01'), at('2026-02-01', 2), at('2026-03-01'), at('2026-05-01'), at(null)],
    '2026-03-01',
  )
  expect(rows.map(({ name, from, to, count }) => [name, from, to, count])).toEqual([
    ['Overdue', null, '2026-02-28', 3],
    ['March 2026', '2026-03-01', '2026-03-31', 1],
    ['April 2026', '2026-04-01', '2026-04-30', 0],
    ['May 2026', '2026-05-01', '2026-05-31', 1],
    ['No date', null, null, 1],
  ])
  expect(rows[0]).toMatchObject({ sum: 30.3, weighted: 15.15 })
})

test('the current month is always shown, and a month years away does not fill the years between', () => {
  expect(monthsToShow([], '2026-12-01').map(({ name }) => name)).toEqual(['December 2026'])
  const names = monthsToShow([at('2031-02-01')], '2026-12-01').map(({ short }) => short)
  expect(names).toHaveLength(13)
  expect(names.slice(-2)).toEqual(['Nov 27', 'Feb 31'])
})
