import { useState, type ReactNode } from 'react'
import { NativeSelect } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import { permissions, roles as allRoles, type Permission, type RoleId } from '#shared/access.ts'
import { searchText } from '#shared/search-text.ts'
import type { RoleGrants } from '#features/admin/settings/roles.contract.ts'
import { has, listText, whyLocked } from '#features/admin/settings/web/grants.ts'
import { groupsOf } from '#features/admin/settings/web/groups.ts'
import { permissionWords } from '#features/admin/settings/web/permissionWords.ts'
import type { OpenPanel } from '#features/admin/settings/web/RolePanel.tsx'
import classes from '#features/admin/settings/web/roles.module.css'
import { RowAction } from '#web/list/cells.tsx'
import { RightModal } from '#web/parts/RightModal.tsx'
import { SearchField } from '#web/parts/SearchField.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useMyProducts } from '#web/session.ts'
import { gatesOf, menuOf } from '#web/shell/menu.ts'
import { registered } from '#web/shell/page.ts'

interface Props {
  roles: readonly RoleGrants[]
  /** The chosen person; undefined for the first one. */
  id: number | undefined
  /** The search to start with. */
  search: string | undefined
  onOpen: (open: OpenPanel) => void
  onClose: () => void
}

/**
 * The pages and permissions of a person. For those they lack, it says what is missing, or which roles have it;
 * each can be granted or revoked.
 */
export function PersonPanel({ roles, id, search = '', onOpen, onClose }: Props) {
  const everyone = roles
    .flatMap((role) => role.members.map(({ id, name }) => ({ id, name, role })))
    .toSorted((one, other) => one.name.localeCompare(other.name))
  const [chosen, setChosen] = useState(id)
  const [text, setText] = useState(search)
  const person = everyone.find((one) => one.id === chosen) ?? everyone[0]
  if (!person) return null
  const { role } = person
  const back = { role: role.id, from: { what: 'person', id: person.id, search: text } } as const
  const found = groupsOf(text).flatMap((group) => group.permissions)
  const pages = pagesOf(text)
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
          {role.name} · {role.permissions.length} of {permissions.length} permissions
        </Soft>
        <SearchField
          width={480}
          aria-label="Search what this person can do"
          placeholder="Search pages and permissions"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onClear={() => setText('')}
        />
        {pages.length + found.length === 0 && <Soft>No pages or permissions match your search.</Soft>}
        <Answers title="Pages" count={pages.length}>
          {pages.map((page) => (
            <PageAnswer
              key={page.to}
              role={role}
              page={page}
              onGrant={(missing) => onOpen({ what: 'group', permissions: missing, ...back })}
            />
          ))}
        </Answers>
        <Answers title="Permissions" count={found.length}>
          {found.map((permission) => (
            <PermissionAnswer
              key={permission}
              role={role}
              permission={permission}
              roles={roles}
              onChange={() => onOpen({ what: 'toggle', permission, ...back })}
            />
          ))}
        </Answers>
      </div>
    </RightModal>
  )
}

type PageOfMenu = ReturnType<typeof gatesOf>[number]

/** Searches the pages of the menu by every word of the text. */
function pagesOf(text: string): PageOfMenu[] {
  const words = searchText(text).split(/\s+/)
  return gatesOf(menuOf(registered.pages)).filter(({ label }) =>
    words.every((word) => searchText(label).includes(word)),
  )
}

const Answers = ({ title, count, children }: { title: string; count: number; children: ReactNode }) =>
  count > 0 && (
    <section aria-label={title}>
      <h3 className={classes.cardTitle}>
        {title} <span className={classes.count}>{count}</span>
      </h3>
      <ul className={classes.answers}>{children}</ul>
    </section>
  )

interface PageAnswerProps {
  role: RoleGrants
  page: PageOfMenu
  onGrant: (missing: readonly Permission[]) => void
}

function PageAnswer({ role, page, onGrant }: PageAnswerProps) {
  const products = useMyProducts()
  const isOfRole = page.roles.includes(role.id as RoleId)
  const missing = page.permissions.filter((one) => !has(role, one))
  const isOpen = isOfRole && missing.length === 0
  const named = products.filter(({ id }) => page.products?.includes(id)).map(({ name }) => name)
  const roles = listText(page.roles.map((id) => allRoles[id].name))
  const isNarrow = named.length > 0 && named.length < products.length
  return (
    <Line
      isGranted={isOpen}
      title={page.label}
      act={
        isOfRole &&
        missing.length > 0 &&
        whyLocked(role) === undefined && (
          <RowAction aria-label={`Grant to ${role.name}: ${page.label}`} onClick={() => onGrant(missing)}>
            Grant
          </RowAction>
        )
      }
    >
      {isOpen
        ? `Yes${isNarrow ? `, with ${listText(named)}` : ''}`
        : isOfRole
          ? `No. The role lacks ${listText(missing.map((one) => `“${permissionWords[one]}”`))}.`
          : `No, whatever the permissions. Roles that can have it: ${roles}`}
    </Line>
  )
}

interface AnswerProps {
  role: RoleGrants
  permission: Permission
  roles: readonly RoleGrants[]
  onChange: () => void
}

function PermissionAnswer({ role, permission, roles, onChange }: AnswerProps) {
  const isGranted = has(role, permission)
  const holders = roles.filter((one) => has(one, permission)).map(({ name }) => name)
  const act = isGranted ? `Revoke from ${role.name}` : `Grant to ${role.name}`
  return (
    <Line
      isGranted={isGranted}
      title={permissionWords[permission]}
      act={
        whyLocked(role) === undefined && (
          <RowAction aria-label={`${act}: ${permissionWords[permission]}`} onClick={onChange}>
            {isGranted ? 'Revoke' : 'Grant'}
          </RowAction>
        )
      }
    >
      {isGranted ? `Yes, through the role ${role.name}` : `No. Roles that have it: ${listText(holders)}`}
    </Line>
  )
}

interface LineProps {
  isGranted: boolean
  title: string
  act: ReactNode
  /** The answer as text. */
  children: ReactNode
}

function Line({ isGranted, title, act, children }: LineProps) {
  const Icon = isGranted ? IconCheck : IconMinus
  return (
    <li data-granted={isGranted || undefined}>
      <Icon size={16} aria-hidden />
      <div>
        <strong>{title}</strong>
        <Soft small>{children}</Soft>
      </div>
      {act}
    </li>
  )
}
