import { Suspense } from 'react'
import IconMailX from '@tabler/icons-react/dist/esm/icons/IconMailX.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useSearch } from '@tanstack/react-router'
import { type TicketRow, tickets } from '#features/crm/support/contract.ts'
import { ticketCount } from '#features/crm/support/ticket-count.contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { deletesTicket, settledStatuses, type Queue } from '#features/crm/support/rules.ts'
import { ticketBoard } from '#features/crm/support/lanes.contract.ts'
import { replyDraft } from '#features/crm/support/reply.fields.ts'
import { splitSearch } from '#features/crm/support/search-syntax.ts'
import { PageFilters, ticketLayouts, useTicketFilters } from '#features/crm/support/web/ticketFilters.tsx'
import { TicketAssignee, useAssignToMe } from '#features/crm/support/web/TicketAssignee.tsx'
import { TicketQueues } from '#features/crm/support/web/TicketQueues.tsx'
import { TargetClock } from '#features/crm/support/web/TargetClock.tsx'
import { TicketTags } from '#features/crm/support/web/TicketTags.tsx'
import {
  EmailFailed,
  IncidentChip,
  PriorityFlag,
  SpamChip,
  ticketAddress,
  TicketCategory,
  TicketStatus,
} from '#features/crm/support/web/ticketWords.tsx'
import { noteDraft } from '#features/crm/support/web/sentReply.ts'
import classes from '#features/crm/support/web/support.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { DraftMark } from '#web/form/DraftMark.tsx'
import { Card, IfMay, NameLink } from '#web/list/cells.tsx'
import { DueDate } from '#web/list/DueDate.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { InboxPage } from '#web/list/inbox/InboxPage.tsx'
import type { InboxLines } from '#web/list/inbox/InboxRow.tsx'
import { LayoutSwitch } from '#web/list/inbox/LayoutSwitch.tsx'
import { useLayout } from '#web/list/inbox/useLayout.ts'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { ListPage } from '#web/list/ListPage.tsx'
import { FailedList } from '#web/list/ListTable.tsx'
import { usePages } from '#web/board/usePages.ts'
import type { Reply } from '#shared/endpoint.ts'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { Moment } from '#web/Moment.tsx'
import { TextLink } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const SupportBoard = lazyPart(() => import('#features/crm/support/web/Board.tsx'))
const TicketPane = lazyPart(() => import('#features/crm/support/web/TicketPane.tsx'))
const TicketBulk = lazyPart(() => import('#features/crm/support/web/TicketBulk.tsx'))

/** Marks a ticket for which the viewer has begun a reply or a note. */
const TicketDraft = ({ id }: { id: number }) => <DraftMark forms={[replyDraft(id), noteDraft(id)]} />

const Title = ({ row }: { row: TicketRow }) => (
  <>
    {row.is_new && <span className={classes.dot} role="img" aria-label="Unread" title="Unread" />}
    {row.email_failed && (
      <span className={classes.emailFailed} role="img" aria-label="Email failed" title="Email failed">
        <IconMailX size={14} aria-hidden />
      </span>
    )}
    <TicketDraft id={row.id} /> <SpamChip ticket={row} />{' '}
    <NameLink to={ticketAddress(row)} isRead={!row.is_new}>
      {row.title}
    </NameLink>
  </>
)

const deliveryOf = (row: TicketRow) => ({
  day: row.delivery_date,
  isOpen: !settledStatuses.includes(row.status),
})

const columns = columnsOfFields<TicketRow, typeof ticketFields>(ticketFields, {
  id: { header: 'No.' },
  title: { cell: (row) => <Title row={row} />, title: ({ title }) => title },
  status: { cell: (row) => <TicketStatus ticket={row} /> },
  assignee_id: { cell: (row) => <TicketAssignee ticket={row} /> },
  priority: { cell: (row) => <PriorityFlag id={row.priority} /> },
  tag_ids: { cell: (row) => <TicketTags ids={row.tag_ids} /> },
  category: { cell: (row) => <TicketCategory id={row.category} /> },
  delivery_date: { cell: (row) => <DueDate {...deliveryOf(row)} /> },
  target_due_at: { cell: (row) => <TargetClock ticket={row} /> },
  last_message_at: { cell: (row) => <Moment at={row.last_message_at} /> },
})

const ticketList: ListOf<TicketRow, typeof PageFilters> = {
  name: 'tickets',
  type: 'ticket',
  endpoint: tickets.list,
  countedBy: ticketCount.show,
  filters: PageFilters,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ title }) => title,
  mayRemove: (row, viewer) => deletesTicket(viewer, row),
  toQuery: ({ layout: _layout, open: _open, ...rest }) => rest,
  takesIds: true,
  addressOf: ticketAddress,
  card: (row) => ticketCard(row),
  searchLabel: 'Search tickets',
  splitSearch,
  searchHelp: 'Narrow it with from: org: is: tag: before: after:, such as from:jana is:waiting tag:labels',
  exportCsv: tickets.export,
}
export const prepareTickets = (search: Record<string, unknown>) =>
  search['layout'] === 'board' ? prepareList(boardList, search) : prepareList(ticketList, search)

