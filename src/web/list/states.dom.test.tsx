import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderPage } from '#web/dom.testing.tsx'
import { ApiError } from '#web/api/errors.ts'
import { ErrorState, Loaded, NoMatches } from '#web/list/states.tsx'

const onRetry = vi.fn()
const failed = (status: number, request_id?: string) =>
  new ApiError(status, { message: 'The server said so.', ...(request_id ? { request_id } : {}) })
const show = (error: unknown) =>
  renderPage(() => <ErrorState error={error} what="Tickets" onRetry={onRetry} />)

afterEach(() => onRetry.mockClear())

test('a failed request says what couldn’t be loaded, why, and under which ID, and can be retried', async () => {
  await show(failed(500, '7f3a-19c2'))
  const alert = screen.getByRole('alert')
  for (const text of ['Tickets couldn’t be loaded', 'The server said so.', 'Request ID: 7f3a-19c2'])
    expect(alert.textContent).toContain(text)
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(onRetry).toHaveBeenCalledOnce()
})

test.each([
  [403, 'You don’t have access to this'],
  [404, 'Tickets not found'],
])('an answer %i can’t be retried, because the answer would be the same', async (status, title) => {
  await show(failed(status))
  expect(screen.getByRole('alert').textContent).toBe(`${title}The server said so.`)
})

test('a request that failed offline is repeated when the browser is online again', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await show(failed(0))
  expect(screen.getByRole('alert').textContent).toContain('You’re offline')
  expect(onRetry).not.toHaveBeenCalled()
  act(() => void globalThis.dispatchEvent(new Event('online')))
  expect(onRetry).toHaveBeenCalledOnce()
})

test('a server that doesn’t answer is not called offline', async () => {
  await show(failed(0))
  expect(screen.getByRole('alert').textContent).toContain('Tickets couldn’t be loaded')
})

test('no matches names the active filters and clears them', async () => {
  const clear = vi.fn()
  await renderPage(() => <NoMatches filters={['Status: Closed', 'Category: Billing']} onClear={clear} />)
  expect(screen.getByText('Status: Closed · Category: Billing')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(clear).toHaveBeenCalledOnce()
})

test('content that is loaded stays when a later request fails', async () => {
  const query = { isLoading: false, error: failed(500), refetch: onRetry }
  const shown = (data: string | undefined) => (
    <Loaded query={{ ...query, data }}>{(text) => <p>{text}</p>}</Loaded>
  )
  await renderPage(() => shown('Loaded before'))
  expect(screen.getByText('Loaded before')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})
