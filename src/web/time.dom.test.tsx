import { act, render } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useToday } from '#web/time.ts'

test('a page that stays open shows the new day after midnight, and when the user returns to it', async () => {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
    now: new Date(2026, 10, 20, 23, 58),
  })
  onTestFinished(() => void vi.useRealTimers())
  const Today = () => useToday()
  const { container } = render(<Today />)
  expect(container.textContent).toBe('2026-11-20')
  await act(() => vi.advanceTimersByTimeAsync(5 * 60_000))
  expect(container.textContent).toBe('2026-11-21')
  // Timers don't run while the machine sleeps.
  vi.setSystemTime(new Date(2026, 10, 24, 9))
  expect(container.textContent).toBe('2026-11-21')
  act(() => void dispatchEvent(new Event('focus')))
  expect(container.textContent).toBe('2026-11-24')
})
