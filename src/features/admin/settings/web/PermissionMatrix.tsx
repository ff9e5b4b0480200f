import { memo } from 'react'
import type { Permission } from '#shared/access.ts'
import type { RoleGrants } from '#features/admin/settings/roles.contract.ts'
import { permissionWords } from '#features/admin/settings/web/permissionWords.ts'
import classes from '#features/admin/settings/web/roles.module.css'
import type { PermissionGroup } from '#features/admin/settings/web/RolesPage.tsx'
import { useGrant, whyLocked, type Grant } from '#features/admin/settings/web/useGrant.ts'

interface Props {
  roles: readonly RoleGrants[]
  groups: readonly PermissionGroup[]
}

/** Table of permissions by role, with a checkbox for each. The header and the first column are sticky. */
export function PermissionMatrix({ roles, groups }: Props) {
  const grant = useGrant()
  return (
    <div className={classes.region} role="region" aria-label="Permissions by role" tabIndex={0} data-fill>
      <table className={classes.matrix}>
        <thead>
          <tr>
            <th scope="col" className={classes.corner}>
              Permission
            </th>
            {roles.map((role) => (
              <th key={role.id} scope="col" className={classes.role} title={whyLocked(role)}>
                {role.name}
                <span className={classes.people}>
                  {role.people} {role.people === 1 ? 'person' : 'people'}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.name}>
            <tr>
              <th scope="rowgroup" colSpan={roles.length + 1} className={classes.group}>
                <span>{group.name}</span>
              </th>
            </tr>
            {group.permissions.map((permission) => (
              <tr key={permission} className={classes.row}>
                <th scope="row" className={classes.permission} title={permission}>
                  {permissionWords[permission]}
                </th>
                {roles.map((role) => (
                  <td key={role.id} className={classes.box}>
                    <GrantBox
                      role={role}
                      permission={permission}
                      granted={role.permissions.includes(permission)}
                      grant={grant}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

interface BoxProps {
  role: RoleGrants
  permission: Permission
  granted: boolean
  grant: Grant
}

/** Checkbox for one permission. Native and memoized, because the table has more than a thousand of them. */
const GrantBox = memo(
  function GrantBox({ role, permission, granted, grant }: BoxProps) {
    const locked = whyLocked(role)
    return (
      <input
        type="checkbox"
        className={classes.checkbox}
        aria-label={`${role.name}: ${permissionWords[permission]} (${permission})`}
        title={locked}
        disabled={locked !== undefined}
        checked={granted}
        onChange={(event) => grant(role, permission, event.currentTarget.checked)}
      />
    )
  },
  (before, after) =>
    before.granted === after.granted &&
    before.permission === after.permission &&
    before.role.id === after.role.id,
)
