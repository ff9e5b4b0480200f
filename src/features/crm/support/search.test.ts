import { expect, test } from 'vitest'
import { parseSearch } from '#features/crm/support/search.ts'

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
