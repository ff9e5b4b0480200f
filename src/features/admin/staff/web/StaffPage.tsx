import type { Reply } from '#shared/endpoint.ts'
import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import IconUsersGroup from '@tabler/icons-react/dist/esm/icons/IconUsersGroup.mjs'
import { z } from 'zod'
import { can, isAdminRole, roleIds, roles, type RoleId } from '#shared/access.ts'
import { codeUpTo, recordId, text } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { staff, staffStates, type StaffMember } from '#features/admin/staff/contract.ts'
import { teams } from '#features/admin/teams/contract.ts'
import { staffFields } from '#features/admin/staff/fields.ts'
import { LastSeen, Name, OpenPerson, Products, State } from '#features/admin/staff/web/staffCells.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Card, IfMay, RowAction } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { choice } from '#web/filter/filters.tsx'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { ListTable } from '#web/list/ListTable.tsx'
import { useList, type ListOf } from '#web/list/useList.ts'
import { useMyProducts, useViewer } from '#web/session.ts'
import { TextButton, TextLink } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { toast } from '#web/message/toast.ts'

const StaffForm = lazyPart(() => import('#features/admin/staff/web/StaffForm.tsx'))
const StaffSheet = lazyPart(() => import('#features/admin/staff/web/StaffSheet.tsx'))
const DeactivateForm = lazyPart(() => import('#features/admin/staff/web/DeactivateForm.tsx'))
const BanStaff = lazyPart(() => import('#features/admin/staff/web/BanStaff.tsx'))

const StaffFilters = z.object({
  page: pageNumber.default(1),
  search: text(200).optional(),
  role_id: codeUpTo(13).optional(),
  team_id: recordId.optional(),
  products: recordId.optional(),
  state: z.enum(staffStates).optional(),
  /** The admin user whose details are open. */
  open: recordId.optional(),
})
type StaffFilters = z.output<typeof StaffFilters>

const roleName = ({ role_id }: StaffMember) => roles[role_id as RoleId].name
const columns = columnsOfFields<StaffMember, typeof staffFields>(staffFields, {
  name: { cell: (row) => <Name person={row} />, title: ({ name }) => name },
  product_ids: { cell: (row) => <Products ids={row.products} /> },
  state: { cell: (row) => <State person={row} /> },
  last_signed_in: { cell: (row) => <LastSeen person={row} /> },
})

type StaffReply = Reply<typeof staff.list>
// With an ID in the query, the same endpoint returns one person.
const rowsOf = ({ data }: StaffReply): readonly StaffMember[] => (Array.isArray(data) ? data : [])

const staffList: ListOf<StaffMember, typeof StaffFilters, StaffReply> = {
  name: 'admin users',
  type: 'staff',
  endpoint: staff.list,
  filters: StaffFilters,
  toQuery: ({ open: _open, ...rest }) => rest,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ name }) => name,
  rows: rowsOf,
}

type Open = { what: 'form' | 'deactivate' | 'ban'; person?: StaffMember }

/**
 * Returns the admin user whose details the address opens, also if the list doesn't have them because of its
 * filters or because they are deactivated.
 */
function usePerson(id: number | undefined, rows: readonly StaffMember[] | undefined) {
  const listed = rows?.find((one) => one.id === id)
  const enabled = id !== undefined && rows !== undefined && listed === undefined
  const options = { enabled, staleTime: 0 }
  const current = useQuery({ ...queryOptionsFor(staff.list, { query: {} }), ...options })
  const gone = useQuery({ ...queryOptionsFor(staff.list, { query: { state: 'deactivated' } }), ...options })
  if (!enabled) return listed
  return [gone, current].flatMap(({ data }) => (data ? rowsOf(data) : [])).find((one) => one.id === id)
}

/** Staff page: profile, access, and status of each admin user, whose details open beside the list. */
export function StaffPage() {
  const viewer = useViewer()
  const [open, setOpen] = useState<Open>()
  const card = (person: StaffMember) => (
    <Card title={<Name person={person} />} aside={<State person={person} />} actions={acts(person)}>
      {roleName(person)} · {person.email}
    </Card>
  )
  const list = useList({
    ...staffList,
    card,
    ...(can(viewer, 'admin_users_search') ? { searchLabel: 'Search admin users' } : {}),
  })
  const show = (person?: StaffMember) => void list.filterBy({ open: person?.id, page: list.filters.page })
  const { acts, isMine } = useStaffActions(setOpen, show)
  const shown = usePerson(list.filters.open, list.rows)
  const filters = useStaffFilters()
  const onOpen = (person: StaffMember) => (isMine(person) ? () => show(person) : undefined)
  return (
    <OpenPerson value={onOpen}>
      <ListHead list={list}>
        <IfMay endpoint={staff.invite} input={{ params: { id: 1 } }}>
          <TextLink to="/settings/lists?list=teams" icon={<IconUsersGroup size={14} aria-hidden />}>
            Teams
          </TextLink>
          <TextButton
            primary
            icon={<IconUserPlus size={14} aria-hidden />}
            onClick={() => setOpen({ what: 'form' })}
          >
            Invite
          </TextButton>
        </IfMay>
      </ListHead>
      <Filters list={list} filters={filters} />
      <ListTable
        list={list}
        filters={filters}
        rowActions={acts}
        onOpen={(person) => onOpen(person)?.()}
        empty={{ title: 'No admin users yet', text: 'Invite your first admin user.' }}
      />
      <Suspense>
        {shown && !open && isMine(shown) && (
          <StaffSheet
            person={shown}
            onEdit={() => setOpen({ what: 'form', person: shown })}
            onClose={() => show()}
          />
        )}
      </Suspense>
      <StaffDialogs open={open} onClose={() => setOpen(undefined)} />
    </OpenPerson>
  )
}

