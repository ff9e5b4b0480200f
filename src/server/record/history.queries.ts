import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { RecordEvent, ReversibleOperation } from '#shared/record.contract.ts'
import type { Db } from '#server/db/db.ts'
import type { AccessOf } from '#server/record/operations.ts'
import { findReversible } from '#server/record/reversible.ts'
import { findReferences } from '#server/record/references.ts'
import type { RecordKind } from '#server/record/rows.ts'

const eventsAtOnce = 50

/**
 * The records whose history or notes are read, and the viewer who reads them; `accessOf` decides whether the
 * viewer can undo an event or a note.
 */
export interface HistoryOf {
  kind: RecordKind
  id: number
  /** SQL for the IDs of the records whose history is read: the record, and those that were merged into it. */
  ids: RawBuilder<unknown>
  viewer: Viewer
  accessOf: AccessOf
}

/**
 * Returns the history of records, newest first; `before` is the ID of the oldest event already loaded. An
 * event and its operation share the timestamp of their transaction.
 */
export async function findHistory(db: Db, of: HistoryOf, before: number | undefined): Promise<RecordEvent[]> {
  const { kind, ids } = of
  const { rows } = await sql<
    Omit<RecordEvent, 'changes' | 'operation'> & {
      changes: Record<string, [unknown, unknown]>
      operation_id: number | null
      is_own: boolean
    }
  >`with events as (
      select a.* from audit_log a where a.target_type = ${kind.type} and a.target_id in (${ids})
        and ${before === undefined ? sql`true` : sql`a.id < ${before}`} order by a.id desc limit ${eventsAtOnce}
    ), acts as (
      select o.at, o.staff_id, c.record_id, max(o.id) as id from operations o join (
        select operation_id, record_id, before is null as is_creation from record_changes
          where record_type = ${kind.type} and record_id in (${ids})
        union select operation_id, record_id, false from part_changes where record_type = ${kind.type} and record_id in (${ids})
      ) c on c.operation_id = o.id
      -- The creation of one record is undone from its toast; here, its trash is at hand.
      where not (c.is_creation and o.kind = 'edit') group by 1, 2, 3
    )
    select a.id, a.at, a.endpoint, a.act, a.changes, coalesce(s.name, 'System') as who, o.id as operation_id,
      a.target_id = ${of.id} as is_own
    from events a left join staff s on s.id = a.staff_id
    left join acts o on o.at = a.at and o.staff_id = a.staff_id and o.record_id = a.target_id
    order by a.id desc`.execute(db)
  const operations = await findOperationsOf(db, of, rows)
  const named = await namedChanges(db, of, rows)
  // If an operation has several events, it is undone and redone at the newest one, preferably of the record itself.
  const lines = new Map(
    rows
      .toSorted((a, b) => Number(a.is_own) - Number(b.is_own) || a.id - b.id)
      .map(({ operation_id, id }) => [operation_id, id]),
  )
  return rows.map(({ changes: _, operation_id, is_own: __, ...event }, at) => ({
    ...event,
    changes: named[at]!,
    operation: lines.get(operation_id) === event.id ? (operations.get(operation_id) ?? null) : null,
  }))
}

/** Returns the changes of events, with names in place of IDs. */
async function namedChanges(
  db: Db,
  { kind, viewer }: HistoryOf,
  events: readonly { changes: Record<string, [unknown, unknown]> }[],
): Promise<RecordEvent['changes'][]> {
  const sides = events.map(({ changes }) =>
    ([0, 1] as const).map((side) =>
      Object.fromEntries(Object.entries(changes).map(([field, values]) => [field, values[side]])),
    ),
  )
  const nameIds = await findReferences(db, kind, viewer, sides.flat())
  return sides.map((both) => {
    const [before, after] = both.map(nameIds)
    return Object.keys(before!).map((field) => ({ field, before: before![field], after: after![field] }))
  })
}

/** Returns the operations of events or notes that the viewer can undo or redo. */
export const findOperationsOf = (
  db: Db,
  { kind, ids, viewer, accessOf }: HistoryOf,
  rows: readonly { operation_id: number | null }[],
): Promise<Map<number | null, ReversibleOperation>> =>
  findReversible(db, kind, ids, { viewer, accessOf }, [
    ...new Set(rows.flatMap(({ operation_id }) => operation_id ?? [])),
  ])
