import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { dayText } from '#shared/dates.ts'
import {
  OrganizationFilters,
  organizations,
  type OrganizationRow,
} from '#features/crm/organizations/contract.ts'
import { statusChanges } from '#features/crm/organizations/status.contract.ts'
import { organizationFields, organizationStatuses } from '#features/crm/organizations/fields.ts'
import { onTrial, trialFilters, trialInWords } from '#features/crm/organizations/rules.ts'
import { confirmTrash } from '#features/crm/organizations/web/confirmTrash.ts'
import { clockIn, detailAddress, documentAddress } from '#features/crm/organizations/web/organizationWords.ts'
import { Reminders } from '#features/crm/organizations/web/Reminders.tsx'
import { StatusCell } from '#features/crm/organizations/web/StatusCell.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Card, NameLink, RowLink } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { choice, days } from '#web/filter/filters.tsx'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { ListTable } from '#web/list/ListTable.tsx'
import { Selected } from '#web/list/Selected.tsx'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { useMyProducts } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import classes from '#features/crm/organizations/web/organizations.module.css'
import { countText } from '#web/time.ts'

const StatusForm = lazyPart(() => import('#features/crm/organizations/web/StatusForm.tsx'))

/** End of a trial and the days left, based on the current date in the organization's time zone. */
function Trial({ row }: { row: OrganizationRow }) {
  if (row.trial_end_date === null) return null
  const words = trialInWords(row, clockIn(row.timezone).day)
  return (
    <span className={row.status === onTrial ? undefined : classes.soft}>
      {dayText(row.trial_end_date)}
      {words && ` (${words})`}
    </span>
  )
}

const timeThere = ({ timezone }: OrganizationRow) => {
  const { time, abbreviation } = clockIn(timezone)
  return `${time} ${abbreviation}`
}

function Products({ ids }: { ids: readonly number[] }) {
  const products = useMyProducts()
  return ids.map((id) => products.find((one) => one.id === id)?.name ?? `#${id}`).join(', ')
}

const columns = columnsOfFields<OrganizationRow, typeof organizationFields>(organizationFields, {
  name: {
    cell: (row) => <NameLink to={detailAddress(row)}>{row.name}</NameLink>,
    title: ({ name }) => name,
  },
  status: { cell: (row) => <StatusCell organization={row} /> },
  trial_end_date: { cell: (row) => <Trial row={row} /> },
  product_ids: { cell: (row) => <Products ids={row.product_ids} /> },
  timezone: { header: 'Local time', cell: timeThere, title: ({ timezone }) => timezone },
})

const organizationList: ListOf<OrganizationRow, typeof OrganizationFilters> = {
  name: 'organizations',
  type: 'organization',
  endpoint: organizations.list,
  filters: OrganizationFilters,
  columns,
  rowKey: ({ organization_id }) => organization_id,
  rowName: ({ name }) => name,
  addressOf: detailAddress,
  card: (row) => organizationCard(row),
  searchLabel: 'Search organizations',
  exportCsv: organizations.export,
}
export const prepareOrganizations = (search: Record<string, unknown>) => prepareList(organizationList, search)

/** Page that lists all organizations with any of the viewer's products. */
export function OrganizationsPage() {
  const mayChange = useMay(statusChanges.changeStatus, { query: { status: 1, org_id: 1 } })
  const list = useList({ ...organizationList, ...(mayChange ? { isSelectable: true } : {}) })
  const [chosen, setChosen] = useState<readonly number[]>()
  const { page: _page, column: _column, direction: _direction, ...filters } = list.filters
  const controls = useOrganizationFilters()
  return (
    <>
      <ListHead list={list} />
      <Filters
        list={list}
        filters={controls}
        more={
          mayChange && list.total
            ? [{ label: 'Change status of all matching organizations', onClick: () => setChosen([]) }]
            : []
        }
      >
        <Selected list={list} beforeRemove={(ids) => confirmTrash(ids, nameOf(list.rows, ids))}>
          {mayChange && (
            <Button size="compact-xs" variant="default" onClick={() => setChosen(list.selection.ids)}>
              Change status
            </Button>
          )}
        </Selected>
      </Filters>
      {list.may && <Reminders />}
      <ListTable
        list={list}
        filters={controls}
        rowActions={rowLinks}
        empty={{
          title: 'No organizations yet',
          text: 'To add an organization, open a lead and choose “Create organization”.',
        }}
      />
      {chosen && (
        <Suspense>
          <StatusForm
            ids={chosen}
            filters={filters}
            total={list.total ?? 0}
            onClose={() => setChosen(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

function useOrganizationFilters() {
  const products = useMyProducts()
  const states = useQuery(queryOptionsFor(organizations.states)).data?.data ?? []
  const countries = useQuery(queryOptionsFor(organizations.countries)).data?.countries ?? []
  return [
    choice<OrganizationFilters>(
      'status',
      organizationFields.status.label,
      'All statuses',
      Object.entries(organizationStatuses).map(([id, name]) => [Number(id), name]),
    ),
    choice<OrganizationFilters>('filter', 'Trial', 'Any trial status', Object.entries(trialFilters), {
      none: 'all',
    }),
    choice<OrganizationFilters>(
      'product',
      'Product',
      'All products',
      products.map(({ id, name }) => [id, name]),
    ),
    choice<OrganizationFilters>(
      'country',
      organizationFields.country.label,
      'All countries',
      countries.map((name) => [name, name]),
      { none: '', more: true },
    ),
    choice<OrganizationFilters>(
      'state',
      organizationFields.state.label,
      'All states',
      states.map((name) => [name, name]),
      { none: '', more: true },
    ),
    days<OrganizationFilters>('trial_from', 'trial_to', organizationFields.trial_end_date.label, {
      more: true,
    }),
  ]
}

const organizationCard = (row: OrganizationRow) => (
  <Card
    title={<NameLink to={detailAddress(row)}>{row.name}</NameLink>}
    aside={<StatusCell organization={row} />}
  >
    <Trial row={row} /> {[row.country, row.user_name, timeThere(row)].filter(Boolean).join(' · ')}
  </Card>
)

const nameOf = (rows: readonly OrganizationRow[] = [], ids: readonly number[]) =>
  (ids.length === 1 && rows.find(({ organization_id }) => organization_id === ids[0])?.name) ||
  `${countText(ids.length)} organizations`

const rowLinks = (row: OrganizationRow) => <RowLink to={documentAddress(row)}>Documents</RowLink>
