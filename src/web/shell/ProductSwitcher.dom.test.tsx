import { act, fireEvent, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { renderPage, signIn } from '#web/dom.testing.tsx'
import { ProductSwitcher } from '#web/shell/ProductSwitcher.tsx'

test('the spinner turns for two seconds after a choice', async () => {
  signIn(
    [],
    [
      { id: 1, name: 'Atlas' },
      { id: 3, name: 'Borea' },
    ],
  )
  await renderPage(ProductSwitcher, '/demo-leads')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  fireEvent.click(screen.getByRole('button', { name: 'Borea' }))
  await wait(0)
  expect(screen.getByRole('button', { name: 'Borea' }).getAttribute('aria-pressed')).toBe('true')
  await wait(1999)
  expect(screen.queryByLabelText('Loading Borea')).toBeTruthy()
  await wait(1)
  expect(screen.queryByLabelText('Loading Borea')).toBeNull()
})
