import { expect, test } from 'vitest'
import { messages } from '#features/panel/session/contract.ts'
import { tooShort, validatePasswords } from '#features/panel/session/web/passwords.ts'
import { validateCredentials } from '#features/panel/session/web/signIn.ts'

test('missing sign-in input has three texts', () => {
  expect(validateCredentials({ username: ' ', password: '', rememberMe: false })).toBe(messages.bothEmpty)
  expect(validateCredentials({ username: '', password: 'x', rememberMe: false })).toBe(messages.usernameEmpty)
  expect(validateCredentials({ username: 'crm', password: '', rememberMe: false })).toBe(
    messages.passwordEmpty,
  )
  expect(validateCredentials({ username: 'crm', password: ' ', rememberMe: false })).toBeUndefined()
})

test('of several errors in a new password the first one is shown: blank, too short, different', () => {
  expect(validatePasswords({ current: '', next: 'short', confirmation: 'other' })).toBe(
    messages.passwordFillAll,
  )
  expect(validatePasswords({ current: 'x', next: 'short', confirmation: 'other' })).toBe(
    messages.passwordTooShort,
  )
  expect(validatePasswords({ current: 'x', next: 'long enough', confirmation: 'other' })).toBe(
    messages.passwordMismatch,
  )
  expect(
    validatePasswords({ current: 'x', next: 'long enough', confirmation: 'long enough' }),
  ).toBeUndefined()
})

test('the hint below a password is shown from 1 to 7 characters', () => {
  expect([0, 1, 7, 8].map((length) => tooShort('x'.repeat(length)))).toEqual([
    undefined,
    messages.passwordTooShortInline,
    messages.passwordTooShortInline,
    undefined,
  ])
})
