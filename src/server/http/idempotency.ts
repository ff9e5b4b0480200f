import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Database } from '#server/db/tables.ts'
import { HttpError } from '#server/http/errors.ts'

/** What a request with the same key answered. */
export interface Answered {
  status: number
  reply: string
}

const keyForm = /^[\x21-\x7e]{8,100}$/

/**
 * Claims a key for this transaction; where somebody else holds it, waits for his commit and answers what he answered.
 * @throws HttpError 422 when the key has no fitting form or was used for another request.
 */
export async function claimKey(trx: Transaction<Database>, staff_id: number, key: string, endpoint: string, input: unknown): Promise<Answered | undefined> {
  if (!keyForm.test(key)) throw new HttpError(422, 'Idempotency-Key must be 8 to 100 printable characters.')
  const request_hash = createHash('sha256')
    .update(JSON.stringify([endpoint, input]))
    .digest()
  const claimed = await trx
    .insertInto('idempotency_keys')
    .values({ staff_id, key, endpoint, request_hash })
    .onConflict((conflict) => conflict.doNothing())
    .returning(sql<number>`1`.as('claimed'))
    .executeTakeFirst()
  if (claimed) return undefined
  const held = await trx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'reply'])
    .where('staff_id', '=', staff_id)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!held || held.status === null || held.reply === null)
    throw new HttpError(503, 'The first request with this key is not done. Please try again.', { retryAfter: 1 })
  if (!held.request_hash.equals(request_hash)) throw new HttpError(422, 'This Idempotency-Key was used for another request.')
  return { status: held.status, reply: held.reply }
}

/** Keeps the answer with its key, in the transaction of the change. */
export async function keepAnswer(trx: Transaction<Database>, staff_id: number, key: string, answered: Answered): Promise<void> {
  await trx.updateTable('idempotency_keys').set(answered).where('staff_id', '=', staff_id).where('key', '=', key).execute()
}
