import { useState } from 'react'
import { Checkbox, NativeSelect } from '@mantine/core'
import type { RoleGrants } from '#features/admin/settings/roles.contract.ts'
import { permissionWords } from '#features/admin/settings/web/permissionWords.ts'
import classes from '#features/admin/settings/web/roles.module.css'
import type { PermissionGroup } from '#features/admin/settings/web/RolesPage.tsx'
import { useGrant, whyLocked } from '#features/admin/settings/web/useGrant.ts'

/** Permissions of one role at a time, for screens that are too narrow for fourteen columns. */
export function RolePermissions({
  roles,
  groups,
}: {
  roles: readonly RoleGrants[]
  groups: readonly PermissionGroup[]
}) {
  const grant = useGrant()
  const [chosen, setChosen] = useState('1')
  const role = roles.find(({ id }) => String(id) === chosen)
  if (!role) return null
  const locked = whyLocked(role)
  return (
    <>
      <NativeSelect
        label="Role"
        description={locked}
        data={roles.map(({ id, name, people }) => ({ value: String(id), label: `${name} (${people})` }))}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      {groups.map((group) => (
        <section key={group.name} className={classes.card} aria-label={group.name}>
          <h2 className={classes.cardTitle}>{group.name}</h2>
          {group.permissions.map((permission) => (
            <Checkbox
              key={permission}
              label={permissionWords[permission]}
              description={<code>{permission}</code>}
              disabled={locked !== undefined}
              checked={role.permissions.includes(permission)}
              onChange={(event) => grant(role, permission, event.currentTarget.checked)}
            />
          ))}
        </section>
      ))}
    </>
  )
}
