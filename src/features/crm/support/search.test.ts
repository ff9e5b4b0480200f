import { expect, test } from 'vitest'
import { parseSearch } from '#features/crm/support/search.ts'

const none = { words: [], from: [], org: [], is: [], before: undefined }

test.each([
  ['', none],
  ['towel labels', { ...none, words: ['towel', 'labels'] }],
  ['FROM:Jana towels', { ...none, words: ['towels'], from: ['Jana'] }],
  ['org:"Elm Resort" is:open is:unread', { ...none, org: ['Elm', 'Resort'], is: ['open', 'unread'] }],
  ['before:2026-11-01', { ...none, before: '2026-11-01' }],
  ['"two words"', { ...none, words: ['two', 'words'] }],
  [
    'is:blue before:soon http://a.example',
    { ...none, words: ['is:blue', 'before:soon', 'http://a.example'] },
  ],
  ['from: org:', { ...none, words: ['from:', 'org:'] }],
] as const)('%s', (search, expected) => {
  expect(parseSearch(search)).toEqual(expected)
})
