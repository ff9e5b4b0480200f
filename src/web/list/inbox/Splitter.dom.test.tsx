import { fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { renderPage, signIn } from '#web/dom.testing.tsx'
import { Splitter, useListShare } from '#web/list/inbox/Splitter.tsx'

afterEach(() => localStorage.clear())

function Page() {
  const [share, setShare] = useListShare('tickets')
  return <Splitter share={share} onMove={setShare} />
}
const handle = () => screen.getByRole('separator', { name: 'Width of the list' })
const shown = () => handle().getAttribute('aria-valuenow')

test('the width of the list is moved by keys within its limits, kept by the browser, and reset by a double click', async () => {
  signIn([])
  const { unmount } = await renderPage(Page)
  expect(shown()).toBe('47')
  fireEvent.keyDown(handle(), { key: 'ArrowRight' })
  expect(shown()).toBe('49')
  for (let press = 0; press < 20; press++) fireEvent.keyDown(handle(), { key: 'ArrowLeft' })
  expect(shown()).toBe('30')
  unmount()
  await renderPage(Page)
  expect(shown()).toBe('30')
  fireEvent.doubleClick(handle())
  expect(shown()).toBe('47')
})
