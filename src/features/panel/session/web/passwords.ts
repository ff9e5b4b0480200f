import { messages, minPasswordLength } from '#features/panel/session/contract.ts'

export interface Passwords {
  current: string
  next: string
  confirmation: string
}

/** Returns the first error in the input (docs/spec-gaps.md G119). */
export function validatePasswords({ current, next, confirmation }: Passwords): string | undefined {
  if (current === '' || next === '' || confirmation === '') return messages.passwordFillAll
  if (next.length < minPasswordLength) return messages.passwordTooShort
  return confirmation === next ? undefined : messages.passwordMismatch
}

/**
 * Returns the hint shown under the current and new password fields while they contain 1 to 7 characters
 * (docs/spec-gaps.md G79).
 */
export const tooShort = (password: string): string | undefined =>
  password.length > 0 && password.length < minPasswordLength ? messages.passwordTooShortInline : undefined
