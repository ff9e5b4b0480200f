import { useState } from 'react'
import { Button, NativeSelect } from '@mantine/core'
import type { RoleGrants } from '#features/admin/settings/roles.contract.ts'
import { has, isChanged, peopleText, whyLocked } from '#features/admin/settings/web/grants.ts'
import type { PermissionGroup } from '#features/admin/settings/web/groups.ts'
import { permissionWords } from '#features/admin/settings/web/permissionWords.ts'
import type { OpenPanel } from '#features/admin/settings/web/RolePanel.tsx'
import classes from '#features/admin/settings/web/roles.module.css'

interface Props {
  roles: readonly RoleGrants[]
  groups: readonly PermissionGroup[]
  onOpen: (open: OpenPanel) => void
}

/** Permissions of one role at a time, for screens that are too narrow for fourteen columns. */
export function RolePermissions({ roles, groups, onOpen }: Props) {
  const [chosen, setChosen] = useState('1')
  const role = roles.find(({ id }) => String(id) === chosen)
  if (!role) return null
  const locked = whyLocked(role)
  return (
    <>
      <div className={classes.chosen}>
        <NativeSelect
          label="Role"
          description={locked}
          data={roles.map(({ id, name, people }) => ({
            value: String(id),
            label: `${name}, ${peopleText(people)}`,
          }))}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <Button variant="default" onClick={() => onOpen({ what: 'role', role: role.id })}>
          Show role
        </Button>
      </div>
      {groups.map((group) => (
        <section key={group.name} className={classes.card} aria-label={group.name}>
          <h2 className={classes.cardTitle}>
            {group.name}{' '}
            <span className={classes.count}>
              {group.permissions.filter((one) => has(role, one)).length} of {group.permissions.length}
            </span>
          </h2>
          {group.permissions.map((permission) => (
            <label key={permission} className={classes.switch}>
              <span>
                {permissionWords[permission]}
                {isChanged(role, permission) && (
                  <span className={classes.mark} title="Changed from the default" />
                )}
              </span>
              <input
                type="checkbox"
                role="switch"
                disabled={locked !== undefined}
                checked={has(role, permission)}
                onChange={() => onOpen({ what: 'toggle', role: role.id, permission })}
              />
            </label>
          ))}
        </section>
      ))}
    </>
  )
}
