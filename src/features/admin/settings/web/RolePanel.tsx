import { useState } from 'react'
import { Button, NativeSelect } from '@mantine/core'
import { permissions, type Permission } from '#shared/access.ts'
import type { RoleGrants } from '#features/admin/settings/roles.contract.ts'
import { GrantConfirm } from '#features/admin/settings/web/GrantConfirm.tsx'
import {
  changeToDefault,
  has,
  isEmpty,
  listText,
  peopleText,
  toggled,
  whyLocked,
} from '#features/admin/settings/web/grants.ts'
import { PersonPanel } from '#features/admin/settings/web/PersonPanel.tsx'
import { permissionWords } from '#features/admin/settings/web/permissionWords.ts'
import classes from '#features/admin/settings/web/roles.module.css'
import { useGrant } from '#features/admin/settings/web/useGrant.ts'
import { LineList, LineName } from '#web/parts/LineList.tsx'
import { RightModal } from '#web/parts/RightModal.tsx'
import { Soft } from '#web/parts/Soft.tsx'

export type OpenPanel =
  /** The preview of a change; then the panel that asked for it opens again. */
  | { what: 'toggle'; role: number; permission: Permission; from?: OpenPanel }
  | { what: 'group'; role: number; permissions: readonly Permission[]; from?: OpenPanel }
  | { what: 'reset'; role: number }
  | { what: 'role'; role: number }
  | { what: 'permission'; permission: Permission }
  | { what: 'compare' }
  | { what: 'person'; id?: number; search?: string }

type Roles = readonly RoleGrants[]

interface Props {
  roles: Roles
  open: OpenPanel
  onOpen: (open: OpenPanel) => void
  onClose: () => void
}

/** The preview of a change, or the panel that answers a question about roles. */
export default function RolePanel({ roles, open, onOpen, onClose }: Props) {
  const save = useGrant()
  if (open.what === 'compare') return <Comparison roles={roles} onClose={onClose} />
  if (open.what === 'person')
    return <PersonPanel roles={roles} id={open.id} search={open.search} onOpen={onOpen} onClose={onClose} />
  if (open.what === 'permission')
    return <Holders roles={roles} permission={open.permission} onClose={onClose} />
  const role = roles.find(({ id }) => id === open.role)!
  if (open.what === 'role')
    return <Role role={role} onReset={() => onOpen({ what: 'reset', role: role.id })} onClose={onClose} />
  const change = changeOf(role, open)
  const back = () => ('from' in open && open.from ? onOpen(open.from) : onClose())
  const saveAndClose = () => {
    save(change)
    back()
  }
  return <GrantConfirm change={change} onSave={saveAndClose} onClose={back} />
}

function changeOf(role: RoleGrants, open: Extract<OpenPanel, { what: 'toggle' | 'group' | 'reset' }>) {
  if (open.what === 'reset') return changeToDefault(role)
  return toggled(role, open.what === 'group' ? open.permissions : [open.permission])
}

const names = ({ members }: RoleGrants) => listText(members.map(({ name }) => name))

/** The roles that have a permission, with their people. */
function Holders({
  roles,
  permission,
  onClose,
}: {
  roles: Roles
  permission: Permission
  onClose: () => void
}) {
  const holders = roles.filter((role) => has(role, permission))
  const count = holders.reduce((sum, { people }) => sum + people, 0)
  return (
    <RightModal title="Who has this permission?" onClose={onClose}>
      <div className={classes.stack}>
        <p>
          <strong>{permissionWords[permission]}</strong> <Soft as="code">{permission}</Soft>
        </p>
        <p>
          {holders.length === 1 ? '1 role' : `${holders.length} roles`}, {peopleText(count)}
        </p>
        <LineList>
          {holders.map((role) => (
            <li key={role.id}>
              <LineName>{role.name}</LineName>
              <Soft as="span">{names(role) || 'Assigned to no one'}</Soft>
            </li>
          ))}
        </LineList>
      </div>
    </RightModal>
  )
}

/** The people of a role, and what differs from the default. */
function Role({ role, onReset, onClose }: { role: RoleGrants; onReset: () => void; onClose: () => void }) {
  const reset = changeToDefault(role)
  return (
    <RightModal title={`${role.name} role`} onClose={onClose}>
      <div className={classes.stack}>
        <p>
          {peopleText(role.people)}
          {role.people > 0 && `: ${names(role)}`}
        </p>
        <p>
          {role.permissions.length} of {permissions.length} permissions.{' '}
          {whyLocked(role) ?? (isEmpty(reset) && 'Nothing is changed from the default.')}
        </p>
        <PermissionList title="Added to the default" permissions={reset.revoke} />
        <PermissionList title="Removed from the default" permissions={reset.grant} />
        {!isEmpty(reset) && (
          <div>
            <Button variant="default" onClick={onReset}>
              Reset to default
            </Button>
          </div>
        )}
      </div>
    </RightModal>
  )
}

function PermissionList({
  title,
  permissions: listed,
}: {
  title: string
  permissions: readonly Permission[]
}) {
  if (listed.length === 0) return null
  return (
    <section>
      <h3 className={classes.cardTitle}>
        {title} <span className={classes.count}>{listed.length}</span>
      </h3>
      <LineList>
        {listed.map((permission) => (
          <li key={permission}>{permissionWords[permission]}</li>
        ))}
      </LineList>
    </section>
  )
}

function Comparison({ roles, onClose }: { roles: Roles; onClose: () => void }) {
  const [[left, right], setChosen] = useState<[number, number]>([2, 10])
  const [one, other] = [roles.find(({ id }) => id === left)!, roles.find(({ id }) => id === right)!]
  const choices = roles.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <RightModal title="Compare two roles" onClose={onClose}>
      <div className={classes.stack}>
        <div className={classes.two}>
          <NativeSelect
            label="Role"
            data={choices}
            value={left}
            onChange={(event) => setChosen([Number(event.currentTarget.value), right])}
          />
          <NativeSelect
            label="Other role"
            data={choices}
            value={right}
            onChange={(event) => setChosen([left, Number(event.currentTarget.value)])}
          />
        </div>
        <PermissionList
          title={`${one.name} only`}
          permissions={permissions.filter((name) => has(one, name) && !has(other, name))}
        />
        <PermissionList
          title={`${other.name} only`}
          permissions={permissions.filter((name) => has(other, name) && !has(one, name))}
        />
        <PermissionList
          title="Both"
          permissions={permissions.filter((name) => has(one, name) && has(other, name))}
        />
      </div>
    </RightModal>
  )
}
