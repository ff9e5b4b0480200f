import { sql } from 'kysely'
import type { RecordCounts } from '#shared/record.contract.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { RecordType } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { idOf, scopeOf, type RecordKind } from '#server/record/rows.ts'

/**
 * Counts the records, visible to the viewer or not, that belong to these records of a type, by their own type.
 * Ignores IDs outside the viewer's scope.
 */
export async function countBelonging(
  db: Db,
  kinds: readonly RecordKind[],
  type: RecordType,
  ids: readonly number[],
  viewer: Viewer,
): Promise<RecordCounts> {
  const owner = kinds.find((kind) => kind.type === type)!
  const chosen = sql`select r.${sql.ref(idOf(owner))} from ${sql.table(owner.table)} r
    where r.${sql.ref(idOf(owner))} = any(${ids}::int[]) and r.deleted_at is null and ${scopeOf(owner, viewer)}`
  const counts = kinds.flatMap((kind) => {
    const belongs = kind.visibility?.belongsTo?.[type]
    return belongs
      ? [
          sql`select ${sql.lit(kind.type)}::text as type, count(*) as count from ${sql.table(kind.table)} r
            where r.deleted_at is null and ${belongs(sql`select * from chosen`)}`,
        ]
      : []
  })
  const { rows } = await sql<{
    type: RecordType
    count: number
  }>`with chosen as (${chosen}) ${sql.join(counts, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.flatMap(({ type: own, count }) => (count > 0 ? [[own, count]] : [])))
}
