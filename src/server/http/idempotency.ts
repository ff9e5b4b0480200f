import { createHash, createHmac } from 'node:crypto'
import { CompiledQuery, type Transaction } from 'kysely'
import { executeDeferred } from '#server/db/db.ts'
import type { Database } from '#server/db/tables.ts'
import { isSecret } from '#server/http/audit.ts'
import { HttpError } from '#server/http/errors.ts'

/** Stored response to an earlier request with the same key. */
export interface Answered {
  status: number
  reply: string
}

// Built once, because every write runs it.
const claim =
  'insert into idempotency_keys (staff_id, key, endpoint, request_hash) values ($1, $2, $3, $4) on conflict do nothing returning 1'
const keep = 'update idempotency_keys set status = $1, reply = $2 where staff_id = $3 and key = $4'

const keyForm = /^[\x21-\x7e]{8,100}$/

/**
 * Computes a keyed digest of a secret to include in a request's hash. A different secret is detected, but no
 * secret can be guessed from the database alone, because the session's token is not stored.
 */
const keyedDigest = (token: string, value: unknown) =>
  createHmac('sha256', token).update(JSON.stringify(value)).digest('base64')

/**
 * Claims a key for this transaction. If another request holds the key, waits for its commit and returns its
 * response.
 * @throws HttpError 422 if the key is malformed or was used for another request.
 */
export async function claimKey(
  trx: Transaction<Database>,
  staff_id: number,
  key: string,
  endpoint: string,
  input: unknown,
  token: string,
): Promise<Answered | undefined> {
  if (!keyForm.test(key)) throw new HttpError(422, 'Idempotency-Key must be 8 to 100 printable characters.')
  const request_hash = createHash('sha256')
    .update(
      JSON.stringify([endpoint, input], (name, value: unknown) =>
        isSecret(name) && value !== undefined ? keyedDigest(token, value) : value,
      ),
    )
    .digest()
  const claimed = await trx.executeQuery(CompiledQuery.raw(claim, [staff_id, key, endpoint, request_hash]))
  if (claimed.rows.length) return undefined
  const held = await trx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'reply'])
    .where('staff_id', '=', staff_id)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!held || held.status === null || held.reply === null)
    throw new HttpError(503, 'The first request with this Idempotency-Key is still in progress. Try again.', {
      retryAfter: 1,
    })
  if (!held.request_hash.equals(request_hash))
    throw new HttpError(422, 'This Idempotency-Key was already used for another request.')
  return { status: held.status, reply: held.reply }
}

/** Stores the response with its key, in the same transaction as the change. */
export async function keepAnswer(
  trx: Transaction<Database>,
  staff_id: number,
  key: string,
  answered: Answered,
): Promise<void> {
  await executeDeferred(trx, keep, [answered.status, answered.reply, staff_id, key])
}
