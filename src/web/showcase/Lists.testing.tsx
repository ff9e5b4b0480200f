import { useState } from 'react'
import { CardItem, CardList, CardRow, DashboardCard, NothingHere } from '#web/dashboard/DashboardCard.tsx'
import { Card, NameLink, RowAction } from '#web/list/cells.tsx'
import { useTableColumns, type Column } from '#web/list/columns.ts'
import { DueDate } from '#web/list/DueDate.tsx'
import { InboxRow } from '#web/list/inbox/InboxRow.tsx'
import { PaneHead } from '#web/list/inbox/PaneHead.tsx'
import { Pager } from '#web/list/Pager.tsx'
import { EmptyState, ErrorState } from '#web/list/states.tsx'
import { DataTable } from '#web/list/table/DataTable.tsx'
import { useSelection } from '#web/list/table/selection.tsx'
import { Moment } from '#web/Moment.tsx'
import { Flag, Tone } from '#web/parts/Tone.tsx'
import { Part } from '#web/showcase/Part.testing.tsx'
import { hoursAgo, longName, longTitle } from '#web/showcase/samples.testing.ts'
import classes from '#web/showcase/showcase.module.css'

interface Sample {
  id: number
  name: string
  status: string
  tone: string
  due: string | null
  at: string
}

const samples: readonly Sample[] = [
  { id: 1, name: 'Aalto Linen', status: 'Open', tone: 'blue', due: '2020-01-31', at: hoursAgo(1) },
  {
    id: 2,
    name: longName,
    status: 'Waiting on customer',
    tone: 'orange',
    due: '2999-12-31',
    at: hoursAgo(30),
  },
  { id: 3, name: 'Tamsel Spa', status: 'Closed', tone: 'gray', due: null, at: hoursAgo(700) },
]

const columns: readonly Column<Sample>[] = [
  {
    id: 'name',
    header: 'Company',
    width: 300,
    always: true,
    cell: ({ name }) => <NameLink to="/demo-leads">{name}</NameLink>,
    title: ({ name }) => name,
  },
  {
    id: 'status',
    header: 'Status',
    width: 170,
    cell: ({ status, tone }) => <Tone tone={tone}>{status}</Tone>,
  },
  { id: 'priority', header: 'Priority', width: 110, cell: ({ tone }) => <Flag tone={tone}>High</Flag> },
  { id: 'due', header: 'Due', width: 180, cell: ({ due }) => <DueDate day={due} isOpen /> },
  { id: 'at', header: 'Changed', width: 130, cell: ({ at }) => <Moment at={at} /> },
]

const remove = ({ name }: Sample) => (
  <RowAction aria-label={`Move to trash: ${name}`}>Move to trash</RowAction>
)
const card = (row: Sample) => (
  <Card
    title={row.name}
    aside={<Tone tone={row.tone}>{row.status}</Tone>}
    due={{ day: row.due, isOpen: true, label: 'Due' }}
    actions={remove(row)}
  />
)

function Table({ label, rows }: { label: string; rows: readonly Sample[] | undefined }) {
  const selection = useSelection(label)
  return (
    <DataTable
      label={label}
      columns={useTableColumns('showcase', columns)}
      rows={rows}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      selection={selection}
      rowActions={remove}
      card={card}
      empty={<EmptyState title="No leads yet">Leads that you add are listed here.</EmptyState>}
    />
  )
}

export function Lists() {
  const [page, setPage] = useState(2)
  return (
    <Part title="Lists">
      <div className={classes.framed}>
        <Table label="Leads" rows={samples} />
        <Pager total={482} perPage={25} page={page} onPage={setPage} />
      </div>
      <h3>loading</h3>
      <div className={classes.framed}>
        <Table label="Loading leads" rows={undefined} />
      </div>
      <h3>empty</h3>
      <Table label="No leads" rows={[]} />
    </Part>
  )
}

export function Inbox() {
  const selection = useSelection('inbox')
  return (
    <Part title="Inbox">
      <div className={`${classes.framed} ${classes.inbox}`}>
        <ol aria-label="Tickets">
          {samples.map(({ id, name, status, tone, at }) => (
            <InboxRow
              key={id}
              id={id}
              to="/support"
              isOpen={id === 1}
              selection={selection}
              onOpen={() => true}
              lines={{
                title: id === 2 ? longTitle : 'Invoice has the wrong address',
                isNew: id < 3,
                at,
                due: { day: id === 3 ? '2020-01-31' : null, isOpen: true },
                from: `Nora Lindqvist, ${name}`,
                status: <Tone tone={tone}>{status}</Tone>,
              }}
            />
          ))}
        </ol>
      </div>
      <h3>heading of the pane</h3>
      <div className={classes.framed}>
        <PaneHead number={145} title={longTitle} about={`Nora Lindqvist, ${longName}`}>
          <Tone tone="blue">Open</Tone>
        </PaneHead>
      </div>
    </Part>
  )
}

export const Cards = () => (
  <Part title="Dashboard cards">
    <CardRow columns={3}>
      <DashboardCard id="due" title="Due this week" total={1482} to="/demo-leads">
        <CardList>
          <CardItem name="Aalto Linen" detail="Call back" at="31 Jan 2020" to="/demo-leads" />
          <CardItem name={longName} detail={longTitle} at="31 Dec 2999" />
        </CardList>
      </DashboardCard>
      <DashboardCard id="unread" title="Unread tickets" total={0}>
        <NothingHere>No unread tickets.</NothingHere>
      </DashboardCard>
      <DashboardCard id="failed" title="Failed card">
        <ErrorState error={undefined} what="Tickets" onRetry={() => {}} />
      </DashboardCard>
    </CardRow>
  </Part>
)
