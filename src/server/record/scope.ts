import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { idOf, type RecordKind } from '#server/record/rows.ts'

/**
 * Returns the SQL condition that the record in the columns `type` and `id` exists for the viewer. Other
 * types pass, as do kinds without a scope.
 */
export function inScope(
  kinds: readonly RecordKind[],
  viewer: Viewer,
  { type, id }: { type: string; id: string },
): RawBuilder<boolean> {
  const cases = kinds.flatMap(({ scope, ...kind }) =>
    scope
      ? [
          sql`when ${sql.lit(kind.type)} then exists (select from ${sql.table(kind.table)} r where r.${sql.ref(idOf(kind))} = o.id and ${scope(viewer)})`,
        ]
      : [],
  )
  // Scopes are SQL over `r`, which may be the name of the outer table too, so its columns are read first.
  return cases.length
    ? sql`(select case o.type ${sql.join(cases, sql` `)} else true end from (select ${sql.ref(type)} as type, ${sql.ref(id)} as id) o)`
    : sql`true`
}
