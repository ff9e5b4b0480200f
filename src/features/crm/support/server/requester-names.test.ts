import { expect, test } from 'vitest'
import { firstNameIn } from '#features/crm/support/server/requester-names.ts'

test.each([
  ['Jana Novak', 'Jana'],
  ['  Anne-Marie O’Neil ', 'Anne-Marie'],
  ['Jan van der Berg', 'Jan'],
  ['Jana', 'Jana'],
  ['李 明', '李'],
  ['Front desk 97', 'Front desk 97'],
  ['Front Desk', 'Front Desk'],
  ['Hotel  Aalto', 'Hotel Aalto'],
  ['Dr. Jana Novak', 'Dr. Jana Novak'],
  ['', ''],
])('a sender named “%s” without an account is addressed as “%s”', (name, addressed) => {
  expect(firstNameIn(name)).toBe(addressed)
})
