import { useState } from 'react'
import { Button, NativeSelect } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
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
import { groupsOf } from '#features/admin/settings/web/groups.ts'
import { permissionWords } from '#features/admin/settings/web/permissionWords.ts'
import classes from '#features/admin/settings/web/roles.module.css'
import { useGrant } from '#features/admin/settings/web/useGrant.ts'
import { RowAction } from '#web/list/cells.tsx'
import { LineList, LineName } from '#web/parts/LineList.tsx'
import { RightModal } from '#web/parts/RightModal.tsx'
import { SearchField } from '#web/parts/SearchField.tsx'
import { Soft } from '#web/parts/Soft.tsx'

export type OpenPanel =
  /** The preview of a change; then the panel that asked for it opens again. */
  | { what: 'toggle'; role: number; permission: Permission; from?: OpenPanel }
  | { what: 'group'; role: number; permissions: readonly Permission[] }
  | { what: 'reset'; role: number }
  | { what: 'role'; role: number }
  | { what: 'permission'; permission: Permission }
  | { what: 'compare' }
  | { what: 'person'; id?: number }

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
  if (open.what === 'person') return <Person roles={roles} id={open.id} onOpen={onOpen} onClose={onClose} />
  if (open.what === 'permission')
    return <Holders roles={roles} permission={open.permission} onClose={onClose} />
  const role = roles.find(({ id }) => id === open.role)!
  if (open.what === 'role')
    return <Role role={role} onReset={() => onOpen({ what: 'reset', role: role.id })} onClose={onClose} />
  const change = changeOf(role, open)
  const back = () => (open.what === 'toggle' && open.from ? onOpen(open.from) : onClose())
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

interface PersonProps extends Omit<Props, 'open'> {
  id: number | undefined
}

/** The permissions of a person and, for those they lack, the roles that have them; each can be granted or revoked. */
function Person({ roles, id, onOpen, onClose }: PersonProps) {
  const everyone = roles
    .flatMap((role) => role.members.map(({ id, name }) => ({ id, name, role })))
    .toSorted((one, other) => one.name.localeCompare(other.name))
  const [chosen, setChosen] = useState(id)
  const [text, setText] = useState('')
  const person = everyone.find((one) => one.id === chosen) ?? everyone[0]
  if (!person) return null
  return (
    <RightModal title="What can this person do?" onClose={onClose}>
      <div className={classes.stack}>
        <NativeSelect
          label="Admin user"
          data={everyone.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={person.id}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
        />
        <Soft>
          {person.role.name} · {person.role.permissions.length} of {permissions.length} permissions
        </Soft>
        <SearchField
          width={480}
          aria-label="Search what this person can do"
          placeholder="Search permissions"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onClear={() => setText('')}
        />
        <ul className={classes.answers}>
          {groupsOf(text)
            .flatMap((group) => group.permissions)
            .map((permission) => (
              <Answer
                key={permission}
                role={person.role}
                permission={permission}
                roles={roles}
                onChange={() =>
                  onOpen({
                    what: 'toggle',
                    role: person.role.id,
                    permission,
                    from: { what: 'person', id: person.id },
                  })
                }
              />
            ))}
        </ul>
      </div>
    </RightModal>
  )
}

interface AnswerProps {
  role: RoleGrants
  permission: Permission
  roles: Roles
  onChange: () => void
}

function Answer({ role, permission, roles, onChange }: AnswerProps) {
  const isGranted = has(role, permission)
  const Icon = isGranted ? IconCheck : IconMinus
  const holders = roles.filter((one) => has(one, permission)).map(({ name }) => name)
  const act = isGranted ? `Revoke from ${role.name}` : `Grant to ${role.name}`
  return (
    <li data-granted={isGranted || undefined}>
      <Icon size={16} aria-hidden />
      <div>
        <strong>{permissionWords[permission]}</strong>
        <Soft small>
          {isGranted ? `Yes, through the role ${role.name}` : `No. Roles that have it: ${listText(holders)}`}
        </Soft>
      </div>
      {whyLocked(role) === undefined && (
        <RowAction aria-label={`${act}: ${permissionWords[permission]}`} onClick={onChange}>
          {isGranted ? 'Revoke' : 'Grant'}
        </RowAction>
      )}
    </li>
  )
}
