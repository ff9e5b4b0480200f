import { expect, test } from 'vitest'
import { enteredSince } from '#web/form/enteredSince.ts'

const initial = { message: '', file_ids: [] as number[], status: '' }
const sent = { message: '<p>It is fixed.</p>', file_ids: [4], status: '1' }

test('a form that was sent starts over', () => {
  expect(enteredSince(sent, sent, initial)).toEqual(initial)
})

test.each([
  ['<p>It is fixed.</p><p>One more thing:</p>', '<p>One more thing:</p>'],
  ['<p>It is fixed. One more thing:</p>', '<p>One more thing:</p>'],
  ['<p>Is it fixed?</p>', '<p>Is it fixed?</p>'],
])('of %s, %s is left', (message, left) => {
  expect(enteredSince({ ...sent, message }, sent, initial)).toEqual({ ...initial, message: left })
})

test('of plain text, what follows is left; a changed word and another choice stay whole', () => {
  const note = (now: string, before: string) =>
    enteredSince({ note: now }, { note: before }, { note: '' }).note
  expect(note('Call back\nat noon', 'Call back')).toBe('at noon')
  expect(note('Callback', 'Call')).toBe('Callback')
  expect(enteredSince({ ...sent, status: '12' }, sent, initial).status).toBe('12')
})

test('of the files, those that were added are left', () => {
  expect(enteredSince({ ...sent, file_ids: [4, 7] }, sent, initial).file_ids).toEqual([7])
})
