import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

export interface PasswordCost {
  memoryKiB: number
  passes: number
  lanes: number
}

/** OWASP's parameters for argon2id: 19 MiB, two passes, and one lane, which take about 30 to 50 ms. */
export const passwordCost: PasswordCost = { memoryKiB: 19_456, passes: 2, lanes: 1 }
/** For tests, which sign in often and don't protect any secrets. */
export const cheapPasswordCost: PasswordCost = { memoryKiB: 64, passes: 1, lanes: 1 }

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>
const saltBytes = 16
const hashBytes = 32

/** Hashes a password with argon2id and a random salt, in PHC format. */
export async function hashPassword(password: string, cost = passwordCost): Promise<string> {
  const salt = randomBytes(saltBytes)
  return phcOf(salt, await deriveFrom(password, salt, hashBytes, cost), cost)
}

/** Returns a hash that no password has, and whose verification takes as long as that of any other. */
export const hashOfNone = (): string => phcOf(randomBytes(saltBytes), randomBytes(hashBytes), passwordCost)

const phcOf = (salt: Buffer, hash: Buffer, { memoryKiB, passes, lanes }: PasswordCost) =>
  `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${lanes}$${unpadded(salt)}$${unpadded(hash)}`

/** Returns whether a password matches a hash, compared in constant time. */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(phc)
  if (!match) return false
  const [memoryKiB, passes, lanes] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [salt, expected] = [Buffer.from(match[4] ?? '', 'base64'), Buffer.from(match[5] ?? '', 'base64')]
  const hash = await deriveFrom(password, salt, expected.length, { memoryKiB, passes, lanes })
  return timingSafeEqual(hash, expected)
}

/**
 * Derives the hash. Accents are composed first, so that a word entered on two different keyboards is the same
 * password.
 */
const deriveFrom = (
  password: string,
  nonce: Buffer,
  tagLength: number,
  { memoryKiB, passes, lanes }: PasswordCost,
) =>
  derive('argon2id', {
    message: password.normalize('NFC'),
    nonce,
    parallelism: lanes,
    tagLength,
    memory: memoryKiB,
    passes,
  })

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
