import { expect, test } from 'vitest'
import { labelOf, wordsFor } from '#web/record/fields.ts'

test("a field without a label, and a value's inner keys, are shown as words", () => {
  expect(labelOf({}, 'product_ids')).toBe('Products')
  expect(labelOf({}, 'companyName')).toBe('Company name')
  expect(wordsFor({}, 'days', [{ due_day: '2026-03-03', hours: 4, is_off: false }])).toBe('due day 3 Mar 2026, hours 4, is off no')
  expect(wordsFor({}, 'ids', [1, 2])).toBe('1, 2')
})
