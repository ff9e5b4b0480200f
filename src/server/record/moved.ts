import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'
import type { RecordKind, StoredRecord } from '#server/record/rows.ts'

interface Move {
  /** Name of the person. */
  name: string
  /** The changed values, under their column names. */
  after: Record<string, unknown>
}

/**
 * Returns the last change of any of these columns that another user made after the version that the viewer
 * saw; undefined if there is none, or if it was undone. A drop on a board is refused with this reason.
 */
export async function findLaterMove(
  db: Db,
  kind: RecordKind,
  { id, version }: StoredRecord,
  seen: number | undefined,
  columns: readonly string[],
  viewer: { id: number },
): Promise<Move | undefined> {
  if (seen === undefined || seen >= version) return undefined
  const { rows } = await sql<Move>`select s.name, c.after from record_changes c
    join operations o on o.id = c.operation_id join staff s on s.id = o.staff_id
    where c.record_type = ${kind.type} and c.record_id = ${id} and c.version_before >= ${seen}
      and c.version_undone is null and o.staff_id <> ${viewer.id} and jsonb_exists_any(c.after, ${[...columns]}::text[])
    order by c.version_before desc limit 1`.execute(db)
  return rows[0]
}
