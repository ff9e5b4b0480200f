import { expect, test } from 'vitest'
import { truncate } from '#shared/truncate.ts'

test('a text within the limit stays as it is', () => {
  expect(truncate('Bath towels', 11)).toBe('Bath towels')
  expect(truncate('', 0)).toBe('')
})

test('a longer text ends before the character that does not fit completely', () => {
  expect(truncate('Bath towels', 4)).toBe('Bath')
  // An emoji of two code units, one joined from several, a letter with an accent, and a flag.
  expect(truncate('abc🧺', 4)).toBe('abc')
  expect(truncate('abc🧺', 5)).toBe('abc🧺')
  expect(truncate('ab👩🏽‍🔧!', 8)).toBe('ab')
  expect(truncate('abe\u0301!', 3)).toBe('ab')
  expect(truncate('a🇳🇴!', 3)).toBe('a')
})

test('at every limit the result is well formed and a beginning of the text', () => {
  const text = `${'🧺👩🏽‍🔧e\u0301🇳🇴ש'.repeat(20)}e${'\u0301'.repeat(300)}`
  for (let most = 0; most <= text.length; most += 1) {
    const short = truncate(text, most)
    expect(short.isWellFormed()).toBe(true)
    expect(short.length).toBeLessThanOrEqual(most)
    expect(text.startsWith(short)).toBe(true)
  }
  // A character that is longer than the limit is split, but never half a code point.
  expect(truncate(`e${'\u0301'.repeat(300)}`, 100)).toHaveLength(100)
})
