import { expect, test } from 'vitest'
import { canCorrect, explainFailure } from '#shared/delivery.ts'

test.each([
  ['550 5.1.1 Mailbox unavailable', /address doesn’t exist/],
  ['550 No such mailbox', /address doesn’t exist/],
  ['552 5.2.2 Mailbox full', /mailbox is full/],
  ['Invalid login: 535 5.7.8 Authentication credentials invalid', /rejected the panel’s sign-in/],
  ['554 5.7.1 Message rejected as spam', /as unwanted/],
  ['connect ECONNREFUSED 127.0.0.1:25', /can’t be reached/],
  ['Something else', /^The mail server rejected this email\.$/],
  [null, /^The mail server rejected this email\.$/],
])('the response %s is explained', (response, words) => {
  expect(explainFailure(response)).toMatch(words)
})

test('an address can be corrected after a failed attempt, and not once the email was sent', () => {
  expect(canCorrect({ state: 'failed', attempts: 1 })).toBe(true)
  expect(canCorrect({ state: 'waiting', attempts: 1 })).toBe(true)
  expect(canCorrect({ state: 'waiting', attempts: 0 })).toBe(false)
  expect(canCorrect({ state: 'sent', attempts: 1 })).toBe(false)
})
