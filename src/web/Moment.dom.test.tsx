import { act, render } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Moment } from '#web/Moment.tsx'

test('times on a page that stays open all count from now, whenever their row was last rendered', async () => {
  vi.useFakeTimers({
    toFake: ['Date', 'setInterval', 'clearInterval'],
    now: new Date('2026-11-20T12:00:00Z'),
  })
  onTestFinished(() => void vi.useRealTimers())
  const { container, unmount } = render(<Moment at="2026-11-20T03:00:00Z" />)
  expect(container.textContent).toBe('9 hr. ago')
  await act(() => vi.advanceTimersByTimeAsync(3_600_000))
  expect(container.textContent).toBe('10 hr. ago')
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})
