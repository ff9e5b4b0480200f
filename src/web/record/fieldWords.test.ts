import { expect, test } from 'vitest'
import { labelOf, formatFieldValue } from '#web/record/fieldWords.ts'

test("a field without a label, and a value's inner keys, are shown as words", () => {
  expect(labelOf({}, 'product_ids')).toBe('Products')
  expect(labelOf({}, 'companyName')).toBe('Company name')
  expect(formatFieldValue({}, 'days', [{ due_day: '2026-03-03', hours: 4, is_off: false }])).toBe(
    'due day 3 Mar 2026, hours 4, is off no',
  )
  expect(formatFieldValue({}, 'ids', [1, 2])).toBe('1, 2')
})
