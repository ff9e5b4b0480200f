import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'

/** Returns what tells organizations with the same name apart, by ID: their users and their place. */
export async function describeOrganizations(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; place: string; users: number }>`
    select o.organization_id as id, concat_ws(', ', nullif(o.state, ''), nullif(o.country, '')) as place,
      (select count(*) from customer_users u where u.organization_id = o.organization_id and u.deleted_at is null) as users
    from organizations o where o.organization_id = any(${ids}::int[])`.execute(db)
  return new Map(
    rows.map(({ id, place, users }) => [
      id,
      [users === 1 ? '1 user' : `${users} users`, place].filter(Boolean).join(' · '),
    ]),
  )
}
