import { useState } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { BannedFilters, MasterFilters, users, type UserRow } from '#features/crm/users/contract.ts'
import { userFields } from '#features/crm/users/fields.ts'
import { userAddress } from '#features/crm/users/web/userAddress.ts'
import { useUnban } from '#features/crm/users/web/userChange.ts'
import { banText, UserState } from '#features/crm/users/web/userCells.tsx'
import UserForm from '#features/crm/users/web/UserForm.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Card, IfMay, NameLink, RowAction } from '#web/list/cells.tsx'
import { ChoiceCell } from '#web/list/CellMenu.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { ListTable } from '#web/list/ListTable.tsx'
import { useList, type ListOf } from '#web/list/useList.ts'
import { useLists } from '#web/filter/useOptions.ts'
import { Moment } from '#web/Moment.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { TextLink } from '#web/parts/controls.tsx'

const parents = [['/users', 'Users']] as const
const shared = {
  rowKey: ({ id }: UserRow) => id,
  rowName: ({ name }: UserRow) => name,
  addressOf: userAddress,
}
/** Columns of users without sorting, because these lists have a fixed order. */
const columns = columnsOfFields<UserRow, typeof userFields>(userFields, {
  name: { width: 200, cell: (row) => <NameLink to={userAddress(row)}>{row.name}</NameLink> },
  role_id: { cell: (row) => <RoleCell user={row} /> },
  status: { cell: (row) => <UserState user={row} /> },
}).map(({ sortBy: _, ...column }) => column)
const named = (...ids: readonly string[]) => columns.filter(({ id }) => ids.includes(id))

const bannedList: ListOf<UserRow, typeof BannedFilters> = {
  name: 'banned users',
  endpoint: users.banned,
  filters: BannedFilters,
  columns: [
    ...named('name', 'organization'),
    { id: 'reason', header: 'Reason and end date', cell: banText, title: banText, width: 300 },
    { id: 'by', header: 'Banned by', cell: (row) => row.banned_by_name, width: 150 },
    {
      id: 'at',
      header: 'Banned on',
      cell: (row) => row.banned_at && <Moment at={row.banned_at} />,
      align: 'right',
      width: 130,
    },
  ],
  ...shared,
  card: (row) => bannedCard(row),
  searchLabel: 'Search banned users',
}

const unban = (user: UserRow) => <Unban user={user} />
const bannedCard = (user: UserRow) => (
  <Card
    title={<NameLink to={userAddress(user)}>{user.name}</NameLink>}
    aside={<UserState user={user} />}
    actions={<Unban user={user} />}
  >
    {user.organization} · {banText(user)}
  </Card>
)

export function BannedPage() {
  const list = useList(bannedList)
  return (
    <>
      <ListHead list={list} parents={parents} />
      <Filters list={list} />
      <ListTable
        list={list}
        rowActions={unban}
        empty={{ title: 'No banned users', text: 'To ban a user, choose “Ban” in the user list.' }}
      />
    </>
  )
}

function Unban({ user }: { user: UserRow }) {
  const { send, sending } = useUnban()
  if (!useMay(users.unban, { params: { id: user.id } })) return null
  return (
    <RowAction
      disabled={sending}
      aria-label={`Unban ${user.name}`}
      onClick={() => void send({ params: { id: user.id } })}
    >
      Unban
    </RowAction>
  )
}

const masterList: ListOf<UserRow, typeof MasterFilters> = {
  name: 'master users',
  endpoint: users.masters,
  filters: MasterFilters,
  columns: named('name', 'organization', 'email', 'phone', 'role', 'status'),
  ...shared,
  card: (row) => masterCard(row),
  searchLabel: 'Search master users',
}

const masterCard = (user: UserRow) => (
  <Card title={<NameLink to={userAddress(user)}>{user.name}</NameLink>} aside={<RoleCell user={user} />}>
    {[user.organization, user.email, user.phone].filter(Boolean).join(' · ')}
  </Card>
)

export function MastersPage() {
  const list = useList(masterList)
  const [edited, setEdited] = useState<UserRow>()
  const edit = (user: UserRow) => (
    <RowAction aria-label={`Edit ${user.name}`} onClick={() => setEdited(user)}>
      Edit
    </RowAction>
  )
  return (
    <>
      <ListHead list={list} parents={parents}>
        <IfMay endpoint={users.updateOrgUser} input={{ body: { id: 1 } }}>
          <TextLink primary to="/users/master/add" icon={<IconPlus size={14} aria-hidden />}>
            Add master user
          </TextLink>
        </IfMay>
      </ListHead>
      <Filters list={list} />
      <ListTable
        list={list}
        rowActions={edit}
        empty={{
          title: 'No master users yet',
          text: 'Master users manage the other users in their organization.',
        }}
      />
      {edited && <UserForm user={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}

function RoleCell({ user }: { user: UserRow }) {
  const { customer_roles } = useLists('customer_roles')
  const { announceAct } = useUndo()
  const { send } = useSend(users.assignRole, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const may = useMay(users.assignRole, { params: { master_user_id: user.id }, body: { role: 1 } })
  return (
    <ChoiceCell
      label={`Role of ${user.name}`}
      options={customer_roles}
      value={user.role_id}
      may={may}
      onChoose={(role) => void send({ params: { master_user_id: user.id }, body: { role } })}
    />
  )
}
