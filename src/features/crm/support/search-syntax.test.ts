import { expect, test } from 'vitest'
import { parseSearch, splitSearch } from '#features/crm/support/search-syntax.ts'

const none = {
  words: [],
  from: [],
  org: [],
  is: [],
  status: [],
  tag: [],
  before: undefined,
  after: undefined,
}

test.each([
  ['', none],
  ['towel labels', { ...none, words: ['towel', 'labels'] }],
  ['FROM:Jana towels', { ...none, words: ['towels'], from: ['Jana'] }],
  ['org:"Elm Resort" is:open is:unread', { ...none, org: ['Elm', 'Resort'], is: ['open', 'unread'] }],
  ['after:2026-10-01 before:2026-11-01', { ...none, after: '2026-10-01', before: '2026-11-01' }],
  ['is:Waiting tag:"linen room"', { ...none, status: ['Waiting'], tag: ['linen room'] }],
  ['"two words"', { ...none, words: ['two', 'words'] }],
  [
    'color:blue before:soon http://a.example',
    { ...none, words: ['color:blue', 'before:soon', 'http://a.example'] },
  ],
  ['from: org: is: tag:', { ...none, words: ['from:', 'org:', 'is:', 'tag:'] }],
] as const)('%s', (search, expected) => {
  expect(parseSearch(search)).toEqual(expected)
})

test('each condition of a search has a text, and can be left out', () => {
  expect(splitSearch('towels from:jana org:"elm resort" labels before:2026-11-01 after:soon')).toEqual([
    { text: 'Search: towels labels', rest: 'from:jana org:"elm resort" before:2026-11-01 after:soon' },
    { text: 'From: jana', rest: 'towels org:"elm resort" labels before:2026-11-01 after:soon' },
    { text: 'Organization: elm resort', rest: 'towels from:jana labels before:2026-11-01 after:soon' },
    { text: 'Before 1 Nov 2026', rest: 'towels from:jana org:"elm resort" labels after:soon' },
    {
      text: '“after:soon” has no date: write after:2026-12-31',
      rest: 'towels from:jana org:"elm resort" labels before:2026-11-01',
    },
  ])
  expect(splitSearch('from: "two words"')).toEqual([{ text: 'Search: from: "two words"', rest: '' }])
  expect(splitSearch('IS:Open tag:spa')).toEqual([
    { text: 'Is: open', rest: 'tag:spa' },
    { text: 'Tag: spa', rest: 'IS:Open' },
  ])
})
