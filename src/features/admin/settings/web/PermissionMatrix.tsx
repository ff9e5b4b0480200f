import { memo, useState } from 'react'
import { Kbd } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import type { Permission } from '#shared/access.ts'
import type { RoleGrants } from '#features/admin/settings/roles.contract.ts'
import { has, isChanged, peopleText, whyLocked } from '#features/admin/settings/web/grants.ts'
import type { PermissionGroup } from '#features/admin/settings/web/groups.ts'
import { permissionWords } from '#features/admin/settings/web/permissionWords.ts'
import type { OpenPanel } from '#features/admin/settings/web/RolePanel.tsx'
import classes from '#features/admin/settings/web/roles.module.css'
import { useCellKeys } from '#features/admin/settings/web/useCellKeys.ts'

interface Props {
  roles: readonly RoleGrants[]
  groups: readonly PermissionGroup[]
  /** Whether the groups are search results, which are shown even in a folded group. */
  isSearch: boolean
  onOpen: (open: OpenPanel) => void
}

/**
 * Table of permissions by role, with a checkbox for each. The header and the first column are sticky. The table
 * is one tab stop; arrow keys move between its cells.
 */
export function PermissionMatrix({ roles, groups, isSearch, onOpen }: Props) {
  const cellKeys = useCellKeys()
  const [folded, setFolded] = useState<readonly string[]>([])
  return (
    <>
      <div
        className={classes.region}
        role="region"
        aria-label="Permissions by role"
        tabIndex={0}
        data-fill
        {...cellKeys}
      >
        <table className={classes.matrix}>
          <thead>
            <tr>
              <th scope="col" className={classes.corner}>
                Permission
              </th>
              {roles.map((role) => (
                <th key={role.id} scope="col" className={classes.role}>
                  <button
                    type="button"
                    tabIndex={-1}
                    className={classes.name}
                    title={`Show the ${role.name} role`}
                    onClick={() => onOpen({ what: 'role', role: role.id })}
                  >
                    {role.name}
                    <span className={classes.people}>{peopleText(role.people)}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          {groups.map((group) => {
            const isFolded = !isSearch && folded.includes(group.name)
            return (
              <tbody key={group.name}>
                <GroupRow
                  group={group}
                  roles={roles}
                  isFolded={isFolded}
                  onFold={() => setFolded(isFolded ? without(folded, group.name) : [...folded, group.name])}
                />
                {!isFolded &&
                  group.permissions.map((permission) => (
                    <PermissionRow key={permission} permission={permission} roles={roles} onOpen={onOpen} />
                  ))}
              </tbody>
            )
          })}
        </table>
      </div>
      <div className={classes.legend}>
        <span>
          <span className={classes.mark} aria-hidden /> Changed from the default
        </span>
        <span>
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> <Kbd>←</Kbd> <Kbd>→</Kbd> move
        </span>
        <span>
          <Kbd>Space</Kbd> grant or revoke
        </span>
      </div>
    </>
  )
}

const without = (names: readonly string[], name: string) => names.filter((one) => one !== name)

interface GroupProps {
  group: PermissionGroup
  roles: readonly RoleGrants[]
  isFolded: boolean
  onFold: () => void
}

function GroupRow({ group, roles, isFolded, onFold }: GroupProps) {
  const Chevron = isFolded ? IconChevronRight : IconChevronDown
  const all = group.permissions.length
  return (
    <tr className={classes.group}>
      <th scope="rowgroup">
        <button
          type="button"
          tabIndex={-1}
          className={classes.fold}
          aria-expanded={!isFolded}
          onClick={onFold}
        >
          <Chevron size={14} aria-hidden />
          {group.name} <span className={classes.count}>{all}</span>
        </button>
      </th>
      {roles.map((role) => {
        const granted = group.permissions.filter((one) => has(role, one)).length
        return <td key={role.id}>{granted === 0 ? '' : granted === all ? 'all' : `${granted}/${all}`}</td>
      })}
    </tr>
  )
}

interface RowProps {
  permission: Permission
  roles: readonly RoleGrants[]
  onOpen: (open: OpenPanel) => void
}

function PermissionRow({ permission, roles, onOpen }: RowProps) {
  return (
    <tr className={classes.row}>
      <th scope="row" className={classes.permission}>
        <button
          type="button"
          tabIndex={-1}
          className={classes.name}
          title={`Who has this permission? (${permission})`}
          onClick={() => onOpen({ what: 'permission', permission })}
        >
          {permissionWords[permission]}
        </button>
      </th>
      {roles.map((role) => {
        const changed = isChanged(role, permission)
        return (
          <td key={role.id} className={classes.box} data-changed={changed || undefined}>
            <GrantBox
              id={role.id}
              name={role.name}
              permission={permission}
              granted={has(role, permission)}
              changed={changed}
              onOpen={onOpen}
            />
          </td>
        )
      })}
    </tr>
  )
}

interface BoxProps {
  id: number
  name: string
  permission: Permission
  granted: boolean
  changed: boolean
  onOpen: (open: OpenPanel) => void
}

/** Checkbox for one permission. Native and memoized, because the table has more than a thousand of them. */
const GrantBox = memo(function GrantBox({ id, name, permission, granted, changed, onOpen }: BoxProps) {
  const locked = whyLocked({ id })
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      className={classes.checkbox}
      aria-label={`${name}: ${permissionWords[permission]} (${permission})`}
      title={locked ?? (changed ? 'Changed from the default' : undefined)}
      disabled={locked !== undefined}
      checked={granted}
      onChange={() => onOpen({ what: 'toggle', role: id, permission })}
    />
  )
})
