import { memo, useState, type KeyboardEvent } from 'react'
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
                  onOpen={onOpen}
                />
                {!isFolded &&
                  group.permissions.map((permission) => (
                    <PermissionRow
                      key={permission}
                      permission={permission}
                      group={group.permissions}
                      roles={roles}
                      onOpen={onOpen}
                    />
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
        <span>
          <Kbd>Shift Space</Kbd> whole group
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
  onOpen: (open: OpenPanel) => void
}

function GroupRow({ group, roles, isFolded, onFold, onOpen }: GroupProps) {
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
        const count = granted === 0 ? '' : granted === all ? 'all' : `${granted}/${all}`
        if (whyLocked(role)) return <td key={role.id}>{count}</td>
        const act = granted === all ? 'Revoke' : 'Grant'
        return (
          <td key={role.id}>
            {/* The arrow keys skip it, because Shift and Space do the same on each box. */}
            <button
              type="button"
              tabIndex={-1}
              data-pointer
              className={classes.whole}
              aria-label={`${act} all of ${group.name}: ${role.name}, ${count || 'none'}`}
              title={`${act} all of ${group.name}`}
              onClick={() => onOpen({ what: 'group', role: role.id, permissions: group.permissions })}
            >
              {count || '–'}
            </button>
          </td>
        )
      })}
    </tr>
  )
}

interface RowProps {
  permission: Permission
  /** The permissions of its group. */
  group: readonly Permission[]
  roles: readonly RoleGrants[]
  onOpen: (open: OpenPanel) => void
}

function PermissionRow({ permission, group, roles, onOpen }: RowProps) {
  const isOfGroup = ({ key, shiftKey, target }: KeyboardEvent) =>
    key === ' ' && shiftKey && target instanceof HTMLInputElement
  const changeGroup = (event: KeyboardEvent) => {
    if (!isOfGroup(event)) return
    event.preventDefault()
    const cell = (event.target as Element).closest('td')!
    onOpen({ what: 'group', role: roles[cell.cellIndex - 1]!.id, permissions: group })
  }
  return (
    <tr
      className={classes.row}
      onKeyDown={changeGroup}
      // Firefox toggles a box when the key is released.
      onKeyUp={(event) => isOfGroup(event) && event.preventDefault()}
    >
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
