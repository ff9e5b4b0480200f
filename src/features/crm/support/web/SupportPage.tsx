import { z } from 'zod'
import IconLayoutKanban from '@tabler/icons-react/dist/esm/icons/IconLayoutKanban.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useSearch } from '@tanstack/react-router'
import { TicketFilters, type TicketRow, tickets } from '#features/crm/support/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { deletesTicket, settledStatuses } from '#features/crm/support/rules.ts'
import { Board } from '#features/crm/support/web/Board.tsx'
import { ticketAddress, TicketCategory, TicketStatus } from '#features/crm/support/web/ticketWords.tsx'
import classes from '#features/crm/support/web/support.module.css'
import { Card, IfMay, NameLink } from '#web/list/cells.tsx'
import { DueDate } from '#web/list/DueDate.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { choice, type Filter } from '#web/filter/filters.tsx'
import { ListPage } from '#web/list/ListPage.tsx'
import { useOrganizationFilter } from '#web/filter/organizationFilter.tsx'
import { SearchBox } from '#web/filter/SearchBox.tsx'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { asPairs, useLists } from '#web/filter/useOptions.ts'
import { Moment } from '#web/Moment.tsx'
import { TextLink } from '#web/parts/controls.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'

const PageFilters = TicketFilters.extend({ view: z.enum(['list', 'board']).default('list') })
type PageFilters = z.output<typeof PageFilters>

const Title = ({ row }: { row: TicketRow }) => (
  <span className={classes.title}>
    {row.unread && <span className={classes.dot} role="img" aria-label="Unread" title="Unread" />}
    <NameLink to={ticketAddress(row)}>{row.title}</NameLink>
  </span>
)

const deliveryOf = (row: TicketRow) => ({
  day: row.delivery_date,
  isOpen: !settledStatuses.includes(row.status),
})

const columns = columnsOfFields<TicketRow, typeof ticketFields>(ticketFields, {
  id: { header: 'No.' },
  title: { cell: (row) => <Title row={row} />, title: ({ title }) => title },
  status: { cell: (row) => <TicketStatus ticket={row} /> },
  category: { cell: (row) => <TicketCategory id={row.category} /> },
  delivery_date: { cell: (row) => <DueDate {...deliveryOf(row)} /> },
  last_message_at: { cell: (row) => <Moment at={row.last_message_at} /> },
})

const ticketList: ListOf<TicketRow, typeof PageFilters> = {
  name: 'tickets',
  type: 'ticket',
  endpoint: tickets.list,
  filters: PageFilters,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ title }) => title,
  mayRemove: (row, viewer) => deletesTicket(viewer, row),
  toQuery: ({ view: _view, ...rest }) => rest,
  addressOf: ticketAddress,
  card: (row) => ticketCard(row),
  searchLabel: 'Search tickets',
  exportCsv: tickets.export,
  refresh: [tickets.unread],
}
export const prepareTickets = (search: Record<string, unknown>) =>
  search['view'] === 'board' ? Promise.resolve() : prepareList(ticketList, search)

const newTicket = (
  <IfMay endpoint={tickets.create} input={{ body: { title: '', message: '' } }}>
    <TextLink primary to="/support/generate" icon={<IconPlus size={14} aria-hidden />}>
      New ticket
    </TextLink>
  </IfMay>
)

/** Page with all tickets, as a list or as the board. */
export function SupportPage() {
  const { view } = useSearch({ strict: false }) as { view?: string }
  return view === 'board' ? <BoardPage /> : <TicketsPage />
}

const BoardPage = () => (
  <>
    <PageHeader title="Support board" parents={[['/support', 'Support tickets']]}>
      <TextLink to="/support" icon={<IconList size={14} aria-hidden />}>
        List
      </TextLink>
      {newTicket}
    </PageHeader>
    <Board />
  </>
)

const categorySearch: Filter<PageFilters> = {
  id: 'category_search',
  more: true,
  control: ({ category_search }, onChange) => (
    <SearchBox
      label="Category contains"
      value={category_search}
      onSearch={(text) => onChange({ category_search: text })}
    />
  ),
  says: ({ category_search }) =>
    category_search === '' ? undefined : `Category contains “${category_search}”`,
  cleared: { category_search: '' },
}

function TicketsPage() {
  const list = useList(ticketList)
  const { ticket_statuses, ticket_categories } = useLists('ticket_statuses', 'ticket_categories')
  const byOrganization = useOrganizationFilter<PageFilters>(list.filters.organization, {
    none: 'No organization',
  })
  return (
    <ListPage
      list={list}
      actions={
        <>
          <TextLink to="/support?view=board" icon={<IconLayoutKanban size={14} aria-hidden />}>
            Board
          </TextLink>
          {newTicket}
        </>
      }
      filters={[
        choice<PageFilters>('status', ticketFields.status.label, 'All statuses', asPairs(ticket_statuses)),
        choice<PageFilters>(
          'category',
          ticketFields.category.label,
          'All categories',
          asPairs(ticket_categories),
        ),
        byOrganization,
        choice<PageFilters>(
          'unread',
          'Read status',
          'Read and unread',
          [
            [1, 'Unread'],
            [0, 'Read'],
          ],
          { more: true },
        ),
        categorySearch,
      ]}
      empty={{
        title: 'No tickets yet',
        text: 'Customer emails and tickets created by colleagues appear here.',
        action: newTicket,
      }}
    />
  )
}

const ticketCard = (row: TicketRow) => (
  <Card
    title={<Title row={row} />}
    aside={<TicketStatus ticket={row} />}
    due={{ ...deliveryOf(row), label: 'Due' }}
  >
    {[row.organization, row.requester].filter(Boolean).join(' · ')}
  </Card>
)
