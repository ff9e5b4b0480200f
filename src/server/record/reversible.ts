import { sql, type RawBuilder } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { undoRefusalReason, type UndoDirection } from '#shared/operations.ts'
import type { OperationRef, ReversibleOperation, SkippedRecord } from '#shared/record.contract.ts'
import { recordTypes } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import {
  isOperationAllowed,
  referenceOf,
  storedColumns,
  type AccessOf,
  type StoredOperation,
} from '#server/record/operations.ts'
import { findChangedParts } from '#server/record/parts.ts'
import { idOf, scopeOf, type RecordKind } from '#server/record/rows.ts'
import { workSince } from '#server/record/work-since.ts'

/* What an undo or redo would restore, and which records it skips or would skip. */

const mostListed = 100

/**
 * Returns which of these operations the viewer can undo or redo from the history of records of a type, by
 * operation ID. Leaves out operations that the viewer could not perform themselves, operations by other users
 * (except for roles 0 and 1), and operations whose records have changed since.
 */
export async function findReversible(
  db: Db,
  kind: RecordKind,
  records: RawBuilder<unknown>,
  { viewer, accessOf }: { viewer: Viewer; accessOf: AccessOf },
  ids: readonly number[],
): Promise<Map<number, ReversibleOperation>> {
  if (!ids.length) return new Map()
  const isUndone = sql`o.state = 'undone'`
  const { rows } = await sql<StoredOperation>`select ${storedColumns}
    from operations o where o.id = any(${ids}::int[]) and ${isAdminRole(viewer.role_id) ? sql`true` : sql`o.staff_id = ${viewer.id}`}
      and not exists (select from record_changes c join ${sql.table(kind.table)} r on ${sql.ref(`r.${idOf(kind)}`)} = c.record_id
        where c.operation_id = o.id and c.record_type = ${kind.type} and c.record_id in (${records})
          and case when ${isUndone} then c.undo is distinct from 'undone' or c.version_undone is distinct from r.version
            else c.undo is not null or c.version_after <> r.version end)`.execute(db)
  const found = new Map<number, ReversibleOperation>()
  for (const way of ['undo', 'redo'] as const) {
    const allowed = rows.filter(
      (act) => !undoRefusalReason(act, way) && isOperationAllowed(act, viewer, accessOf),
    )
    const changedSince = await findChangedParts(
      db,
      allowed.map(({ id }) => id),
      way,
    )
    for (const { id, changed } of allowed) if (!changedSince.has(id)) found.set(id, { id, way, changed })
  }
  return found
}

/** The changes `c` of an operation to records `r` of a type. */
const changesOf = (kind: RecordKind, id: number) =>
  sql`record_changes c join ${sql.table(kind.table)} r on ${sql.ref(`r.${idOf(kind)}`)} = c.record_id
    and c.operation_id = ${id} and c.record_type = ${kind.type}`

/**
 * SQL over `record_changes c` and the record `r` for the reason why an unchanged record stays as it is: it can't be
 * restored to its state before an operation (for a redo, after it), or the operation created it and someone has worked on
 * it since. Null if nothing prevents it.
 */
export function blockedReason(kind: RecordKind, way: UndoDirection): RawBuilder<string | null> {
  const own = kind.undo?.blockedReason?.(way) ?? sql<string | null>`null::text`
  return way === 'redo' ? own : sql`coalesce(${own}, case when c.before is null then ${workSince(kind)} end)`
}

/**
 * Returns an operation's records that have changed since, cannot be restored, or were left out or, if the
 * operation was undone, those that the undo skipped. Returns the first hundred that the viewer can see, their
 * total, and how many of them are blocked by something other than a change.
 */
export async function findSkipped(
  db: Db,
  kind: RecordKind,
  { id, state }: { id: number; state: string },
  viewer: Viewer,
): Promise<{ data: SkippedRecord[]; total: number; blocked: number }> {
  const isUndone = state === 'undone' || state === 'undoing'
  const reason = blockedReason(kind, 'undo')
  const isSkipped = isUndone
    ? sql`c.undo = 'skipped'`
    : sql`(c.undo_why is not null or r.version <> c.version_after or ${reason} is not null)`
  const why = isUndone
    ? sql`c.undo_why`
    : sql`coalesce(c.undo_why, case when r.version = c.version_after then ${reason} end)`
  const own = sql.ref(`r.${idOf(kind)}`)
  const from = sql`from ${changesOf(kind, id)} where ${scopeOf(kind, viewer)} and ${isSkipped}`
  const [{ rows }, counts] = await Promise.all([
    sql<SkippedRecord>`select found.id, found.name, coalesce(last.who, 'System') as who, coalesce(last.at, found.updated_at) as at, found.why
      from (select ${own} as id, ${sql.raw(kind.name)} as name, r.updated_at, ${why} as why ${from} order by 1 limit ${mostListed}) found
      left join lateral (select a.at, s.name as who from audit_log a left join staff s on s.id = a.staff_id
        where a.target_type = ${kind.type} and a.target_id = found.id order by a.id desc limit 1) last on true order by found.id`.execute(
      db,
    ),
    sql<{
      total: number
      blocked: number
    }>`select count(*) as total, count(${why}) as blocked ${from}`.execute(db),
  ])
  return { data: rows, ...counts.rows[0]! }
}

