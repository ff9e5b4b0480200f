import { expect, test } from 'vitest'
import { mentionedIn } from '#web/composer/mentions.ts'

const people = [
  { id: 1, name: 'Ann Lee' },
  { id: 2, name: 'Ann Leeson' },
  { id: 3, name: 'Bo (QA)' },
]
const ids = (text: string) => mentionedIn(text, people).map(({ id }) => id)

test('a name that begins another one is mentioned only on its own', () => {
  expect(ids('Ask @Ann Leeson')).toEqual([2])
  expect(ids('Ask @Ann Lee, please')).toEqual([1])
  expect(ids('@Ann Lee and @Ann Leeson and @Bo (QA)!')).toEqual([1, 2, 3])
  expect(ids('Ann Lee without the sign, and lee@Ann.example')).toEqual([])
})
