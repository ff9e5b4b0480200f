import { beforeEach, expect, test, vi } from 'vitest'
import { pauseInTyping } from '#web/keys/pauseInTyping.ts'

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = '<input /><button>Save</button>'
  return () => vi.useRealTimers()
})

test('a pause begins when no key has been pressed in a field for a second', async () => {
  document.querySelector('input')!.focus()
  let isOver = false
  void pauseInTyping().then(() => (isOver = true))
  for (let letter = 0; letter < 5; letter++) {
    await vi.advanceTimersByTimeAsync(900)
    document.querySelector('input')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
  }
  await vi.advanceTimersByTimeAsync(900)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(100)
  expect(isOver).toBe(true)
})

test('outside a field there is nothing to wait for', async () => {
  document.querySelector('button')!.focus()
  await pauseInTyping()
})
