import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ignoreKeysOfCompositions } from '#web/keys/composition.ts'

test('while a word is composed, keys reach no handler, neither of React nor of the window', () => {
  ignoreKeysOfCompositions()
  const [pressed, heard] = [vi.fn(), vi.fn()]
  window.addEventListener('keydown', heard)
  render(<input aria-label="Name" onKeyDown={pressed} />)
  const field = screen.getByRole('textbox', { name: 'Name' })
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  // Safari
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 })
  expect([pressed.mock.calls.length, heard.mock.calls.length]).toEqual([0, 0])
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
  expect([pressed.mock.calls.length, heard.mock.calls.length]).toEqual([1, 1])
  window.removeEventListener('keydown', heard)
})
