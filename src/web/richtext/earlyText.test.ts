import { expect, test } from 'vitest'
import { htmlOf, selectedIn, withoutTyped, withTyped } from '#web/richtext/earlyText.ts'

test('plain text keeps its lines, its spaces, and what looks like HTML', () => {
  expect(htmlOf('')).toBe('')
  expect(htmlOf(' a  b \n\n<i> & c')).toBe('<p>\u00A0a\u00A0 b\u00A0</p><p></p><p>&lt;i> &amp; c</p>')
})

test('typed text comes after a draft, and before a signature', () => {
  expect(withTyped('<p>Draft.</p>', 'More')).toBe('<p>Draft.</p><p>More</p>')
  expect(withTyped('<p></p><p>Ann</p>', 'Hello')).toBe('<p>Hello</p><p>Ann</p>')
  expect(withTyped('<p></p><p>Ann</p>', '')).toBe('<p></p><p>Ann</p>')
})

test('the text that the form has besides the typed one is known, even if it arrives later', () => {
  expect(withoutTyped('<p>Draft.</p><p>More</p>', 'More')).toBe('<p>Draft.</p>')
  expect(withoutTyped('<p>Hello</p><p>Ann</p>', 'Hello')).toBe('<p></p><p>Ann</p>')
  expect(withoutTyped('', 'Discarded')).toBeUndefined()
  // Below an empty line, the text would be typed above.
  expect(withoutTyped('<p></p><p>Ann</p><p>Hi</p>', 'Hi')).toBeUndefined()
})

test('the selection is at the same letters in the editor', () => {
  expect(selectedIn('', 'ab\nc', 1, 3)).toEqual({ from: 2, to: 5, sizeAtEnd: 7 })
  expect(selectedIn('<p></p><p>Ann</p>', 'ab', 2, 2)).toEqual({ from: 3, to: 3, sizeAtEnd: undefined })
})
