import { permissions, type Permission } from '#shared/access.ts'
import { searchText } from '#shared/search-text.ts'
import type { RoleGrants } from '#features/admin/settings/roles.contract.ts'
import { isChanged } from '#features/admin/settings/web/grants.ts'
import { permissionSections, permissionWords } from '#features/admin/settings/web/permissionWords.ts'

export interface PermissionGroup {
  name: string
  permissions: readonly Permission[]
}

/**
 * Searches permissions by key, description, and group name; returns the groups and permissions that match every
 * word. With `changedIn`, only permissions that one of these roles has changed from the default.
 */
export function groupsOf(text: string, changedIn?: readonly RoleGrants[]): PermissionGroup[] {
  const words = searchText(text)
    .split(/[\s_]+/)
    .filter(Boolean)
  const matches = (group: string, permission: Permission) => {
    const searched = searchText(`${group} ${permission} ${permissionWords[permission]}`)
    return (
      words.every((word) => searched.includes(word)) &&
      (!changedIn || changedIn.some((role) => isChanged(role, permission)))
    )
  }
  return Object.entries(permissionSections)
    .map(([name, all]) => ({ name, permissions: all.filter((permission) => matches(name, permission)) }))
    .filter((group) => group.permissions.length > 0)
}

/** Returns the number of grants that differ from those of a new panel. */
export const changedCount = (roles: readonly RoleGrants[]): number =>
  roles.reduce((sum, role) => sum + permissions.filter((one) => isChanged(role, one)).length, 0)
