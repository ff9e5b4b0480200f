import { expect, test } from 'vitest'
import { sessionPlace } from '#shared/appointments.contract.ts'

test.each([
  ['meet.example/sales', 'https://meet.example/sales'],
  ['http://meet.example/sales', 'http://meet.example/sales'],
  ['St.Gallen', 'St.Gallen'],
  ['Room 4/5', 'Room 4/5'],
  [`meet.example/${'x'.repeat(285)}`, `meet.example/${'x'.repeat(285)}`],
  ['', ''],
])('the place %s is saved as %s', (typed, saved) => {
  expect(sessionPlace.parse(typed)).toBe(saved)
})
