import { sql, type RawBuilder } from 'kysely'
import { isPermission, mayOpen, type Permission, type RoleId } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { mayReadType } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { idOf, scopeOf, type RecordKind } from '#server/record/rows.ts'

/** An admin user who can open a record. */
export interface Reader {
  id: number
  name: string
  email: string
}

/** Returns the path of a record's page; undefined if its type has none. */
export const pageOf = (kind: RecordKind, id: number): string | undefined =>
  kind.page?.replace('$id', String(id))

/** Returns whether a viewer's role and permissions let them open records of a kind at all. */
export const mayOpenKind = (kind: RecordKind, viewer: Viewer): boolean =>
  mayReadType(kind.type, viewer) &&
  (kind.page === undefined || mayOpen(viewer.role_id, kind.page.split('?')[0]!))

/**
 * Returns an SQL condition that is true if the viewer can open the record identified by the columns `type` and
 * `id`: by permission, role, and scope, and because it isn't in the trash. It is true for types that are not
 * record types, such as the chat.
 */
export function canOpen(
  kinds: readonly RecordKind[],
  viewer: Viewer,
  { type, id }: { type: string; id: string },
): RawBuilder<boolean> {
  const cases = kinds.map(
    (kind) =>
      sql`when ${sql.lit(kind.type)} then ${mayOpenKind(kind, viewer) ? existsFor(kind, viewer, sql`o.id`) : sql`false`}`,
  )
  // Scopes are SQL over `r`, and the outer table may also be named `r`, so the outer columns are read first.
  return sql`(select case o.type ${sql.join(cases, sql` `)} else true end
    from (select ${sql.ref(type)} as type, ${sql.ref(id)} as id) o)`
}

const existsFor = (kind: RecordKind, viewer: Viewer, id: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from ${sql.table(kind.table)} r where r.${sql.ref(idOf(kind))} = ${id}
    and r.deleted_at is null and ${scopeOf(kind, viewer)})`

/** Returns the admin users who can open a record, by name; banned ones and those in the trash are left out. */
export async function findReaders(db: Db, kind: RecordKind, id: number): Promise<Reader[]> {
  const [staff, grants] = await Promise.all([
    sql<Reader & { role_id: RoleId; products: number[] }>`select s.id, s.name, s.email, s.role_id,
        array(select p.product_id from staff_products p where p.staff_id = s.id order by 1) as products
      from staff s where s.banned_at is null and s.deleted_at is null order by s.name, s.id`.execute(db),
    sql<{ role_id: RoleId; permissions: string[] }>`select role_id, array_agg(permission) as permissions
      from role_permissions group by role_id`.execute(db),
  ])
  const permissionsOf = new Map<RoleId, ReadonlySet<Permission>>(
    grants.rows.map(({ role_id, permissions }) => [role_id, new Set(permissions.filter(isPermission))]),
  )
  const candidates = staff.rows.filter((person) =>
    mayOpenKind(kind, { ...person, permissions: permissionsOf.get(person.role_id) ?? new Set() }),
  )
  if (candidates.length === 0) return []
  const { rows } = await sql<{ id: number }>`${sql.join(
    candidates.map((person) => {
      const viewer = { ...person, permissions: permissionsOf.get(person.role_id)! }
      return sql`select ${person.id}::int as id where ${existsFor(kind, viewer, sql`${id}::int`)}`
    }),
    sql` union all `,
  )}`.execute(db)
  const able = new Set(rows.map((row) => row.id))
  return candidates
    .filter((person) => able.has(person.id))
    .map(({ id: own, name, email }) => ({ id: own, name, email }))
}
