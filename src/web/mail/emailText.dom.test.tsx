import { expect, test } from 'vitest'
import { addressesIn, questionsIn, withQuestions } from '#web/mail/emailText.ts'

const letter = '<p>Hello &lt;Zoë&gt;,</p><p>how are you?</p><p>Kind regards,<br>Paula</p>'

test.each([
  ['zoe@inn.example', ['zoe@inn.example']],
  ['zoe@inn.example,', ['zoe@inn.example']],
  ['Zoë Yıldız <zoe@inn.example>; owner@inn.example', ['zoe@inn.example', 'owner@inn.example']],
  ['a@inn.example b@inn.example\nc@inn.example', ['a@inn.example', 'b@inn.example', 'c@inn.example']],
  ['Zoë', ['Zoë']],
  [' , ', []],
])('the addresses in %j are %j', (text, addresses) => {
  expect(addressesIn(text)).toEqual(addresses)
})

test('questions are above the signature, can be changed and removed, and are found again', () => {
  const one = withQuestions(letter, ['How many sites?'])
  expect(one).toContain(
    '<p>We would like to know:</p><ol><li><p>How many sites?</p></li></ol><p>Kind regards,<br>Paula</p>',
  )
  const two = withQuestions(one, ['How many sites?', 'Since when?'])
  expect(questionsIn(two)).toEqual(['How many sites?', 'Since when?'])
  expect(two.match(/We would like to know/g)).toHaveLength(1)
  expect(withQuestions(two, [])).toBe(letter)
  expect(questionsIn(letter)).toEqual([])
})

test('without a signature, questions are at the end', () => {
  expect(withQuestions('<p>Hello</p>', ['Since when?'])).toBe(
    '<p>Hello</p><p>We would like to know:</p><ol><li><p>Since when?</p></li></ol>',
  )
})
