import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { UserFilters, users, type UserRow } from '#features/crm/users/contract.ts'
import { mailingList } from '#features/crm/users/mailing-list.contract.ts'
import { userFields } from '#features/crm/users/fields.ts'
import { userAddress } from '#features/crm/users/web/userAddress.ts'
import { UserState } from '#features/crm/users/web/userCells.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Card, IfMay, NameLink, RowAction } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { choice } from '#web/filter/filters.tsx'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { ListTable } from '#web/list/ListTable.tsx'
import { Selected } from '#web/list/Selected.tsx'
import { useOrganizationFilter } from '#web/filter/organizationFilter.tsx'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { asPairs, useLists } from '#web/filter/useOptions.ts'
import { useMyProducts, useProduct } from '#web/session.ts'
import { TextButton } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { toast } from '#web/message/toast.ts'
import { useNewForm } from '#web/form/newForms.ts'

const UserForm = lazyPart(() => import('#features/crm/users/web/UserForm.tsx'))
const BanForm = lazyPart(() => import('#features/crm/users/web/BanForm.tsx'))
const UserMailForm = lazyPart(() => import('#features/crm/users/web/UserMailForm.tsx'))
const BulkMail = lazyPart(() => import('#features/crm/users/web/BulkMail.tsx'))

const columns = columnsOfFields<UserRow, typeof userFields>(userFields, {
  name: {
    cell: (row) => <NameLink to={userAddress(row)}>{row.name}</NameLink>,
    title: ({ name }) => name,
  },
  role_id: { cell: (row) => (row.is_master ? `${row.role} (master)` : row.role) },
  status: { cell: (row) => <UserState user={row} /> },
  is_subscribed: { cell: (row) => (row.is_subscribed === 1 ? 'Subscribed' : 'Unsubscribed') },
})

const userList: ListOf<UserRow, typeof UserFilters> = {
  name: 'users',
  type: 'customer_user',
  endpoint: users.list,
  filters: UserFilters,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ name }) => name,
  addressOf: userAddress,
  searchLabel: 'Search by name, email, or phone',
  exportCsv: users.export,
}
export const prepareUsers = (search: Record<string, unknown>) => prepareList(userList, search)

type Open =
  | { what: 'form' | 'ban'; user?: UserRow }
  | { what: 'mail'; ids: readonly number[] }
  | { what: 'bulk' }

/** Page that lists the customer users of the viewer's products. */
export function UsersPage() {
  const [isNew, setNew] = useNewForm('/users')
  const [asked, setOpen] = useState<Open>()
  const open: Open | undefined = isNew ? { what: 'form' } : asked
  const mayMail = useMay(mailingList.sendBulkEmail, { body: { subject: '', note: '' } })
  const card = (user: UserRow) => (
    <Card
      title={<NameLink to={userAddress(user)}>{user.name}</NameLink>}
      aside={<UserState user={user} />}
      actions={<EditAction user={user} onOpen={setOpen} />}
    >
      {[user.organization, user.email, user.phone].filter(Boolean).join(' · ')}
    </Card>
  )
  const list = useList({ ...userList, card, ...(mayMail ? { isSelectable: true } : {}) })
  const chosen = useProduct()
  // The mailing list is one per product: that of the filter, or the chosen one.
  const product_id = list.filters.product ?? chosen
  const filters = useUserFilters(list.filters.organization)
  const rowActions = (user: UserRow) => (
    <>
      <EditAction user={user} onOpen={setOpen} />
      <RowAction
        aria-label={`Ban ${user.name}`}
        whyNot={user.banned_at ? 'Already banned' : undefined}
        onClick={() => setOpen({ what: 'ban', user })}
      >
        Ban
      </RowAction>
    </>
  )
  return (
    <>
      <ListHead list={list}>
        {mayMail && (
          <TextButton icon={<IconMail size={14} aria-hidden />} onClick={() => setOpen({ what: 'bulk' })}>
            Send bulk email
          </TextButton>
        )}
        <IfMay endpoint={users.create} input={{ body: { organization_id: 1, first_name: '' } }}>
          <TextButton primary icon={<IconPlus size={14} aria-hidden />} onClick={() => setNew(true)}>
            New user
          </TextButton>
        </IfMay>
      </ListHead>
      <Filters list={list} filters={filters}>
        <Selected list={list}>
          {mayMail && <SelectedActions ids={list.selection.ids} product_id={product_id} onOpen={setOpen} />}
        </Selected>
      </Filters>
      <ListTable
        list={list}
        filters={filters}
        rowActions={rowActions}
        empty={{
          title: 'No users yet',
          text: 'Create a user, or create an organization from a lead to add its first user.',
        }}
      />
      <Dialogs
        open={open}
        product_id={product_id}
        onClose={() => {
          setNew(false)
          setOpen(undefined)
        }}
      />
    </>
  )
}

function useUserFilters(organization: UserFilters['organization']) {
  const byOrganization = useOrganizationFilter<UserFilters>(organization)
  const products = useMyProducts()
  const { customer_roles } = useLists('customer_roles')
  return [
    choice<UserFilters>('status', userFields.status.label, 'All statuses', [
      [1, 'Active'],
      [0, 'Inactive'],
    ]),
    choice<UserFilters>('role_id', userFields.role_id.label, 'All roles', asPairs(customer_roles)),
    choice<UserFilters>('is_subscribed', userFields.is_subscribed.label, 'Any email status', [
      [1, 'Subscribed'],
      [0, 'Unsubscribed'],
    ]),
    choice<UserFilters>(
      'product',
      'Product',
      'All products',
      products.map(({ id, name }) => [id, name]),
      { more: true },
    ),
    { ...byOrganization, more: true },
  ]
}

function EditAction({ user, onOpen }: { user: UserRow; onOpen: (open: Open) => void }) {
  return (
    <RowAction aria-label={`Edit ${user.name}`} onClick={() => onOpen({ what: 'form', user })}>
      Edit
    </RowAction>
  )
}

function SelectedActions({
  ids,
  product_id,
  onOpen,
}: {
  ids: readonly number[]
  product_id: number | undefined
  onOpen: (open: Open) => void
}) {
  const { send: addToList } = useSend(mailingList.saveSender, {
    onDone: ({ message }) => toast.success(message),
  })
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => onOpen({ what: 'mail', ids })}>
        Send email
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        onClick={() =>
          void addToList({
            body: {
              user_ids: [...ids],
              ...(product_id === undefined ? {} : { product_id }),
            },
          })
        }
      >
        Add to my mailing list
      </Button>
    </>
  )
}

function Dialogs({
  open,
  product_id,
  onClose,
}: {
  open: Open | undefined
  product_id: number | undefined
  onClose: () => void
}) {
  return (
    <Suspense>
      {open?.what === 'form' && <UserForm {...(open.user ? { user: open.user } : {})} onClose={onClose} />}
      {open?.what === 'ban' && open.user && <BanForm user={open.user} onClose={onClose} />}
      {open?.what === 'mail' && <UserMailForm ids={open.ids} onClose={onClose} />}
      {open?.what === 'bulk' && <BulkMail product_id={product_id} onClose={onClose} />}
    </Suspense>
  )
}
