import { sql } from 'kysely'
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

/** Returns a page of up to 300 admin users, sorted by name, along with the total number of matches. */
export async function findStaff(
  db: Db,
  filters: StaffFilters,
): Promise<{ data: StaffMember[]; total: number; per_page: 300 }> {
  let matching = db
    .selectFrom('staff')
    .where('deleted_at', filters.state === 'deactivated' ? 'is not' : 'is', null)
  if (filters.state === 'banned') matching = matching.where('banned_at', 'is not', null)
  if (filters.state === 'active' || filters.state === 'invited') {
    const hasSignedIn = sql<boolean>`exists (select from sign_ins i where i.staff_id = staff.id and i.outcome = 'signed_in')`
    matching = matching
      .where('banned_at', 'is', null)
      .where(filters.state === 'active' ? hasSignedIn : sql<boolean>`not ${hasSignedIn}`)
  }
  if (filters.role_id !== undefined) matching = matching.where('role_id', '=', filters.role_id)
  if (filters.team_id !== undefined) {
    const team = filters.team_id
    matching = matching.where('id', 'in', (of) =>
      of.selectFrom('team_members').select('staff_id').where('team_id', '=', team),
    )
  }
  if (filters.products?.length) {
    const products = [...filters.products]
    matching = matching.where('id', 'in', (of) =>
      of.selectFrom('staff_products').select('staff_id').where('product_id', 'in', products),
    )
  }
  if (filters.search)
    matching = matching.where(
      matchesSearch(sql`search_text(name || ' ' || user_name || ' ' || email)`, filters.search),
    )
  const found = await findPage(db, matching, filters.page, staffPerPage, (of) =>
    of
      .select([
        ...profileColumns,
        'slug',
        'name',
        sql<
          number[]
        >`array(select product_id from staff_products where staff_id = staff.id order by product_id)`.as(
          'products',
        ),
        sql<
          StaffMember['teams']
        >`coalesce((select json_agg(json_build_object('id', t.id, 'name', t.name) order by t.position, t.name)
          from team_members m join teams t on t.id = m.team_id where m.staff_id = staff.id), '[]')`.as(
          'teams',
        ),
        'banned_at',
        'ban_reason',
        'deleted_at',
        awayOf(sql`staff.id`, filters.now).as('away'),
        sql<
          string | null
        >`(select i.at from sign_ins i where i.staff_id = staff.id and i.outcome = 'signed_in' order by i.at desc, i.id desc limit 1)`.as(
          'last_signed_in',
        ),
        ...sessionColumns(filters),
        sql<boolean>`(role_id = 0 and banned_at is null and deleted_at is null and not exists (
          select from staff o where o.id <> staff.id and o.role_id = 0 and o.banned_at is null and o.deleted_at is null))`.as(
          'last_super_admin',
        ),
      ])
      .orderBy('first_name')
      .orderBy('last_name')
      .orderBy('id'),
  )
  return { ...found, per_page: staffPerPage }
}

/**
 * Returns when each admin user was last seen, how many sessions they have, and whether their last password link was
 * not delivered, for viewers who can list the sessions.
 */
function sessionColumns({ viewer, now, idleSince }: Pick<StaffFilters, 'viewer' | 'now' | 'idleSince'>) {
  const isVisible = sql<boolean>`${isAdminRole(viewer.role_id)} and (role_id <> 0 or ${viewer.role_id} = 0)`
  const lastSeen = sql<string | null>`case when ${isVisible} then
    (select max(o.last_used_at) from sessions o where o.staff_id = staff.id) end`
  const count = sql<number | null>`case when ${isVisible} then
    (select count(*) from sessions o where o.staff_id = staff.id and o.ended_at is null
      and o.expires_at > ${now} and (o.remember or o.last_used_at > ${idleSince})) end`
  const failed = sql<boolean>`${isVisible} and coalesce((select r.state = 'failed' from staff_invitations i
    join mail_recipients r on r.mail_id = i.mail_id where i.staff_id = staff.id order by i.mail_id desc limit 1), false)`
  return [lastSeen.as('last_seen'), count.as('session_count'), failed.as('link_failed')] as const
}
