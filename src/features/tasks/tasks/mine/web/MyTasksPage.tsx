import { logAndToast } from '#web/message/failures.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { dayText, type PlainDate } from '#shared/dates.ts'
import { quickTasks } from '#features/crm/quick-tasks/contract.ts'
import { tasks, type TaskRow } from '#features/tasks/tasks/contract.ts'
import {
  dateNames,
  disciplineNames,
  disciplineOf,
  openStatuses,
  ownDate,
  type DateField,
  type DisciplineName,
} from '#features/tasks/tasks/rules.ts'
import { DateCell, PriorityCell, StatusCell } from '#features/tasks/tasks/web/taskActs.tsx'
import { TaskLink } from '#features/tasks/tasks/web/TaskLink.tsx'
import classes from '#features/tasks/tasks/mine/web/mine.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useScope } from '#web/shell/useScope.ts'
import { countText, today } from '#web/time.ts'

/**
 * Page with the viewer's tasks in both disciplines and their quick tasks, grouped into overdue, today, and
 * next. Each section is shown only to viewers with permission to see its tasks.
 */
export function MyTasksPage() {
  const viewer = useViewer()
  if (!viewer) return null
  return (
    <>
      <PageHeader />
      <div className={classes.mine}>
        {disciplineNames.map((name) => (
          <MyTasks key={name} discipline={name} person={viewer.id} field={ownDate(viewer.role_id)} />
        ))}
        <MyQuickTasks person={viewer.id} />
      </div>
    </>
  )
}

const most = 100

function MyTasks({
  discipline,
  person,
  field,
}: {
  discipline: DisciplineName
  person: number
  field: DateField
}) {
  const { list } = tasks[discipline]
  const { products, names } = disciplineOf(discipline)
  const product = useScope()
  const may = useMay(list)
  const body = {
    assigned_to: person,
    status: openStatuses,
    column: field,
    direction: 'asc' as const,
    per_page: most,
    ...(product === undefined ? {} : { product_id: product }),
  }
  const query = useQuery(queryOptionsFor(list, { body }))
  if (!may || product === undefined || !products.includes(product)) return null
  return (
    <section aria-label={names.list}>
      <h2>{names.list}</h2>
      <Loaded query={query}>
        {({ data, total }) => (
          <>
            {data.length === 0 && (
              <EmptyState title="No open tasks">Open tasks assigned to you appear here.</EmptyState>
            )}
            {parts(data, (row) => row[field], today()).map(([title, rows]) => (
              <Part key={title} title={title} rows={rows} field={field} />
            ))}
            {total > data.length && <Soft>{countText(total - data.length)} more in the full list.</Soft>}
          </>
        )}
      </Loaded>
    </section>
  )
}

function MyQuickTasks({ person }: { person: number }) {
  const query = useQuery(
    queryOptionsFor(quickTasks.list, {
      query: { status: 0, filters: JSON.stringify({ person, today: today() }) },
    }),
  )
  const { announceAct } = useUndo()
  const { send, sending } = useSend(quickTasks.markCompleted, {
    onDone: ({ message, operation }) => announceAct(message, operation),
    failure: 'throw',
  })
  const found = query.data
  if (!found || found.total === 0) return null
  return (
    <section aria-label="Quick tasks">
      <h2>Quick tasks</h2>
      {parts(found.data, ({ due_date }) => due_date, today()).map(([title, rows]) => (
        <section key={title} aria-label={title}>
          <h3>
            {title} <Soft as="span">{rows.length}</Soft>
          </h3>
          <ul className={classes.rows}>
            {rows.map(({ id, title: name, creator_name, due_date }) => (
              <li key={id}>
                <span className={classes.title}>{name}</span>
                <Soft as="span">{due_date && dayText(due_date)}</Soft>
                <Soft as="span">from {creator_name}</Soft>
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={sending}
                  aria-label={`Done: ${name}`}
                  onClick={() => void send({ params: { id }, body: { status: 1 } }).catch(logAndToast)}
                >
                  Done
                </Button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {found.total > found.data.length && (
        <Soft>{countText(found.total - found.data.length)} more in Quick tasks.</Soft>
      )}
    </section>
  )
}

function parts<Row>(
  rows: readonly Row[],
  dayOf: (row: Row) => PlainDate | null,
  now: PlainDate,
): (readonly [string, readonly Row[]])[] {
  const found = [
    ['Overdue', rows.filter((row) => (dayOf(row) ?? now) < now)],
    ['Today', rows.filter((row) => dayOf(row) === now)],
    ['Upcoming', rows.filter((row) => (dayOf(row) ?? '9999') > now)],
  ] as const
  return found.filter(([, some]) => some.length > 0)
}

const Part = ({ title, rows, field }: { title: string; rows: readonly TaskRow[]; field: DateField }) => (
  <section aria-label={title}>
    <h3>
      {title} <Soft as="span">{rows.length}</Soft>
    </h3>
    <ul className={classes.rows} aria-label={`${title}, by ${dateNames[field].toLowerCase()}`}>
      {rows.map((row) => (
        <li key={row.id}>
          <TaskLink id={row.id}>{row.title}</TaskLink>
          <DateCell task={row} field={field} />
          <PriorityCell task={row} />
          <StatusCell task={row} />
        </li>
      ))}
    </ul>
  </section>
)
