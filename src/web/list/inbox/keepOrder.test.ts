import { expect, test } from 'vitest'
import { keepOrder } from '#web/list/inbox/keepOrder.ts'

interface Row {
  id: number
  status?: string
}
const rows = (...ids: number[]): Row[] => ids.map((id) => ({ id }))
const idsAfter = (before: number[], now: number[], stay: number[]) =>
  keepOrder(
    rows(...before),
    rows(...now),
    ({ id }) => id,
    (id) => stay.includes(id),
  ).map(({ id }) => id)

test('a row that an answer moved to the top keeps its place', () => {
  expect(idsAfter([1, 2, 3, 4], [3, 1, 2, 4], [3])).toEqual([1, 2, 3, 4])
})

test('rows that an answer moved to the end keep their places, the first one too', () => {
  expect(idsAfter([1, 2, 3, 4], [3, 4, 1, 2], [1, 2])).toEqual([1, 2, 3, 4])
})

test('a row that left the list stays, and the row that follows on the page is added', () => {
  expect(idsAfter([1, 2, 3], [1, 3, 4], [2])).toEqual([1, 2, 3, 4])
})

test('a row that left the list and was not opened is gone', () => {
  expect(idsAfter([1, 2, 3], [1, 3], [])).toEqual([1, 3])
})

test('a new row comes where the list has it', () => {
  expect(idsAfter([1, 2, 3], [9, 3, 1, 2], [3])).toEqual([9, 1, 2, 3])
  expect(idsAfter([1, 2, 3], [9, 1, 2, 3], [1])).toEqual([9, 1, 2, 3])
})

test('a row that was opened before it was listed has no place to keep', () => {
  expect(idsAfter([1, 2], [1, 2, 3], [3])).toEqual([1, 2, 3])
})

test('the only row stays when the list is empty', () => {
  expect(idsAfter([1], [], [1])).toEqual([1])
})

test('a row has its newest values, wherever it is', () => {
  const [row] = keepOrder<Row>(
    [{ id: 1, status: 'Open' }],
    [{ id: 1, status: 'Resolved' }],
    ({ id }) => id,
    () => true,
  )
  expect(row!.status).toBe('Resolved')
})
