import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { mayReadType } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { idOf, scopeOf, type RecordKind } from '#server/record/rows.ts'

interface Reference {
  type: string | null
  id: number | null
}

const keyOf = (type: string, id: number) => `${type} ${id}`

/**
 * Finds the names of records of any type, using the record kinds that features register. Returns a lookup
 * function, called as `nameOf('lead', 482)`, which returns undefined for a record that is in the trash or
 * that the viewer cannot see, and for anything that is not a record.
 */
export async function findNames(
  db: Db,
  kinds: readonly RecordKind[],
  references: readonly Reference[],
  viewer: Viewer,
): Promise<(type: string | null, id: number | null) => string | undefined> {
  const names = new Map<string, string>()
  const wanted = kinds.flatMap((kind) => {
    const ids = references.flatMap(({ type, id }) => (type === kind.type && id !== null ? [id] : []))
    return ids.length && mayReadType(kind.type, viewer) ? [{ kind, ids }] : []
  })
  await Promise.all(
    wanted.map(async ({ kind, ids }) => {
      const own = sql.ref(`r.${idOf(kind)}`)
      const { rows } = await sql<{
        id: number
        name: string | null
      }>`select ${own} as id, ${sql.raw(kind.name)} as name from ${sql.table(kind.table)} r
        where ${own} = any(${ids}::int[]) and r.deleted_at is null and ${scopeOf(kind, viewer)}`.execute(db)
      for (const { id, name } of rows) if (name) names.set(keyOf(kind.type, id), name)
    }),
  )
  return (type, id) => (type === null || id === null ? undefined : names.get(keyOf(type, id)))
}