const useTeams = () => useQuery(queryOptionsFor(teams.all)).data?.data ?? []

/** Returns a row's actions, depending on what the viewer can do with this person. */
function useStaffActions(onOpen: (open: Open) => void, onShow: (person: StaffMember) => void) {
  const viewer = useViewer()
  const mayEdit = useMay(staff.invite, { params: { id: 1 } })
  const { send: restore } = useSend(staff.restore, {
    onDone: ({ message }) => toast.success(message),
  })
  const { send: unban } = useSend(staff.unban, {
    onDone: ({ message }) => toast.success(message),
  })
  const isMine = (person: StaffMember) => mayEdit && (person.role_id !== 0 || viewer?.role_id === 0)
  const mayGo = useMay(staff.deactivate, { params: { id: viewer?.id ?? 0 }, body: {} })
  const acts = (person: StaffMember) => {
    const whyNot = person.last_super_admin ? 'The panel needs at least one Super Admin.' : undefined
    const deactivation = (
      <RowAction
        whyNot={whyNot}
        aria-label={`Deactivate ${person.name}`}
        onClick={() => onOpen({ what: 'deactivate', person })}
      >
        Deactivate
      </RowAction>
    )
    // Users who can’t deactivate others can still deactivate themselves (A §6).
    if (!isMine(person)) return person.id === viewer?.id && mayGo ? deactivation : null
    if (person.deleted_at)
      return (
        <RowAction
          aria-label={`Reactivate ${person.name}`}
          onClick={() => void restore({ params: { id: person.id } })}
        >
          Reactivate
        </RowAction>
      )
    return (
      <>
        <RowAction aria-label={`Edit ${person.name}`} onClick={() => onOpen({ what: 'form', person })}>
          Edit
        </RowAction>
        <RowAction aria-label={`Details of ${person.name}`} onClick={() => onShow(person)}>
          Details
        </RowAction>
        {person.banned_at ? (
          <RowAction
            aria-label={`Unban ${person.name}`}
            onClick={() => void unban({ params: { id: person.id } })}
          >
            Unban
          </RowAction>
        ) : (
          person.id !== viewer?.id && (
            <RowAction
              whyNot={whyNot}
              aria-label={`Ban ${person.name}`}
              onClick={() => onOpen({ what: 'ban', person })}
            >
              Ban
            </RowAction>
          )
        )}
        {deactivation}
      </>
    )
  }
  return { acts, isMine }
}

function useStaffFilters() {
  const viewer = useViewer()
  const products = useMyProducts()
  const everyTeam = useTeams()
  return [
    ...(can(viewer, 'admin_users_filter_type')
      ? [
          choice<StaffFilters>(
            'role_id',
            'Role',
            'All roles',
            roleIds.map((id) => [id, roles[id].name]),
          ),
        ]
      : []),
    ...(can(viewer, 'admin_users_filter_team')
      ? [
          choice<StaffFilters>(
            'team_id',
            'Team',
            'All teams',
            everyTeam.map(({ id, name }) => [id, name]),
          ),
        ]
      : []),
    choice<StaffFilters>(
      'products',
      'Product',
      'All products',
      products.map(({ id, name }) => [id, name]),
    ),
    ...(viewer && isAdminRole(viewer.role_id)
      ? [
          choice<StaffFilters>('state', 'Status', 'Current', [
            ['invited', 'Invited'],
            ['active', 'Active'],
            ['banned', 'Banned'],
            ['deactivated', 'Deactivated'],
          ]),
        ]
      : []),
  ]
}

function StaffDialogs({ open, onClose }: { open: Open | undefined; onClose: () => void }) {
  return (
    <Suspense>
      {open?.what === 'form' && (
        <StaffForm {...(open.person ? { person: open.person } : {})} onClose={onClose} />
      )}
      {open?.what === 'deactivate' && open.person && (
        <DeactivateForm person={open.person} onClose={onClose} />
      )}
      {open?.what === 'ban' && open.person && <BanStaff person={open.person} onClose={onClose} />}
    </Suspense>
  )
}
