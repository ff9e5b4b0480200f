import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts a secret for the database (AES-256-GCM).
 * @param place where it is stored, such as `mailbox 3`; a secret that was copied elsewhere can't be decrypted
 */
export function encryptSecret(key: Buffer, place: string, secret: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

/** @throws Error if the key or the place is another one, or the value was changed. */
export function decryptSecret(key: Buffer, place: string, stored: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, stored.subarray(0, nonceBytes))
  decipher.setAAD(Buffer.from(place)).setAuthTag(stored.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(stored.subarray(nonceBytes + tagBytes)), decipher.final()]).toString(
    'utf8',
  )
}
