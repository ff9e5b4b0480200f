import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { useTypingGuard } from '#web/keys/useTypingGuard.ts'

const pressed: string[] = []

function Page() {
  useTypingGuard()
  const note = (key: string) => () => void pressed.push(key)
  usePageKeys({ a: note('a'), n: note('n') })
  return <textarea aria-label="Reply" />
}

/** Presses keys wherever the focus is, this many milliseconds after one another. */
function type(keys: readonly string[], ms: number): void {
  for (const key of keys) {
    now += ms
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    Object.defineProperty(event, 'timeStamp', { value: now })
    fireEvent(document.activeElement!, event)
  }
}
let now = 10_000

test('the rest of a sentence is no command after its field has lost the focus, until a pause, another key, or a click', () => {
  render(<Page />)
  const reply = screen.getByRole('textbox', { name: 'Reply' })
  const leave = () => act(() => reply.blur())
  const begin = () => {
    act(() => reply.focus())
    type(['i'], 150)
    leave()
  }
  begin()
  type(['n', ' ', 'a', 'n'], 200)
  expect(pressed).toEqual([])
  type(['a'], 900)
  expect(pressed).toEqual(['a'])

  begin()
  type(['Escape', 'n'], 100)
  expect(pressed).toEqual(['a', 'n'])

  begin()
  fireEvent.pointerDown(document.body)
  type(['a'], 100)
  expect(pressed).toEqual(['a', 'n', 'a'])
})
