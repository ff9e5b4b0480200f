import { expect, test } from 'vitest'
import { messages } from '#features/panel/session/contract.ts'
import { tooShort, whatIsWrong } from '#features/panel/session/web/passwords.ts'
import { whatIsMissing } from '#features/panel/session/web/signIn.ts'

test('what is missing at the login has three texts', () => {
  expect(whatIsMissing({ username: ' ', password: '', rememberMe: false })).toBe(messages.bothEmpty)
  expect(whatIsMissing({ username: '', password: 'x', rememberMe: false })).toBe(messages.usernameEmpty)
  expect(whatIsMissing({ username: 'crm', password: '', rememberMe: false })).toBe(messages.passwordEmpty)
  expect(whatIsMissing({ username: 'crm', password: ' ', rememberMe: false })).toBeUndefined()
})

test('of several things wrong with a new password the first is said: blank, too short, different', () => {
  expect(whatIsWrong({ current: '', next: 'short', confirmation: 'other' })).toBe(messages.passwordFillAll)
  expect(whatIsWrong({ current: 'x', next: 'short', confirmation: 'other' })).toBe(messages.passwordTooShort)
  expect(whatIsWrong({ current: 'x', next: 'long enough', confirmation: 'other' })).toBe(messages.passwordMismatch)
  expect(whatIsWrong({ current: 'x', next: 'long enough', confirmation: 'long enough' })).toBeUndefined()
})

test('the text under a password stands there from 1 to 7 characters', () => {
  expect([0, 1, 7, 8].map((length) => tooShort('x'.repeat(length)))).toEqual([
    undefined,
    messages.passwordTooShortInline,
    messages.passwordTooShortInline,
    undefined,
  ])
})
