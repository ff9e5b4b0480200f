import { expect, test } from 'vitest'
import { nextSessionOf, statusAfterDemo } from '#features/crm/leads/demos.rules.ts'

const at = (time: string) => Date.parse(`2026-03-20T${time}:00Z`)
const session = (time: string | undefined, status = 2) => ({
  status,
  minutes: 45,
  final_date: time === undefined ? null : new Date(at(time)).toISOString(),
})

test('the next session is the first that is not over yet', () => {
  const [past, now, later] = [session('08:00'), session('10:00'), session('15:00')]
  expect(nextSessionOf([later, now, past], at('10:44'))).toBe(now)
  expect(nextSessionOf([later, now, past], at('10:45'))).toBe(later)
})

test('without one that comes, it is the last whose outcome is missing', () => {
  const [first, last] = [session('08:00'), session('09:00')]
  expect(nextSessionOf([first, last], at('12:00'))).toBe(last)
  expect(
    nextSessionOf([session('10:00', 3), session('15:00', 0), session(undefined, 1)], at('12:00')),
  ).toBeUndefined()
})

test('a demo offers a later status than that of the lead, by its meaning', () => {
  const statuses = [
    { id: 1, is_won: false, for_demo: null },
    { id: 9, is_won: false, for_demo: 2 },
    { id: 5, is_won: false, for_demo: 3 },
    { id: 7, is_won: true, for_demo: null },
    { id: 8, is_won: false, for_demo: null },
  ]
  const offered = (current: number, demo: number) => statusAfterDemo(statuses, current, demo)?.id
  expect([offered(1, 2), offered(1, 3), offered(9, 3)]).toEqual([9, 5, 5])
  // Not the same or an earlier one, and none for leads that are won or rejected, or for other demos.
  expect([offered(9, 2), offered(5, 2), offered(7, 3), offered(8, 3), offered(1, 1), offered(1, 0)]).toEqual(
    Array.from({ length: 6 }),
  )
  const [first, ...others] = statuses
  expect(statusAfterDemo([...others, first!], 8, 2)).toBeUndefined()
  const none = statuses.map((status) => ({ ...status, for_demo: null }))
  expect(statusAfterDemo(none, 1, 2)).toBeUndefined()
})
