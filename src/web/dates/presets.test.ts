import { expect, test } from 'vitest'
import { reportPresets } from '#web/dates/presets.ts'

test.each([
  [
    '2026-11-18',
    {
      'This week': ['2026-11-16', '2026-11-18'],
      'Last week': ['2026-11-09', '2026-11-15'],
      'This month': ['2026-11-01', '2026-11-18'],
      'Last month': ['2026-10-01', '2026-10-31'],
      'This quarter': ['2026-10-01', '2026-11-18'],
      'Last quarter': ['2026-07-01', '2026-09-30'],
      'This year': ['2026-01-01', '2026-11-18'],
      'Last 30 days': ['2026-10-20', '2026-11-18'],
    },
  ],
  [
    '2028-03-06',
    {
      'This week': ['2028-03-06', '2028-03-06'],
      'Last week': ['2028-02-28', '2028-03-05'],
      'Last month': ['2028-02-01', '2028-02-29'],
      'This quarter': ['2028-01-01', '2028-03-06'],
      'Last quarter': ['2027-10-01', '2027-12-31'],
    },
  ],
])('the periods of reports on %s end today, or with their last day', (today, expected) => {
  const presets = Object.fromEntries(reportPresets(today).map(([name, ...days]) => [name, days]))
  expect(presets).toMatchObject(expected)
})
