import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { RecordCard } from '#shared/record.contract.ts'
import type { RecordType } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { mayOpenKind } from '#server/record/readers.ts'
import { idOf, scopeOf, type RecordKind } from '#server/record/rows.ts'

/** SQL for a record kind's `state`: the entry of an option list with a tone, such as a lead's status. */
export const stateFrom = (table: 'lead_statuses' | 'ticket_statuses', column: string) =>
  sql`(select json_build_object('name', s.name, 'tone', s.tone) from ${sql.table(table)} s
    where s.id = ${sql.ref(`r.${column}`)})`

/** Returns the names and states of the records that the viewer can open; the others are left out. */
export async function findCards(
  db: Db,
  kinds: readonly RecordKind[],
  references: readonly { type: RecordType; id: number }[],
  viewer: Viewer,
): Promise<RecordCard[]> {
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const ids = references.flatMap(({ type, id }) => (type === kind.type ? [id] : []))
      if (ids.length === 0 || !mayOpenKind(kind, viewer)) return []
      const own = sql.ref(`r.${idOf(kind)}`)
      const { rows } = await sql<RecordCard>`select ${kind.type}::text as type, ${own} as id,
          coalesce(${sql.raw(kind.name)}, '') as name, ${kind.state ?? sql`null`} as state
        from ${sql.table(kind.table)} r where ${own} = any(${ids}::int[]) and r.deleted_at is null
          and ${scopeOf(kind, viewer)}`.execute(db)
      return rows
    }),
  )
  return found.flat()
}
