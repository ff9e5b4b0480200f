import { sql, type RawBuilder } from 'kysely'
import { isAdminRole, isRoleId } from '#shared/access.ts'
import { columnsOf, referencesOf } from '#shared/field.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { staffFields } from '#features/admin/staff/fields.ts'
import type { Db } from '#server/db/db.ts'
import { invalid, notAllowed } from '#server/http/errors.ts'
import { recordKind, type Row } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

/** Admin users as records; `profileRoutes` registers them with the effects of undo and redo. */
export const staffKind = recordKind({
  type: 'staff',
  table: 'staff',
  name: 'r.name',
  columns: columnsOf(staffFields),
  references: referencesOf(staffFields),
  links: {
    product_ids: { table: 'staff_products', own: 'staff_id', other: 'product_id' },
    team_ids: { table: 'team_members', own: 'staff_id', other: 'team_id', existingIn: 'teams' },
  },
  trash: { instead: 'Deactivate them instead.' },
  authorize: (_act, row, viewer, patch = {}) => authorizeChange(row, viewer, patch),
  history: {
    // Set when the user is created; `writePassword` changes the hash.
    unaudited: ['password_hash', 'slug'],
    // The history names devices, bans, and password links.
    mayRead: ({ role_id }) => isAdminRole(role_id),
  },
  keyTaken: {
    staff_user_name_key: 'Another admin user has this username now.',
    staff_email_key: 'Another admin user has this email now.',
    keep_a_super_admin: 'This would leave no Super Admin.',
  },
})

/**
 * Checks whether the viewer can make this change to an admin user, or undo or redo it. Only roles 0 and 1 can
 * change roles, products, and teams, and never their own role; only role 0 can grant role 0 or change another
 * Super Admin; viewers can assign and remove only products that they have themselves.
 * @throws HttpError 403; 422 for a role that doesn't exist
 */
export function authorizeChange(row: Row, viewer: Viewer, { role_id, product_ids, team_ids }: Row): void {
  if (row['role_id'] === 0 && viewer.role_id !== 0)
    throw notAllowed('Only a Super Admin can change another Super Admin.')
  if (role_id !== undefined && role_id !== row['role_id']) {
    if (!isRoleId(role_id)) throw invalid('role_id', 'This role doesn’t exist.')
    if (viewer.id === row['id']) throw notAllowed('You can’t change your own role.')
    if (!isAdminRole(viewer.role_id)) throw notAllowed('Only Super Admins and Admins can change roles.')
    if (role_id === 0 && viewer.role_id !== 0)
      throw notAllowed('Only a Super Admin can assign the Super Admin role.')
  }
  if ((product_ids ?? team_ids) !== undefined && !isAdminRole(viewer.role_id))
    throw notAllowed('Only Super Admins and Admins can assign products and teams.')
  if (product_ids) demandOwnProducts(viewer, differing(idsOf(row), product_ids as number[]))
}

const idsOf = ({ product_ids }: Row): number[] => product_ids as number[]

/** Returns the IDs that only one of the lists contains. */
const differing = (one: readonly number[], other: readonly number[]): number[] => [
  ...one.filter((id) => !other.includes(id)),
  ...other.filter((id) => !one.includes(id)),
]

/** @throws HttpError 403 if any given product is not one of the viewer's own. */
export function demandOwnProducts(
  { products }: { products: readonly number[] },
  given: readonly number[] = [],
): void {
  if (given.some((id) => !products.includes(id))) throw notAllowed('You don’t have access to this product.')
}

/**
 * Saves a password hash without a trace in operations or versions; returns the IDs of the changed users.
 * @param which an ID, or SQL over `r`
 */
export const writePassword = (db: Db, which: number | RawBuilder<unknown>, password_hash: string) =>
  touchRecords({ db }, { table: 'staff' }, which, { password_hash }, { keepsVersion: true })

/** Saves the name of an admin user's profile picture. */
export const writePicture = (db: Db, id: number, picture: string) =>
  touchRecords({ db }, { table: 'staff' }, id, { picture }, { keepsVersion: true })

/** @throws HttpError 422 if another admin user already uses the email address as their username. */
export async function assertEmailIsFree(db: Db, email: string, id?: number): Promise<void> {
  const { rows } = await sql`select from staff where user_name = ${email} and id <> ${id ?? 0}`.execute(db)
  if (rows.length) throw invalid('email', 'This email is already in use.')
}

/**
 * @throws HttpError 422 for a username that could be mistaken for an email address. A user's existing
 * username stays valid.
 */
export function assertUserName(user_name: string, before?: string): void {
  if (user_name.includes('@') && user_name !== before)
    throw invalid('user_name', 'A username can’t contain @. Users can also sign in with their email.')
}
