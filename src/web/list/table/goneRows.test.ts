import { expect, test } from 'vitest'
import { goneRows } from '#web/list/table/goneRows.ts'

const page = (rows: number[], total: number, isCapped = false) => ({ rows, total, isCapped })
const gone = (selected: number[], before: ReturnType<typeof page>, after: ReturnType<typeof page>) =>
  goneRows(selected, before, after, (id) => id)

test('rows that left the filter are gone, and those that the order moved to another page are not', () => {
  expect(gone([1, 2, 3], page([1, 2, 3, 4], 4), page([1, 3, 4], 3))).toEqual([2])
  expect(gone([1, 2], page([1, 2], 40), page([2, 9], 40))).toEqual([])
})

test('selected rows of other pages stay as long as the numbers of rows explain who left', () => {
  expect(gone([1, 2, 30], page([1, 2], 40), page([2, 5], 39))).toEqual([1])
  // Two rows left, but only one of them was on this page.
  expect(gone([1, 2, 30], page([1, 2], 40), page([2, 5], 38))).toEqual([1, 30])
})

test('without an exact number, the rows of this page that are absent are gone', () => {
  expect(gone([1, 2, 30], page([1, 2], 10_001, true), page([2, 5], 10_001, true))).toEqual([1])
})
