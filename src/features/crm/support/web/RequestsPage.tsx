import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import type { z } from 'zod'
import { type TicketRow, tickets } from '#features/crm/support/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { RequestFilters, requests } from '#features/crm/support/requests.contract.ts'
import { requestAddress, TicketCategory, TicketState } from '#features/crm/support/web/ticketWords.tsx'
import { useRequestChanges } from '#features/crm/support/web/useRequest.ts'
import { choice } from '#web/filter/filters.tsx'
import { asPairs, useLists } from '#web/filter/useOptions.ts'
import { Card, IfMay, NameLink } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { InboxPage } from '#web/list/inbox/InboxPage.tsx'
import type { InboxLines } from '#web/list/inbox/InboxRow.tsx'
import { LayoutSwitch } from '#web/list/inbox/LayoutSwitch.tsx'
import { inboxParameters, useLayout } from '#web/list/inbox/useLayout.ts'
import { ListPage } from '#web/list/ListPage.tsx'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { Moment } from '#web/Moment.tsx'
import { TextLink } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const RequestPane = lazyPart(() => import('#features/crm/support/web/RequestPane.tsx'))

const PageFilters = RequestFilters.extend(inboxParameters)
type PageFilters = z.output<typeof PageFilters>

const { title, status, category, last_message_at } = ticketFields
const requestFields = { title, status, category, last_message_at }
const columns = columnsOfFields<TicketRow, typeof requestFields>(requestFields, {
  title: {
    cell: (row) => <NameLink to={requestAddress(row)}>{row.title}</NameLink>,
    title: (row) => row.title,
    width: 360,
  },
  status: { cell: (row) => <TicketState id={row.status} />, width: 180 },
  category: { cell: (row) => <TicketCategory id={row.category} />, width: 140 },
  last_message_at: { cell: (row) => <Moment at={row.last_message_at} />, width: 140 },
})

const requestList: ListOf<TicketRow, typeof PageFilters> = {
  name: 'support-requests',
  endpoint: requests.list,
  filters: PageFilters,
  toQuery: ({ layout: _layout, open: _open, ...rest }) => rest,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ title: name }) => name,
  addressOf: requestAddress,
  card: (row) => requestCard(row),
  searchLabel: 'Search your requests',
}
export const prepareRequests = (search: Record<string, unknown>) => prepareList(requestList, search)

const newRequest = (
  <IfMay endpoint={tickets.create} input={{ body: { title: '', message: '' } }}>
    <TextLink primary to="/support-requests/create" icon={<IconPlus size={14} aria-hidden />}>
      New request
    </TextLink>
  </IfMay>
)

const empty = {
  title: 'No requests yet',
  text: 'Create a request to contact support. Replies appear here.',
  action: newRequest,
}

/** Page with the viewer's own support requests, as an inbox or a table. */
export function RequestsPage() {
  const list = useList(requestList)
  useRequestChanges()
  const { layout, choose } = useLayout(list)
  const { ticket_statuses } = useLists('ticket_statuses')
  const page = {
    list,
    filters: [choice<PageFilters>('status', status.label, 'All statuses', asPairs(ticket_statuses))],
    empty,
    actions: (
      <>
        <LayoutSwitch layouts={['inbox', 'table']} chosen={layout} onChoose={choose} />
        {newRequest}
      </>
    ),
  }
  return layout === 'table' ? (
    <ListPage {...page} />
  ) : (
    <InboxPage {...page} lines={requestLines} Pane={RequestPane} nothingOpen="No request open" />
  )
}

const requestLines = (row: TicketRow): InboxLines => ({
  title: row.title,
  at: row.last_message_at,
  from: row.organization ?? `#${row.id}`,
  status: <TicketState id={row.status} />,
})

const requestCard = (row: TicketRow) => (
  <Card
    title={<NameLink to={requestAddress(row)}>{row.title}</NameLink>}
    aside={<TicketState id={row.status} />}
  >
    <Moment at={row.last_message_at} />
  </Card>
)
