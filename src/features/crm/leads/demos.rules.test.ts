import { expect, test } from 'vitest'
import { nextSessionOf } from '#features/crm/leads/demos.rules.ts'

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
