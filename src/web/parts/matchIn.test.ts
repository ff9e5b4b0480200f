import { expect, test } from 'vitest'
import { matchIn } from '#web/parts/matchIn.ts'

const shown = (text: string, search: string) => {
  const match = matchIn(text, search)
  return match && text.slice(...match)
}

test.each([
  ['Ximena Oyelaran', 'oye', 'Oye'],
  ['+1 (902) 555-0142 · Kestrel Bay', '902555', '902) 555'],
  ['+1 902 555 0142', '902-555', '902 555'],
  ['Kestrel Bay Resort', 'resort paris', 'Resort'],
  ['Kestrel Bay Resort', 'paris', undefined],
  ['Front desk', '12', undefined],
  ['Front desk', ' ', undefined],
  ['Hotel Weißstraße 4', 'weissstrasse', 'Weißstraße'],
  ['Hotel Gross', 'groß', 'Gross'],
  ['Zoë Müller', 'muller', 'Müller'],
  ['Jose\u0301 Ortiz', 'jose', 'Jose\u0301'],
  ['Weiß', 'weis', 'Weiß'],
])('in %j, the search %j matches %j', (text, search, match) => {
  expect(shown(text, search)).toBe(match)
})
