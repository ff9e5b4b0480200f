import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decryptSecret, encryptSecret } from '#server/secrets/secrets.ts'

test('a secret can be decrypted only with its key and for its place, and not if it was changed', () => {
  const key = randomBytes(32)
  const stored = encryptSecret(key, 'mailbox 1', 'päss')
  expect(stored.toString('latin1')).not.toContain('ss')
  expect(decryptSecret(key, 'mailbox 1', stored)).toBe('päss')
  expect(encryptSecret(key, 'mailbox 1', 'päss')).not.toEqual(stored)
  expect(() => decryptSecret(randomBytes(32), 'mailbox 1', stored)).toThrow()
  expect(() => decryptSecret(key, 'mailbox 2', stored)).toThrow()
  stored[stored.length - 1]! ^= 1
  expect(() => decryptSecret(key, 'mailbox 1', stored)).toThrow()
})
