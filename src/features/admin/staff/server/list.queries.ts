import { sql, type RawBuilder } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { selectOf } from '#shared/field.ts'
import type { Profile, StaffMember, StaffState } from '#features/admin/staff/contract.ts'
import { staffFields } from '#features/admin/staff/fields.ts'
import type { Db } from '#server/db/db.ts'
import { awayOf } from '#server/record/away.ts'
import { findPage, matchesSearch } from '#server/record/list.ts'

/** Page size of the staff list (A §9). */
export const staffPerPage = 300

const profileColumns = ['id', ...selectOf(staffFields, 'staff'), 'picture as avatar', 'version'] as const

export function findProfile(db: Db, id: number): Promise<Profile | undefined> {
  return db.selectFrom('staff').select(profileColumns).where('id', '=', id).executeTakeFirst()
}

export interface StaffFilters {
  search?: string | undefined
  role_id?: number | undefined
  team_id?: number | undefined
  products?: readonly number[] | undefined
  state?: StaffState | undefined
  page: number
  viewer: Pick<Viewer, 'role_id'>
  now: Date
  /** Sessions without Remember me that were not used since then have ended. */
  idleSince: Date
}

const hasSignedIn = sql`exists (select from sign_ins i where i.staff_id = staff.id and i.outcome = 'signed_in')`
const byState: Record<StaffState, RawBuilder<unknown>> = {
  active: sql`deleted_at is null and banned_at is null and ${hasSignedIn}`,
  invited: sql`deleted_at is null and banned_at is null and not ${hasSignedIn}`,
  banned: sql`deleted_at is null and banned_at is not null`,
  deactivated: sql`deleted_at is not null`,
}

function matching({ search, role_id, team_id, products, state }: StaffFilters): RawBuilder<unknown> {
  const conditions = [state === undefined ? sql`deleted_at is null` : byState[state]]
  if (role_id !== undefined) conditions.push(sql`role_id = ${role_id}`)
  if (team_id !== undefined)
    conditions.push(sql`id in (select staff_id from team_members where team_id = ${team_id})`)
  if (products?.length)
    conditions.push(
      sql`id in (select staff_id from staff_products where product_id = any(${products}::int[]))`,
    )
  if (search)
    conditions.push(matchesSearch(sql`search_text(name || ' ' || user_name || ' ' || email)`, search))
  return sql.join(conditions, sql` and `)
}

/** Returns a page of up to 300 admin users, sorted by name, along with the total number of matches. */
export async function findStaff(
  db: Db,
  filters: StaffFilters,
): Promise<{ data: StaffMember[]; total: number; per_page: 300 }> {
  const from = sql`from staff where ${matching(filters)}`
  const found = await findPage(
    db,
    filters.page,
    staffPerPage,
    (limit) => sql<StaffMember>`select ${sql.raw(profileColumns.join(', '))}, slug, name,
      array(select product_id from staff_products where staff_id = staff.id order by product_id) as products,
      coalesce((select json_agg(json_build_object('id', t.id, 'name', t.name) order by t.position, t.name)
        from team_members m join teams t on t.id = m.team_id where m.staff_id = staff.id), '[]') as teams,
      banned_at, ban_reason, deleted_at, ${awayOf(sql`staff.id`, filters.now)} as away,
      (select i.at from sign_ins i where i.staff_id = staff.id and i.outcome = 'signed_in' order by i.at desc, i.id desc limit 1) as last_signed_in,
      ${sessionColumns(filters)},
      (role_id = 0 and banned_at is null and deleted_at is null and not exists (
        select from staff o where o.id <> staff.id and o.role_id = 0 and o.banned_at is null and o.deleted_at is null)) as last_super_admin
      ${from} order by first_name, last_name, id ${limit}`,
    from,
  )
  return { ...found, per_page: staffPerPage }
}

/**
 * Returns when each admin user was last seen, how many sessions they have, and whether their last password link was
 * not delivered, for viewers who can list the sessions.
 */
function sessionColumns({ viewer, now, idleSince }: Pick<StaffFilters, 'viewer' | 'now' | 'idleSince'>) {
  const isVisible = sql`${isAdminRole(viewer.role_id)} and (role_id <> 0 or ${viewer.role_id} = 0)`
  const lastSeen = sql`case when ${isVisible} then
    (select max(o.last_used_at) from sessions o where o.staff_id = staff.id) end`
  const count = sql`case when ${isVisible} then
    (select count(*) from sessions o where o.staff_id = staff.id and o.ended_at is null
      and o.expires_at > ${now} and (o.remember or o.last_used_at > ${idleSince})) end`
  const failed = sql`${isVisible} and coalesce((select r.state = 'failed' from staff_invitations i
    join mail_recipients r on r.mail_id = i.mail_id where i.staff_id = staff.id order by i.mail_id desc limit 1), false)`
  return sql`${lastSeen} as last_seen, ${count} as session_count, ${failed} as link_failed`
}
