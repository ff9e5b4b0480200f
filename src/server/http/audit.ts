import type { Transaction } from 'kysely'
import { executeDeferred } from '#server/db/db.ts'
import type { Database } from '#server/db/tables.ts'

/** A change to one record, with its values before and after. */
export interface Change {
  /** Record type, such as `lead`. */
  target: string
  id: number
  /** Omitted for a new record. */
  before?: object
  /** Omitted for a removed record. */
  after?: object
  /** Description of a change that the panel makes by its settings, and which has no author. */
  automatic?: string
}

export interface AuditedRequest {
  staff_id: number | null
  endpoint: string
  /** Description of the action. */
  act: string
  address: string
  request_id: string
}

/**
 * Returns whether a field is a secret that must never be readable later, either in the log or as a hash that
 * can be guessed.
 */
export const isSecret = (field: string): boolean => /password|token|secret/i.test(field)
/** Fields that change with every write and carry no information. */
const noise = new Set(['updated_at', 'version', 'search', 'company_key'])

/**
 * Returns the fields that differ, as [before, after]. Secrets are masked, and empty fields of a new record
 * are omitted.
 */
export function changedFields(
  before: object | undefined,
  after: object | undefined,
): Record<string, [unknown, unknown]> {
  const old = (before ?? {}) as Record<string, unknown>
  const now = (after ?? {}) as Record<string, unknown>
  const changes: Record<string, [unknown, unknown]> = {}
  for (const field in { ...old, ...now }) {
    if (noise.has(field)) continue
    const was = old[field] ?? null
    const is = now[field] ?? null
    if (was === is || (typeof was === typeof is && JSON.stringify(was) === JSON.stringify(is))) continue
    if (!before && (is === '' || (Array.isArray(is) && is.length === 0))) continue
    changes[field] = isSecret(field) ? [was === null ? null : '•••', is === null ? null : '•••'] : [was, is]
  }
  return changes
}

// Built once, because every write runs it. Multiple changes in a request become rows of a single statement.
const write = `insert into audit_log (staff_id, endpoint, address, request_id, act, target_type, target_id, changes)
select case when c.act is null then $1::int end, $2, $3, $4, coalesce(c.act, $5), c.target_type, c.target_id, c.changes
from unnest($6::text[], $7::bigint[], $8::jsonb[], $9::text[]) as c (target_type, target_id, changes, act)`

/**
 * Returns a value as JSON that PostgreSQL stores whatever its texts contain: a log entry must not refuse the
 * change that it describes.
 */
function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'string' ? one.replaceAll('\0', '').toWellFormed() : one,
  )
}

/** Writes one row per change, or a single row for the request if no change was recorded. */
export async function writeAudit(
  trx: Transaction<Database>,
  { staff_id, endpoint, act, address, request_id }: AuditedRequest,
  changes: readonly Change[],
): Promise<void> {
  const rows: Partial<Change>[] = changes.length ? [...changes] : [{}]
  const values = [
    rows.map(({ target }) => target ?? null),
    rows.map(({ id }) => id ?? null),
    rows.map(({ before, after }) => storableJson(changedFields(before, after))),
    rows.map(({ automatic }) => automatic ?? null),
  ]
  await executeDeferred(trx, write, [staff_id, endpoint, address, request_id, act, ...values])
}
