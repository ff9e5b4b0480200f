import { defaultGrants, type Permission, type RoleId } from '#shared/access.ts'
import type { RoleGrants } from '#features/admin/settings/roles.contract.ts'
import { permissionWords } from '#features/admin/settings/web/permissionWords.ts'

/** A change to one role's permissions that isn't saved yet. */
export interface GrantChange {
  role: RoleGrants
  grant: readonly Permission[]
  revoke: readonly Permission[]
}

/** Returns the reason why a role's permissions cannot be changed; undefined if they can. */
export const whyLocked = (role: Pick<RoleGrants, 'id'>): string | undefined =>
  role.id === 0 ? 'Super Admin always has every permission.' : undefined

export const has = (role: RoleGrants, permission: Permission): boolean =>
  role.permissions.includes(permission)

const hasByDefault = (role: RoleGrants, permission: Permission): boolean =>
  defaultGrants[role.id as RoleId].includes(permission)

/** Returns whether a role has a permission that it doesn't have in a new panel, or the other way around. */
export const isChanged = (role: RoleGrants, permission: Permission): boolean =>
  has(role, permission) !== hasByDefault(role, permission)

/** Returns the change that gives a role the permissions of a new panel. */
export const changeToDefault = (role: RoleGrants): GrantChange => ({
  role,
  grant: defaultGrants[role.id as RoleId].filter((one) => !has(role, one)),
  revoke: (role.permissions as Permission[]).filter((one) => !hasByDefault(role, one)),
})

/** Returns the change that gives a role all of these permissions or, if it has them, takes them from it. */
export function toggled(role: RoleGrants, permissions: readonly Permission[]): GrantChange {
  const missing = permissions.filter((one) => !has(role, one))
  return missing.length > 0
    ? { role, grant: missing, revoke: [] }
    : { role, grant: [], revoke: [...permissions] }
}

export const isEmpty = ({ grant, revoke }: GrantChange): boolean => grant.length + revoke.length === 0

export const peopleText = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

/** Returns how many people gain or lose what, such as “3 people get “Reject leads””. */
export function previewText({ role, grant, revoke }: GrantChange): string {
  const isOne = role.people === 1
  const parts = [
    ...(grant.length ? [`${isOne ? 'gets' : 'get'} ${permissionsText(grant)}`] : []),
    ...(revoke.length ? [`${isOne ? 'loses' : 'lose'} ${permissionsText(revoke)}`] : []),
  ]
  return `${peopleText(role.people)} ${parts.join(' and ')}`
}

const permissionsText = (permissions: readonly Permission[]): string =>
  permissions.length === 1 ? `“${permissionWords[permissions[0]!]}”` : `${permissions.length} permissions`

const list = new Intl.ListFormat('en-US')
export const listText = (names: readonly string[]): string => list.format(names)
