import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { idOf, scopeOf, type RecordKind } from '#server/record/rows.ts'

/**
 * Returns an SQL condition that is true if the viewer can see the record identified by the columns `type` and
 * `id`. It is always true for other types and for kinds without a scope.
 */
export function inScope(
  kinds: readonly RecordKind[],
  viewer: Viewer,
  { type, id }: { type: string; id: string },
): RawBuilder<boolean> {
  const cases = kinds.flatMap((kind) =>
    kind.visibility?.scope
      ? [
          sql`when ${sql.lit(kind.type)} then exists (select from ${sql.table(kind.table)} r where r.${sql.ref(idOf(kind))} = o.id and ${scopeOf(kind, viewer)})`,
        ]
      : [],
  )
  // Scopes are SQL over `r`, and the outer table may also be named `r`, so the outer columns are read first.
  return cases.length
    ? sql`(select case o.type ${sql.join(cases, sql` `)} else true end from (select ${sql.ref(type)} as type, ${sql.ref(id)} as id) o)`
    : sql`true`
}