const newTicket = (
  <IfMay endpoint={tickets.create} input={{ body: { title: '', message: '' } }}>
    <TextLink primary to="/support/generate" icon={<IconPlus size={14} aria-hidden />}>
      New ticket
    </TextLink>
  </IfMay>
)

/** Page with all tickets: an inbox, a table, or the board. */
export function SupportPage() {
  const { layout } = useSearch({ strict: false }) as { layout?: string }
  return layout === 'board' ? <BoardPage /> : <TicketsPage />
}

// The lanes have exact numbers.
const { countedBy: _countedBy, ...listAndBoard } = ticketList

/** The board has the filters of the list, and no pages. */
const boardList: ListOf<TicketRow, typeof PageFilters, Reply<typeof ticketBoard.show>> = {
  ...listAndBoard,
  endpoint: ticketBoard.show,
  toQuery: ({ layout: _layout, open: _open, page: _page, column: _column, direction: _direction, ...rest }) =>
    rest,
  rows: ({ data }) => data.flatMap(({ cards }) => cards),
  isSelectable: false,
  exportQuery: () => ({ pages: undefined }),
}

function BoardPage() {
  const { pages, onMore } = usePages()
  const list = useList(boardList, { query: { pages } })
  const filters = useTicketFilters(list)
  return (
    <>
      <ListHead list={list} title="Support board" parents={[['/support', 'Support tickets']]}>
        <LayoutSwitch
          layouts={ticketLayouts}
          chosen="board"
          onChoose={(layout) => void list.filterBy({ layout, page: 1 })}
        />
        {newTicket}
      </ListHead>
      <Filters list={list} filters={filters} tools={<></>} />
      {list.may &&
        (list.reply ? (
          <Suspense>
            <SupportBoard reply={list.reply} onMore={onMore} />
          </Suspense>
        ) : (
          list.error !== null && <FailedList list={list} />
        ))}
    </>
  )
}

/** Titles of the queues that have no tickets. */
const emptyQueues: Record<Queue, string> = {
  unread: 'No unread tickets',
  mine: 'No open tickets assigned to you',
  unassigned: 'No unassigned tickets',
  unanswered: 'No tickets without an answer',
  waiting: 'No tickets waiting on the customer',
  due: 'No tickets due',
  spam: 'No spam',
}

const empty = {
  title: 'No tickets yet',
  text: 'Customer emails and tickets created by colleagues appear here.',
  action: newTicket,
}

function TicketsPage() {
  const list = useList(ticketList)
  const { layout, choose } = useLayout(list)
  const assignToMe = useAssignToMe()
  const { isAll, ids, clear } = list.selection
  const filters = useTicketFilters(list)
  const { queue } = list.filters
  const page = {
    list,
    filters,
    above: <TicketQueues list={list} filters={filters} />,
    bulk: (
      <Suspense>
        <TicketBulk
          chosen={isAll ? { filters: filtersOf(list.filters), total: list.total ?? 0 } : { ids }}
          onChanged={() => void list.keepSelected()}
          onDone={clear}
        />
      </Suspense>
    ),
    empty:
      queue === undefined ? empty : { title: emptyQueues[queue], text: 'Tickets of this queue appear here.' },
    actions: (
      <>
        <LayoutSwitch
          layouts={ticketLayouts}
          chosen={layout}
          onChoose={(chosen) =>
            chosen === 'board' ? void list.filterBy({ layout: chosen, open: undefined }) : choose(chosen)
          }
        />
        {newTicket}
      </>
    ),
  }
  return layout === 'table' ? (
    <ListPage {...page} />
  ) : (
    <InboxPage
      {...page}
      acts={{ a: assignToMe }}
      lines={ticketLines}
      Pane={TicketPane}
      prefetch={prefetchTicket}
      nothingOpen="No ticket open"
    />
  )
}

/** The filters that the server takes, of all pages. */
const filtersOf = ({ layout: _layout, open: _open, ...filters }: PageFilters) => ({ ...filters, page: 1 })

const ticketLines = (row: TicketRow): InboxLines => ({
  title: row.title,
  isNew: row.is_new,
  at: row.last_message_at,
  ...(deliveryOf(row).isOpen ? { due: { ...deliveryOf(row), label: 'Due' } } : {}),
  clock: row.spam_reason === null && <TargetClock ticket={row} isShort />,
  from: [row.requester, row.organization].filter(Boolean).join(', '),
  words: row.spam_reason ?? (row.last_by_admin ? `${row.last_who}: ${row.last_words}` : row.last_words),
  status: (
    <span className={classes.marks}>
      <TicketDraft id={row.id} />
      <SpamChip ticket={row} />
      <EmailFailed ticket={row} />
      <IncidentChip ticket={row} />
      {row.priority <= 2 && <PriorityFlag id={row.priority} />}
      <TicketStatus ticket={row} />
      <TicketAssignee ticket={row} isMark />
    </span>
  ),
})

/** Loads a ticket without marking it as read. */
const prefetchTicket = ({ id }: TicketRow) => void prefetch(queryOptionsFor(tickets.show, { params: { id } }))

const ticketCard = (row: TicketRow) => (
  <Card
    title={<Title row={row} />}
    aside={<TicketStatus ticket={row} />}
    due={{ ...deliveryOf(row), label: 'Due' }}
  >
    {[row.organization, row.requester].filter(Boolean).join(' · ')}
  </Card>
)
