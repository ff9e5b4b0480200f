import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MessageBox } from '#web/message/MessageBox.tsx'
import { showMessage } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { forgetToasts } from '#web/message/toast.testing.ts'
import { Toaster } from '#web/message/Toaster.tsx'

/** Display times of messages (B §8). */
const shown = (text: string) => screen.queryAllByText(text).length
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** Shows a message once, so that its code is loaded, and then stops the time. */
async function stopTime(text: string, close: string): Promise<void> {
  await screen.findByText(text)
  fireEvent.click(screen.getByRole('button', { name: close }))
  await waitFor(() => expect(shown(text)).toBe(0))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('the message box closes itself after three seconds', async () => {
  render(
    <MantineProvider env="test">
      <MessageBox />
    </MantineProvider>,
  )
  act(() => void showMessage('Access denied!'))
  await stopTime('Access denied!', 'Close')
  act(() => void showMessage('Access denied!'))
  await wait(2999)
  expect(shown('Access denied!')).toBe(1)
  await wait(1)
  expect(shown('Access denied!')).toBe(0)
})

test('a toast stays for 2500 ms, longer while the pointer is over it, and can be closed', async () => {
  forgetToasts()
  render(
    <MantineProvider env="test">
      <Toaster />
    </MantineProvider>,
  )
  onTestFinished(forgetToasts)
  act(() => toast.failure('This URL isn’t publicly accessible.'))
  await stopTime('This URL isn’t publicly accessible.', 'Close message')

  const appear = () => act(() => toast.failure('This URL isn’t publicly accessible.'))
  appear()
  await wait(2400)
  expect(shown('This URL isn’t publicly accessible.')).toBe(1)
  await wait(300)
  expect(shown('This URL isn’t publicly accessible.')).toBe(0)

  appear()
  const alert = screen.getByRole('alert')
  fireEvent.mouseEnter(alert)
  fireEvent.mouseMove(alert, { movementX: 5, movementY: 5 })
  await wait(10_000)
  expect(shown('This URL isn’t publicly accessible.')).toBe(1)
  fireEvent.mouseLeave(alert)
  await wait(3000)
  expect(shown('This URL isn’t publicly accessible.')).toBe(0)
})

test('a toast takes the place of an earlier one about the same', async () => {
  forgetToasts()
  render(
    <MantineProvider env="test">
      <Toaster />
    </MantineProvider>,
  )
  onTestFinished(forgetToasts)
  act(() => toast.failure('It failed.'))
  await stopTime('It failed.', 'Close message')
  act(() => toast.notice('Sent.', { about: 'email 7' }))
  act(() => toast.notice('Saved.'))
  act(() => toast.notice('Canceled.', { about: 'email 7' }))
  await wait(1000)
  expect(['Sent.', 'Saved.', 'Canceled.'].map(shown)).toEqual([0, 1, 1])
})
