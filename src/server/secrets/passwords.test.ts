import { expect, test } from 'vitest'
import { cheapPasswordCost, hashOfNone, hashPassword, verifyPassword } from '#server/secrets/passwords.ts'

test('the password of a hash is verified, another one is not', async () => {
  const hash = await hashPassword('correct horse', cheapPasswordCost)
  expect(await verifyPassword('correct horse', hash)).toBe(true)
  expect(await verifyPassword('correct horsf', hash)).toBe(false)
  expect(await verifyPassword('', hash)).toBe(false)
})

test('a hash is argon2id in PHC format with the OWASP parameters', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await verifyPassword('correct horse', hash)).toBe(true)
})

test('the hash of no password has the same parameters, and no password matches it', async () => {
  const hash = hashOfNone()
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await verifyPassword('', hash)).toBe(false)
  expect(await verifyPassword('no one has this password', hash)).toBe(false)
})

test('two hashes of one password differ', async () => {
  expect(await hashPassword('correct horse', cheapPasswordCost)).not.toBe(
    await hashPassword('correct horse', cheapPasswordCost),
  )
})

test('a foreign argon2id hash is verified', async () => {
  // From the reference implementation: argon2 somesalt -id -t 2 -m 16 -p 1 -l 24, with the password
  // "password".
  const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await verifyPassword('password', reference)).toBe(true)
})

test('the same characters typed on another keyboard are the same password', async () => {
  const hash = await hashPassword('caf\u00e9 au lait', cheapPasswordCost)
  expect(await verifyPassword('cafe\u0301 au lait', hash)).toBe(true)
})

test.each(['', 'plain', '$2b$12$abcdefghijklmnopqrstuu', '$argon2id$v=19$m=x,t=2,p=1$c2FsdA$aGFzaA'])(
  'the hash %j allows no sign-in',
  async (hash) => {
    expect(await verifyPassword('', hash)).toBe(false)
  },
)
