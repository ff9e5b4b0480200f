import { createHash, randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Database, Db } from '#server/db/db.ts'

/** The email that a reply token was made for, and its recipient. */
export interface Answered {
  mail_id: number
  address: string
  record_type: string | null
  record_id: number | null
  staff_id: number | null
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Makes a secret of 128 bits for a recipient of an email; only its hash is stored. */
export async function makeReplyToken(
  db: Transaction<Database> | Db,
  mail_id: number,
  address: string,
): Promise<string> {
  // Lowercase letters and digits, because some servers change the case of addresses.
  const token = randomBytes(16).toString('hex')
  await db
    .insertInto('mail_reply_tokens')
    .values({ token_hash: hashOf(token), mail_id, address })
    .execute()
  return token
}

/** Returns an address for incoming email with a token in it (`replies+TOKEN@linen.example`). */
export const addressWith = (inboundAddress: string, token: string): string =>
  inboundAddress.replace('@', `+${token}@`)

/** Returns the tokens in the addresses that an email was delivered to. */
export function tokensIn(addresses: readonly string[], inboundAddress: string | undefined): string[] {
  if (inboundAddress === undefined) return []
  const [local, domain] = inboundAddress.toLowerCase().split('@')
  return addresses.flatMap((one) => {
    const [own, host] = one.toLowerCase().split('@')
    const token = own?.startsWith(`${local}+`) && host === domain ? own.slice(local!.length + 1) : ''
    return /^[a-f0-9]{32}$/.test(token) ? [token] : []
  })
}

/** Finds the email that a token belongs to; undefined if we did not make any of the tokens. */
export function findAnswered(db: Db, tokens: readonly string[]): Promise<Answered | undefined> | undefined {
  if (tokens.length === 0) return undefined
  return db
    .selectFrom('mail_reply_tokens as t')
    .innerJoin('mails as m', 'm.id', 't.mail_id')
    .select(['t.mail_id', 't.address', 'm.record_type', 'm.record_id', 'm.staff_id'])
    .where('t.token_hash', 'in', tokens.slice(0, 20).map(hashOf))
    .orderBy('t.mail_id', 'desc')
    .executeTakeFirst()
}
