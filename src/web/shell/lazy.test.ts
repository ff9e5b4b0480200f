import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChunkLoadError, loadChunk } from '#web/shell/lazy.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('code that does not load within 120000 ms is a chunk-load error, and not before', async () => {
  const failed = vi.fn<(error: unknown) => void>()
  loadChunk(() => new Promise(() => {})).catch(failed)
  await vi.advanceTimersByTimeAsync(119_999)
  expect(failed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(failed).toHaveBeenCalledExactlyOnceWith(expect.any(ChunkLoadError))
  expect(failed.mock.calls[0]![0]).toMatchObject({
    name: 'ChunkLoadError',
    message: 'Part of this page took too long to load.',
  })
})

test('code that fails to load is a chunk-load error immediately, with its cause', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module')
  await expect(loadChunk(() => Promise.reject(cause))).rejects.toMatchObject({
    name: 'ChunkLoadError',
    cause,
  })
  expect(vi.getTimerCount()).toBe(0)
})

test('loaded code is returned, and leaves no timer behind', async () => {
  const loading = loadChunk(() => new Promise((come) => setTimeout(() => come({ default: 'page' }), 119_000)))
  await vi.advanceTimersByTimeAsync(119_000)
  expect(await loading).toEqual({ default: 'page' })
  expect(vi.getTimerCount()).toBe(0)
})
