import { renderHook, waitFor } from '@testing-library/react'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { queries } from '#web/api/queries.ts'
import { settle } from '#web/dom.testing.tsx'

beforeEach(() => queries.clear())

test('what could not be reloaded while offline is loaded when the browser is online again, and nothing else', async () => {
  const failing = vi.fn(() => Promise.reject(new Error('No connection.')))
  const working = vi.fn(() => Promise.resolve('working'))
  const { result } = renderHook(
    () => [
      useQuery({ queryKey: ['failing'], queryFn: failing, initialData: 'before', staleTime: 0 }),
      useQuery({ queryKey: ['working'], queryFn: working }),
    ],
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      ),
    },
  )
  await waitFor(() =>
    expect(result.current.map(({ data, isError }) => [data, isError])).toEqual([
      ['before', true],
      ['working', false],
    ]),
  )
  failing.mockResolvedValue('after' as never)
  dispatchEvent(new Event('offline'))
  dispatchEvent(new Event('online'))
  await settle()
  await waitFor(() => expect(result.current[0]).toMatchObject({ data: 'after', isError: false }))
  expect([failing.mock.calls.length, working.mock.calls.length]).toEqual([2, 1])
})
