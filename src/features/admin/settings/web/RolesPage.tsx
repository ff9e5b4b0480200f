import { Suspense, useDeferredValue, useState, type ComponentProps } from 'react'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import IconArrowsLeftRight from '@tabler/icons-react/dist/esm/icons/IconArrowsLeftRight.mjs'
import IconUserQuestion from '@tabler/icons-react/dist/esm/icons/IconUserQuestion.mjs'
import { recordId, wholeNumber } from '#shared/schemas.ts'
import { roleSettings } from '#features/admin/settings/roles.contract.ts'
import { changedCount, groupsOf } from '#features/admin/settings/web/groups.ts'
import { PermissionMatrix } from '#features/admin/settings/web/PermissionMatrix.tsx'
import classes from '#features/admin/settings/web/roles.module.css'
import type { OpenPanel } from '#features/admin/settings/web/RolePanel.tsx'
import { RoleColumns } from '#features/admin/settings/web/RoleColumns.tsx'
import { RolePermissions } from '#features/admin/settings/web/RolePermissions.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { useAddress } from '#web/list/address/useAddress.ts'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'
import { usePhone } from '#web/list/usePhone.ts'
import { TextButton } from '#web/parts/controls.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { SearchField } from '#web/parts/SearchField.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const RolePanel = lazyPart(() => import('#features/admin/settings/web/RolePanel.tsx'))

/**
 * `person` is the person whose permissions are asked about, as the page of an admin user links to them; `roles`
 * are those that the matrix shows.
 */
const Address = z.object({
  person: recordId.optional(),
  roles: z.array(wholeNumber(0, 99)).nonempty().optional(),
})

/**
 * Page with the permissions of each role. A change is saved and audited after a preview, and takes effect with
 * the next request.
 */
export function RolesPage() {
  const roles = useQuery(queryOptionsFor(roleSettings.list))
  const [asked, setOpen] = useState<OpenPanel>()
  const [{ person, roles: chosen }, change] = useAddress(Address)
  const open = asked ?? (person === undefined ? undefined : { what: 'person' as const, id: person })
  const close = () => {
    setOpen(undefined)
    if (person !== undefined) void change({ person: undefined })
  }
  const may = useMay(roleSettings.list)
  if (!may)
    return (
      <>
        <PageHeader />
        <NoAccess>Only Super Admins and Admins can manage roles and permissions.</NoAccess>
      </>
    )

  return (
    <>
      <PageHeader>
        <TextButton
          icon={<IconUserQuestion size={14} aria-hidden />}
          onClick={() => setOpen({ what: 'person' })}
        >
          What can this person do?
        </TextButton>
        <TextButton
          icon={<IconArrowsLeftRight size={14} aria-hidden />}
          onClick={() => setOpen({ what: 'compare' })}
        >
          Compare two roles
        </TextButton>
      </PageHeader>
      <Loaded query={roles}>
        {({ data }) => (
          <>
            <Permissions
              roles={data}
              chosen={chosen}
              onChoose={(next) => void change({ roles: next }, { replace: true })}
              onOpen={setOpen}
            />
            <Suspense>
              {open && <RolePanel roles={data} open={open} onOpen={setOpen} onClose={close} />}
            </Suspense>
          </>
        )}
      </Loaded>
    </>
  )
}

interface Props extends ComponentProps<typeof RoleColumns> {
  onOpen: (open: OpenPanel) => void
}

/** The matrix, or on a phone one role, with the search above it. */
function Permissions({ roles: all, chosen, onChoose, onOpen }: Props) {
  const [text, setText] = useState('')
  const [onlyChanged, setOnlyChanged] = useState(false)
  const isPhone = usePhone()
  const shown = isPhone ? [] : all.filter(({ id }) => chosen?.includes(id))
  const roles = shown.length === 0 ? all : shown
  const changed = changedCount(roles)
  const isNarrowed = onlyChanged && changed > 0
  const groups = groupsOf(useDeferredValue(text), isNarrowed ? roles : undefined)
  return (
    <>
      <div className={classes.bar}>
        <SearchField
          width={280}
          aria-label="Search permissions"
          placeholder="Search permissions"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onClear={() => setText('')}
        />
        {!isPhone && <RoleColumns roles={all} chosen={chosen} onChoose={onChoose} />}
        {changed > 0 && (
          <TextButton icon={null} aria-pressed={isNarrowed} onClick={() => setOnlyChanged(!isNarrowed)}>
            Changed from default <span className={classes.count}>{changed}</span>
          </TextButton>
        )}
        <p className={classes.note}>Changes take effect immediately for everyone with the role</p>
      </div>
      {groups.length === 0 ? (
        <EmptyState title="No permissions match your search" />
      ) : isPhone ? (
        <RolePermissions roles={roles} groups={groups} onOpen={onOpen} />
      ) : (
        <PermissionMatrix
          roles={roles}
          groups={groups}
          isSearch={text !== '' || isNarrowed}
          onOpen={onOpen}
        />
      )}
    </>
  )
}
