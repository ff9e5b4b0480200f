import type { Transaction } from 'kysely'
import type { Database } from '#server/db/tables.ts'

/** A change of one record: what it was and what it became. */
export interface Change {
  /** Kind of record, as `lead`. */
  target: string
  id: number
  /** Absent when the record is new. */
  before?: object
  /** Absent when the record is gone. */
  after?: object
}

export interface AuditedRequest {
  staff_id: number | null
  endpoint: string
  address: string
  request_id: string
}

const secrets = /password|token|secret/i
/** Fields that change with every write and say nothing. */
const noise = new Set(['updated_at', 'version', 'search'])

/** The fields that differ, as [before, after]; secrets masked, and a new record's empty fields left out. */
export function changedFields(before: object | undefined, after: object | undefined): Record<string, [unknown, unknown]> {
  const old = (before ?? {}) as Record<string, unknown>
  const now = (after ?? {}) as Record<string, unknown>
  const changes: Record<string, [unknown, unknown]> = {}
  for (const field of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (noise.has(field)) continue
    const [was, is] = [old[field] ?? null, now[field] ?? null]
    if (JSON.stringify(was) === JSON.stringify(is)) continue
    if (!before && (is === '' || (Array.isArray(is) && is.length === 0))) continue
    changes[field] = secrets.test(field) ? [was === null ? null : '•••', is === null ? null : '•••'] : [was, is]
  }
  return changes
}

/** Writes one row per change, or one for the request where no change was recorded. */
export async function writeAudit(trx: Transaction<Database>, request: AuditedRequest, changes: readonly Change[]): Promise<void> {
  const rows = changes.length
    ? changes.map(({ target, id, before, after }) => ({
        ...request,
        target_type: target,
        target_id: id,
        changes: JSON.stringify(changedFields(before, after)),
      }))
    : [{ ...request, changes: '{}' }]
  await trx.insertInto('audit_log').values(rows).execute()
}
