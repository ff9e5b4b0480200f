import { createHash, createHmac } from 'node:crypto'
import { CompiledQuery, type Transaction } from 'kysely'
import { executeDeferred } from '#server/db/db.ts'
import type { Database } from '#server/db/tables.ts'
import { isSecret } from '#server/http/audit.ts'
import { HttpError } from '#server/http/errors.ts'

/** Stored reply to an earlier request with the same key. */
export interface Answered {
  status: number
  reply: string
}

// Run by every write, so not rebuilt each time.
const claim =
  'insert into idempotency_keys (staff_id, key, endpoint, request_hash) values ($1, $2, $3, $4) on conflict do nothing returning 1'
const keep = 'update idempotency_keys set status = $1, reply = $2 where staff_id = $3 and key = $4'

const keyForm = /^[\x21-\x7e]{8,100}$/

/**
 * Seals a secret so that a request's hash can include it: a different secret is detected, but it can't be guessed from the database alone,
 * because the session's token is stored nowhere.
 */
const keyedDigest = (token: string, value: unknown) =>
  createHmac('sha256', token).update(JSON.stringify(value)).digest('base64')

/**
 * Claims a key for this transaction; if another request holds it, waits for its commit and returns its reply.
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

/** Stores the reply with its key, in the transaction of the change. */
export async function keepAnswer(
  trx: Transaction<Database>,
  staff_id: number,
  key: string,
  answered: Answered,
): Promise<void> {
  await executeDeferred(trx, keep, [answered.status, answered.reply, staff_id, key])
}
