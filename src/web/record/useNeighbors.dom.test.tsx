import { renderHook, waitFor } from '@testing-library/react'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { queries } from '#web/api/queries.ts'
import { settle } from '#web/dom.testing.tsx'
import type { ListPosition, StepRow, WalkedList } from '#web/list/position/listPosition.ts'
import { useNeighbors } from '#web/record/useNeighbors.ts'

interface Page {
  rows: readonly StepRow[]
  total: number
}
const requests: { page: number; answer: (page: Page) => void }[] = []
beforeEach(() => void (requests.length = 0))

const rowsOf = (...ids: number[]): StepRow[] => ids.map((id) => ({ id, to: `/things/${id}` }))
const perPage = 2

const list: WalkedList = {
  key: 'things',
  askPage: (page) => ({
    queryKey: ['/things', page],
    queryFn: () => new Promise((answer) => requests.push({ page, answer })),
    enabled: () => true,
  }),
  read: (reply) => reply as Page,
}

/** Opens a record that was the given row, counted from 1, of the rows that the list showed. */
function open(id: number, position: number, queue: readonly StepRow[], isListKnown = true) {
  const opened: ListPosition = {
    key: 'things',
    address: '/things',
    one: 'thing',
    perPage,
    id,
    to: `/things/${id}`,
    position,
    total: 4,
    queue,
  }
  return renderHook(({ isKnown }) => useNeighbors(isKnown ? list : undefined, opened), {
    initialProps: { isKnown: isListKnown },
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    ),
  })
}
/** Answers the request for a page, and waits until the hook has read the answer. */
async function answer(page: number, rows: readonly StepRow[], total = 4): Promise<void> {
  requests.findLast((one) => one.page === page)?.answer({ rows, total })
  await settle()
}
const pagesAsked = () => requests.map(({ page }) => page)

test('neighbors are known from the list that was left, before any page has loaded', () => {
  const { result } = open(1, 1, rowsOf(1, 2))
  expect([result.current.previous, result.current.next?.id]).toEqual([undefined, 2])
})

test('the next page loads only at the edge of a page', async () => {
  const { result } = open(1, 1, rowsOf(1, 2))
  await answer(1, rowsOf(1, 2))
  expect(pagesAsked()).toEqual([1])
  expect(result.current.next?.id).toBe(2)

  const atEdge = open(2, 2, rowsOf(1, 2))
  await waitFor(() => expect(pagesAsked()).toEqual([1, 2]))
  expect(atEdge.result.current.isLooking).toBe(true)
  await answer(2, rowsOf(3, 4))
  await waitFor(() => expect(atEdge.result.current.next?.id).toBe(3))
  expect(atEdge.result.current.isLooking).toBe(false)
})

test('the previous page loads only at the edge of a page', async () => {
  const { result } = open(4, 4, rowsOf(1, 2, 3, 4))
  await answer(2, rowsOf(3, 4))
  expect([pagesAsked(), result.current.previous?.id]).toEqual([[2], 3])

  const atEdge = open(3, 3, rowsOf(3, 4))
  await waitFor(() => expect(pagesAsked()).toEqual([2, 1]))
  await answer(1, rowsOf(1, 2))
  expect(atEdge.result.current.previous?.id).toBe(2)
})

test('a record that left the list keeps the neighbors that it had', async () => {
  const { result } = open(2, 2, rowsOf(1, 2, 3))
  await answer(1, rowsOf(1, 3), 3)
  await waitFor(() => expect(result.current.total).toBe(3))
  expect([result.current.previous?.id, result.current.next?.id]).toEqual([1, 3])
})

test('after a reload, the remembered rows can be walked until the list is known', async () => {
  const { result, rerender } = open(2, 2, rowsOf(1, 2, 3), false)
  expect([result.current.previous?.id, result.current.next?.id, requests.length]).toEqual([1, 3, 0])
  rerender({ isKnown: true })
  await answer(1, rowsOf(1, 2), 7)
  await waitFor(() => expect(result.current.total).toBe(7))
  await answer(2, rowsOf(3, 4), 7)
  await waitFor(() => expect(result.current.isLooking).toBe(false))
  expect([result.current.previous?.id, result.current.next?.id]).toEqual([1, 3])
})
