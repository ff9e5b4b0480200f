import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { useParams } from '@tanstack/react-router'
import { asked, renderPage, signIn } from '#web/dom.testing.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import type { ListPosition } from '#web/list/position/listPosition.ts'
import { RecordPage } from '#web/record/RecordPage.tsx'

const show = { method: 'GET', path: '/things/{id}', access: 'signed-in' } as never
interface Thing {
  name: string
}

function Page() {
  const { _splat } = useParams({ strict: false })
  return (
    <RecordPage<Thing>
      key={_splat}
      title="Thing"
      asked={queryOptionsFor(show, { params: { id: Number(_splat?.split('/').at(-1)) } } as never)}
    >
      {({ name }) => <p>{name}</p>}
    </RecordPage>
  )
}

const rows = [1, 2, 3].map((id) => ({ id, to: `/things/${id}` }))
const listPosition: ListPosition = {
  key: 'things',
  address: '/things',
  one: 'thing',
  perPage: 20,
  ...rows[1]!,
  position: 2,
  total: 3,
  queue: rows,
}

const isAsked = (id: number) => asked.some(({ address }) => address === `/api/things/${id}`)

beforeEach(() => signIn([]))

test('a step that is requested while the record loads is not lost', async () => {
  const { go } = await renderPage(Page, '/')
  await act(() => go('/things/2', { listPosition }))
  await waitFor(() => expect(isAsked(2)).toBe(true))
  expect(screen.getByRole('status').textContent).toBe('Loading…')
  await act(async () => void fireEvent.keyDown(document.body, { key: 'k' }))
  await waitFor(() => expect(isAsked(1)).toBe(true))
})
