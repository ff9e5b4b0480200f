import type { Reply } from '#shared/endpoint.ts'
import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { dayText } from '#shared/dates.ts'
import { progress, ProgressFilters, type ProgressLine, type Sum } from '#features/tasks/progress/contract.ts'
import { Gaps } from '#features/tasks/progress/web/Gaps.tsx'
import classes from '#features/tasks/progress/web/progress.module.css'
import { can } from '#shared/access.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { Card } from '#web/list/cells.tsx'
import type { Column } from '#web/list/columns.ts'
import { choice, days, type Filter } from '#web/filter/filters.tsx'
import { ListPage } from '#web/list/ListPage.tsx'
import { useList, type ListOf } from '#web/list/useList.ts'
import { asPairs, useStaff } from '#web/filter/useOptions.ts'
import { useMyProducts, useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { browserTimeZone } from '#web/time.ts'
import { LoadingState } from '#web/list/states.tsx'

const HoursChart = lazyPart(() => import('#features/tasks/progress/web/HoursChart.tsx'))

const hoursText = (hours: number) => hours.toLocaleString('en-US', { maximumFractionDigits: 2 })

const columns: readonly Column<ProgressLine>[] = [
  { id: 'day', header: 'Date', cell: ({ day }) => dayText(day), sortBy: 'day', width: 110, always: true },
  { id: 'person', header: 'Person', cell: ({ person }) => person, sortBy: 'person', width: 170 },
  {
    id: 'task',
    header: 'Task',
    cell: ({ task }) => task,
    title: ({ task }) => task,
    sortBy: 'task',
    width: 280,
  },
  {
    id: 'title',
    header: 'Worked on',
    cell: ({ title }) => title,
    title: ({ title }) => title,
    sortBy: 'title',
    width: 280,
  },
  {
    id: 'hours',
    header: 'Hours',
    cell: ({ hours }) => hoursText(hours),
    sortBy: 'hours',
    align: 'right',
    width: 80,
  },
]

const progressList: ListOf<ProgressLine, typeof ProgressFilters, Reply<typeof progress.list>> = {
  name: 'progress',
  endpoint: progress.list,
  filters: ProgressFilters,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ title }) => title,
  card: (row) => progressCard(row),
  searchLabel: 'Search tasks, work, or people',
  exportCsv: progress.export,
  exportQuery: () => ({ zone: browserTimeZone() }),
}

/** Queries the teams with their members, for the filter and for the list below it. */
const useTeams = () => useQuery(queryOptionsFor(progress.teams))

/** Page with hours by person and task, matching sums, and the people with missing hours. */
export function ProgressPage() {
  const viewer = useViewer()
  const list = useList(progressList)
  const products = useMyProducts()
  const staff = useStaff()
  const { data: allTeams } = useTeams()
  const reply = list.reply
  const mayFilterByPerson = can(viewer, 'task_developer_filter')
  const taskName =
    reply?.by_task.find(({ key }) => key === String(list.filters.task_id))?.name ??
    String(list.filters.task_id)
  const filters: Filter<ProgressFilters>[] = [
    days<ProgressFilters>('startDate', 'endDate', 'Days'),
    ...(mayFilterByPerson ? [choice<ProgressFilters>('user_id', 'Person', 'Everyone', asPairs(staff))] : []),
    choice<ProgressFilters>(
      'team_id',
      'Team',
      'All teams',
      (allTeams?.data ?? []).map(({ id, name }) => [id, name]),
    ),
    choice<ProgressFilters>(
      'product_id',
      'Product',
      'All products',
      products.map(({ id, name }) => [id, name]),
    ),
    // This filter is set by clicking a total; the filter bar can only show and clear it.
    {
      id: 'task_id',
      control: () => null,
      says: ({ task_id }) => (task_id === undefined ? undefined : `Task: ${taskName}`),
      cleared: { task_id: undefined },
    },
  ]
  const { page: _page, column: _column, direction: _direction, ...narrowed } = list.requestQuery
  return (
    <ListPage
      list={list}
      filters={filters}
      empty={{
        title: 'No hours reported for these dates',
        text: 'Report hours in a task’s Progress Report tab.',
      }}
    >
      {reply && (
        <div className={classes.sums}>
          <p className={classes.total}>
            <strong>{hoursText(reply.hours)} hours</strong>, {dayText(reply.from)} to {dayText(reply.to)}
          </p>
          <Sums
            title="By person"
            sums={reply.by_person}
            onChoose={(key) => void list.filterBy({ user_id: Number(key) })}
            may={(key) => mayFilterByPerson || Number(key) === viewer?.id}
          />
          <Sums
            title="By product"
            sums={reply.by_product}
            onChoose={(key) => void list.filterBy({ product_id: Number(key) })}
          />
          <Sums
            title="By task"
            sums={reply.by_task}
            onChoose={(key) => void list.filterBy({ task_id: Number(key) })}
          />
          <Sums
            title="By day"
            sums={reply.by_day.map((sum) => ({ ...sum, name: dayText(sum.name) }))}
            onChoose={(key) => void list.filterBy({ startDate: key, endDate: key })}
          />
          {reply.total > 0 && <ChartPanel filters={narrowed} />}
          <Gaps filters={narrowed} />
          <Teams />
        </div>
      )}
    </ListPage>
  )
}

const progressCard = (line: ProgressLine) => (
  <Card title={line.title} aside={`${hoursText(line.hours)} h`}>
    {[dayText(line.day), line.person, line.task].join(' · ')}
  </Card>
)

interface SumsProps {
  title: string
  sums: readonly Sum[]
  onChoose: (key: string) => void
  /** Whether the viewer can open the entries of this group separately; by default, always. */
  may?: (key: string) => boolean
}

/** Sums of one grouping, each linked to its lines; initially collapsed. */
function Sums({ title, sums, onChoose, may }: SumsProps) {
  if (!sums.length) return null
  return (
    <details className={classes.group}>
      <summary>
        {title} <span className={classes.count}>{sums.length}</span>
      </summary>
      <ul>
        {sums.map(({ key, name, hours }) => (
          <li key={key}>
            {may?.(key) === false ? (
              name
            ) : (
              <button type="button" onClick={() => onChoose(key)}>
                {name}
              </button>
            )}
            <span>{hoursText(hours)} h</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** List of the teams with their members. */
function Teams() {
  const { data } = useTeams()
  if (!data) return null
  return (
    <details className={classes.group}>
      <summary>
        Teams <span className={classes.count}>{data.data.length}</span>
      </summary>
      <ul>
        {data.data.map(({ id, name, members }) => (
          <li key={id}>
            <strong>{name}</strong>
            <span>{members.length ? members.map((member) => member.name).join(', ') : 'No members yet'}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function ChartPanel({ filters }: { filters: Record<string, unknown> }) {
  const [open, setOpen] = useState(false)
  return (
    <details className={classes.group} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Chart</summary>
      {open && (
        <Suspense fallback={<LoadingState />}>
          <HoursChart filters={filters} />
        </Suspense>
      )}
    </details>
  )
}
