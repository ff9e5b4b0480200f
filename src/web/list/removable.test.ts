import { expect, test } from 'vitest'
import { mayRemoveAny } from '#web/list/removable.ts'
import type { Person } from '#web/session.ts'

const list = {
  rowKey: ({ id }: { id: number; owner: number }) => id,
  mayRemove: ({ owner }: { owner: number }, viewer: Person) => owner === viewer.id,
}
const rows = [
  { id: 1, owner: 7 },
  { id: 2, owner: 8 },
]
const viewer = { id: 7 } as Person
const chosen = (...ids: number[]) => ({ ids, isAll: false })

test('the trash is offered if at least one of the selected rows can be moved there', () => {
  expect(mayRemoveAny(list, rows, chosen(1), viewer)).toBe(true)
  expect(mayRemoveAny(list, rows, chosen(1, 2), viewer)).toBe(true)
  expect(mayRemoveAny(list, rows, chosen(2), viewer)).toBe(false)
  expect(mayRemoveAny(list, rows, chosen(), viewer)).toBe(false)
})

test('rows on other pages, and lists without a rule, leave the decision to the server', () => {
  expect(mayRemoveAny(list, rows, chosen(2, 9), viewer)).toBe(true)
  expect(mayRemoveAny(list, rows, { ids: [], isAll: true }, viewer)).toBe(true)
  expect(mayRemoveAny({ rowKey: list.rowKey }, rows, chosen(2), viewer)).toBe(true)
})
