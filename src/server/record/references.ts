import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { Referenced } from '#shared/field.ts'
import type { Database, Db } from '#server/db/db.ts'
import type { RecordKind } from '#server/record/rows.ts'

interface Source {
  table: keyof Database
  /** Defaults to `id`. */
  id?: string
  /** Defaults to `name`. */
  name?: string
  /** SQL condition over `r` for what a viewer can see the name of; by default, everything. */
  scope?: (viewer: Viewer) => RawBuilder<unknown>
}

/** Where the names behind the IDs are. */
const sources: Readonly<Record<Referenced, Source>> = {
  article_categories: {
    table: 'article_categories',
    name: 'title',
    scope: ({ products }) => sql`(r.product_id is null or r.product_id = any(${products}::int[]))`,
  },
  organizations: {
    table: 'organizations',
    id: 'organization_id',
    scope: ({ products }) => sql`exists (select from organization_products p
      where p.organization_id = r.organization_id and p.product_id = any(${products}::int[]))`,
  },
  products: { table: 'products', scope: ({ products }) => sql`r.id = any(${products}::int[])` },
  staff: { table: 'staff' },
  task_types: { table: 'task_types' },
  teams: { table: 'teams' },
}

/** Values of fields, by their API names. */
type Values = Readonly<Record<string, unknown>>

/**
 * Returns a function that replaces the IDs in values of a record type by names, such as `Paula Berg`; an ID whose name
 * the viewer can't see becomes `#7`. Finds the names for all of `given`, also of people who left and of records in
 * the trash.
 */
export async function findReferences(
  db: Db,
  { references = {} }: RecordKind,
  viewer: Viewer,
  given: readonly Values[],
): Promise<(values: Values) => Record<string, unknown>> {
  const wanted = new Map<Referenced, Set<number>>()
  for (const values of given)
    for (const [field, of] of Object.entries(references))
      for (const id of [values[field]].flat())
        if (typeof id === 'number') wanted.set(of, (wanted.get(of) ?? new Set()).add(id))
  const names = new Map(
    await Promise.all(
      [...wanted].map(async ([of, ids]) => [of, await namesOf(db, sources[of], [...ids], viewer)] as const),
    ),
  )
  const nameIn = (of: Referenced, one: unknown) =>
    typeof one === 'number' ? (names.get(of)?.get(one) ?? `#${one}`) : one
  return (values) =>
    Object.fromEntries(
      Object.entries(values).map(([field, value]) => {
        const of = references[field]
        if (!of) return [field, value]
        return [field, Array.isArray(value) ? value.map((one) => nameIn(of, one)) : nameIn(of, value)]
      }),
    )
}

async function namesOf(
  db: Db,
  { table, id = 'id', name = 'name', scope }: Source,
  ids: readonly number[],
  viewer: Viewer,
): Promise<Map<number, string>> {
  const own = sql.ref(`r.${id}`)
  const { rows } = await sql<{
    id: number
    name: string
  }>`select ${own} as id, ${sql.ref(`r.${name}`)} as name
    from ${sql.table(table)} r where ${own} = any(${ids}::int[]) and ${scope?.(viewer) ?? sql`true`}`.execute(
    db,
  )
  return new Map(rows.map((one) => [one.id, one.name]))
}
