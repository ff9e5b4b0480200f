import { useDeferredValue, useState } from 'react'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import type { Permission } from '#shared/access.ts'
import { roleSettings } from '#features/admin/settings/roles.contract.ts'
import { PermissionMatrix } from '#features/admin/settings/web/PermissionMatrix.tsx'
import { permissionSections, permissionWords } from '#features/admin/settings/web/permissionWords.ts'
import classes from '#features/admin/settings/web/roles.module.css'
import { RolePermissions } from '#features/admin/settings/web/RolePermissions.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { usePhone } from '#web/list/usePhone.ts'
import { useChanged } from '#web/live.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'

/**
 * Page with the permissions of each role. A change is saved and audited immediately, and takes effect with
 * the next request.
 */
export function RolesPage() {
  const roles = useQuery(queryOptionsFor(roleSettings.list))
  const [text, setText] = useState('')
  const groups = matching(useDeferredValue(text))
  const isPhone = usePhone()
  const may = useMay(roleSettings.list)
  useChanged('roles', may ? [roleSettings.list] : [])
  if (!may)
    return (
      <>
        <PageHeader />
        <EmptyState title="You don’t have access to this page">
          Only Super Admins and Admins can manage roles and permissions.
        </EmptyState>
      </>
    )

  return (
    <>
      <PageHeader>
        <TextInput
          type="search"
          aria-label="Search permissions"
          placeholder="Search permissions"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </PageHeader>
      <p className={classes.note}>
        Changes take effect immediately for everyone with the role. Super Admin always has every permission.
      </p>
      <Loaded query={roles} skeleton={<div className={classes.skeleton} />}>
        {({ data }) => {
          if (groups.length === 0) return <EmptyState title="No permissions match your search" />
          return isPhone ? (
            <RolePermissions roles={data} groups={groups} />
          ) : (
            <PermissionMatrix roles={data} groups={groups} />
          )
        }}
      </Loaded>
    </>
  )
}

export interface PermissionGroup {
  name: string
  permissions: readonly Permission[]
}

/**
 * Searches permissions by key, description, and group name; returns the groups and permissions that match
 * every word.
 */
function matching(text: string): PermissionGroup[] {
  const words = text
    .toLowerCase()
    .split(/[\s_]+/)
    .filter(Boolean)
  return Object.entries(permissionSections)
    .map(([name, permissions]) => ({
      name,
      permissions: permissions.filter((permission) =>
        words.every((word) =>
          `${name} ${permission} ${permissionWords[permission]}`.toLowerCase().includes(word),
        ),
      ),
    }))
    .filter(({ permissions }) => permissions.length > 0)
}