/**
 * SQL for whether an undo skipped the record of a change `c`; false for records that the operation itself left
 * out, whose changes are empty.
 */
export const isSkippedChange = sql<boolean>`c.undo = 'skipped' and c.before is distinct from c.after`
/** SQL for whether an undo of an operation in this state considers a change `c`. */
const isConsidered = (state: string) => (state === 'undone' ? sql`(${isSkippedChange})` : sql`c.undo is null`)

/** Returns how many of an operation's records of one type would be restored if it were undone now. */
export async function countRestorable(
  db: Db,
  kind: RecordKind,
  { id, state }: { id: number; state: string },
): Promise<number> {
  const { rows } = await sql<{ restorable: number }>`select count(*) as restorable from ${changesOf(kind, id)}
    where ${isConsidered(state)} and r.version = c.version_after and ${blockedReason(kind, 'undo')} is null`.execute(
    db,
  )
  return rows[0]!.restorable
}

/** Returns how many records that the undo of an operation skipped can be undone now. */
export async function countSkippedNow(
  db: Db,
  kinds: readonly RecordKind[],
  act: { id: number; state: string },
): Promise<number> {
  if (act.state !== 'undone') return 0
  let count = 0
  for (const kind of kinds) count += await countRestorable(db, kind, act)
  return count
}

/**
 * Clears the marks on records that the undo of an operation skipped, before it is redone or undone again: each
 * is either as the operation left it, or its version shows that it was changed. Records that the operation
 * itself left out keep their mark.
 */
export async function clearSkipped(db: Db, { id, state }: { id: number; state: string }): Promise<void> {
  if (state !== 'undone') return
  await sql`update record_changes c set undo = null, undo_why = null
    where c.operation_id = ${id} and ${isSkippedChange}`.execute(db)
}

/**
 * Returns how many records an operation would restore if it were undone now, and the latest operation that
 * must be undone first to restore more; null if no operation prevents it.
 */
export async function findRestorable(
  db: Db,
  kind: RecordKind,
  { id, state }: { id: number; state: string },
): Promise<{ restorable: number; undo_first: (OperationRef & { who: string }) | null }> {
  const [restorable, later] = await Promise.all([
    countRestorable(db, kind, { id, state }),
    sql<{ id: number; who: string }>`
      select o.id, (select s.name from staff s where s.id = o.staff_id) as who
      from operations o where o.id > ${id} and o.state in ('done', 'failed') and exists (
        select from ${changesOf(kind, id)} join record_changes n on n.record_type = c.record_type
          and n.record_id = c.record_id and n.version_after = r.version
        where ${isConsidered(state)} and r.version <> c.version_after and n.operation_id = o.id and n.undo is null)
      order by o.id desc limit 1`.execute(db),
  ])
  const [first] = later.rows
  return {
    restorable,
    undo_first: first ? { ...(await referenceOf(db, first.id)), who: first.who } : null,
  }
}

/**
 * Says why an undo restored nothing, and which operation to undo first; undefined if the records look as if
 * they could be restored.
 */
export async function explainNothingUndone(
  db: Db,
  kind: RecordKind,
  operation: { id: number; state: string },
  { data, total, blocked }: { data: readonly SkippedRecord[]; total: number; blocked: number },
): Promise<string | undefined> {
  const { restorable, undo_first } = await findRestorable(db, kind, operation)
  if (restorable > 0) return undefined
  const { one, many } = recordTypes[kind.type]
  const all = total === 1 ? `the ${one} was` : `all ${total.toLocaleString('en-US')} ${many} were`
  const blockedWhy = total === 1 && data[0] ? `${data[0].name}: ${data[0].why}` : `no ${one} can be restored.`
  const why = blocked === total ? blockedWhy : `${all} changed since then.`
  return `Nothing was undone: ${why}${undo_first ? ` Undo “${undo_first.summary}” first.` : ''}`
}
