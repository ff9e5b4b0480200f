import { expect, test } from 'vitest'
import { dayText } from '#shared/dates.ts'
import { countText, relativeTime } from '#web/time.ts'

test.each([
  ['2026-09-01', '1 Sep 2026'],
  ['2024-02-29', '29 Feb 2024'],
  ['1999-12-31', '31 Dec 1999'],
])('the date %s is shown as %s', (day, text) => {
  expect(dayText(day)).toBe(text)
})

test.each([0, 7, 999, 1000, 12_345, 1_000_000, 9_999_999_999])(
  'a count of %i is formatted as the browser would format it',
  (count) => {
    expect(countText(count)).toBe(count.toLocaleString('en-US'))
  },
)

test('relative times use the largest unit that fits, in the past and in the future', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  expect(relativeTime('2026-11-20T11:59:30Z', now)).toBe('just now')
  expect(relativeTime('2026-11-20T12:00:03Z', now)).toBe('just now')
  expect(relativeTime('2026-11-20T12:00:30Z', now)).toBe('in a moment')
  expect(relativeTime('2026-11-20T09:00:00Z', now)).toBe('3 hr. ago')
  expect(relativeTime('2026-11-21T12:00:00Z', now)).toBe('tomorrow')
})

test('a time a week away is a date, because weeks and months are too vague', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  const days = (count: number) => new Date(now + count * 86_400_000)
  expect([-1, -3, -6, 6].map((count) => relativeTime(days(count), now))).toEqual([
    'yesterday',
    '3 days ago',
    '6 days ago',
    'in 6 days',
  ])
  expect([-7, -12, -45, -400, 7].map((count) => relativeTime(days(count), now))).toEqual([
    '13 Nov 2026',
    '8 Nov 2026',
    '6 Oct 2026',
    '16 Oct 2025',
    '27 Nov 2026',
  ])
  expect(relativeTime(days(-6.9), now)).toBe('13 Nov 2026')
})
