import { expect, test } from 'vitest'
import { typedAtEnd } from '#web/composer/suggestions.ts'

test('a name is typed after @, and a record after #', () => {
  expect(typedAtEnd('Ask @')).toEqual({ sign: '@', words: '' })
  expect(typedAtEnd('Ask @Ann Le')).toEqual({ sign: '@', words: 'Ann Le' })
  expect(typedAtEnd('Same as #14')).toEqual({ sign: '#', words: '14' })
  expect(typedAtEnd('Same as (#scan')).toEqual({ sign: '#', words: 'scan' })
})

test('a sign within a word, or before text that is complete, suggests nothing', () => {
  for (const text of [
    '',
    'lee@ann',
    'page.html#14',
    'Same as #',
    '#145 is',
    'about #145.',
    'Ask @Ann Lee about',
  ])
    expect([text, typedAtEnd(text)]).toEqual([text, undefined])
})
