import { useEffect } from 'react'
import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { storeProduct } from '#web/session.ts'
import { asked, nextRequest, renderPage, settle, signIn } from '#web/dom.testing.tsx'
import { prepareList, useList, type List, type ListOf } from '#web/list/useList.ts'

const Row = z.object({ id: z.number(), name: z.string() })
type Row = z.output<typeof Row>
const filters = z.object({
  page: z.coerce.number().int().min(1).default(1),
  search: z.string().optional(),
})
const definition: ListOf<Row, typeof filters> = {
  name: 'contracts',
  type: 'contract',
  endpoint: {
    method: 'GET',
    path: '/things',
    access: 'contract_list',
    response: z.object({ data: z.array(Row), total: z.number(), per_page: z.number() }),
  } as never,
  filters,
  columns: [],
  rowKey: ({ id }) => id,
  rowName: ({ name }) => name,
  scopedBy: 'product_id',
}

const page = (total: number, ...names: string[]) => ({
  data: names.map((name, index) => ({ id: index + 1, name })),
  total,
  per_page: 20,
})

/** The list as the page last showed it. */
let list: List<Row, typeof filters>
function Page() {
  const current = useList(definition)
  useEffect(() => {
    list = current
  })
  return (
    <ul>
      {current.rows?.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  )
}

const shown = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)
const answer = (index: number, status: number, body: unknown) =>
  act(async () => (await nextRequest(index)).answer(status, body))

beforeEach(() =>
  signIn(
    ['contract_list'],
    [
      { id: 1, name: 'Atlas' },
      { id: 2, name: 'Brio' },
    ],
  ),
)

test('a list reads its filters from the URL and asks for the chosen product', async () => {
  await renderPage(Page, '/things?search=acme&page=3')
  expect((await nextRequest(0)).address).toBe('/api/things?page=3&search=acme&product_id=1')
  await answer(0, 200, page(41, 'Acme'))
  await waitFor(() => expect(shown()).toEqual(['Acme']))
  expect([list.total, list.perPage, list.stale]).toEqual([41, 20, false])
})

test('rows stay, marked as stale, until the rows of the next filter arrive', async () => {
  const { go } = await renderPage(Page, '/things')
  await answer(0, 200, page(1, 'First'))
  await waitFor(() => expect(shown()).toEqual(['First']))
  await act(() => go('/things?search=b'))
  expect([shown(), list.stale]).toEqual([['First'], true])
  await answer(1, 200, page(1, 'Second'))
  await waitFor(() => expect(shown()).toEqual(['Second']))
  expect(list.stale).toBe(false)
})

test('an answer that arrives after the filter changed again does not replace the newer rows', async () => {
  const { go } = await renderPage(Page, '/things?search=a')
  await nextRequest(0)
  await act(() => go('/things?search=b'))
  await answer(1, 200, page(1, 'Rows of b'))
  await waitFor(() => expect(shown()).toEqual(['Rows of b']))
  await answer(0, 200, page(1, 'Rows of a'))
  expect(shown()).toEqual(['Rows of b'])
  expect(asked[0]?.signal?.aborted).toBe(true)
})

test('a filter returns to the first page, and a page change keeps the filter', async () => {
  await renderPage(Page, '/things?page=3')
  await answer(0, 200, page(50, 'Third'))
  await act(() => list.filterBy({ search: 'acme' }))
  expect(list.filters).toEqual({ page: 1, search: 'acme' })
  await act(() => list.filterBy({ page: 2 }))
  expect(list.filters).toEqual({ page: 2, search: 'acme' })
})

test('a page that stopped counting shows a lower bound until all rows are counted', async () => {
  const counted: typeof definition = {
    ...definition,
    countedBy: { ...definition.endpoint, path: '/things-counted' },
  }
  let text = ''
  function CountedPage() {
    const { total, isCapped } = useList(counted)
    useEffect(() => {
      text = `${total} ${isCapped}`
    })
    return null
  }
  await renderPage(CountedPage, '/things?search=acme&page=2')
  expect((await nextRequest(0)).address).toBe('/api/things?page=2&search=acme&product_id=1&count=capped')
  await answer(0, 200, { ...page(10_001, 'Acme'), total_is_capped: true })
  await waitFor(() => expect(text).toBe('10001 true'))
  expect((await nextRequest(1)).address).toBe('/api/things-counted?search=acme&product_id=1')
  await answer(1, 200, { total: 250_000 })
  await waitFor(() => expect(text).toBe('250000 false'))
})

test('a list without its permission sends no request', async () => {
  signIn([])
  await renderPage(Page, '/things')
  await settle()
  expect(asked).toHaveLength(0)
  expect([list.may, list.rows, list.error]).toEqual([false, undefined, null])
})

test('a request ends with its page', async () => {
  const { unmount } = await renderPage(Page, '/things')
  const request = await nextRequest(0)
  unmount()
  expect(request.signal?.aborted).toBe(true)
})

test('a failure is shown, and a retry replaces it', async () => {
  await renderPage(Page, '/things')
  await answer(0, 500, { message: 'Something broke.' })
  await waitFor(() => expect(list.error).toMatchObject({ message: 'Something broke.' }))
  act(() => list.retry())
  await answer(1, 200, page(1, 'Acme'))
  await waitFor(() => expect(shown()).toEqual(['Acme']))
  expect(list.error).toBeNull()
})

test('a prepared list is shown without a second request', async () => {
  const prepared = prepareList(definition, { search: 'acme' })
  await answer(0, 200, page(1, 'Acme'))
  await prepared
  await renderPage(Page, '/things?search=acme')
  await waitFor(() => expect(shown()).toEqual(['Acme']))
  expect(asked).toHaveLength(1)
})

test('the selection spans pages; another product clears it', async () => {
  const { go } = await renderPage(Page, '/things')
  await answer(0, 200, page(40, 'A'))
  await waitFor(() => expect(shown()).toEqual(['A']))
  act(() => list.selection.set([1], true))
  await act(() => go('/things?page=2'))
  await answer(1, 200, page(40, 'B'))
  expect(list.selection.ids).toEqual([1])
  await act(async () => storeProduct(2))
  expect((await nextRequest(2)).address).toContain('product_id=2')
  expect(list.selection.ids).toEqual([])
})

test('“select all” stops applying when a filter or the number of rows changes', async () => {
  const { go } = await renderPage(Page, '/things')
  await answer(0, 200, page(40, 'A'))
  await waitFor(() => expect(shown()).toEqual(['A']))
  act(() => list.selection.chooseAll())
  expect(list.selection.isAll).toBe(true)
  act(() => list.retry())
  await answer(1, 200, page(41, 'A'))
  await waitFor(() => expect(list.total).toBe(41))
  expect(list.selection.isAll).toBe(false)

  act(() => list.selection.chooseAll())
  await act(() => go('/things?search=b'))
  expect(list.selection.isAll).toBe(false)
})
