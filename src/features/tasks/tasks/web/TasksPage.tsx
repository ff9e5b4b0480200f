import type { Reply } from '#shared/endpoint.ts'
import { mayOpen } from '#shared/access.ts'
import { Suspense } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useNavigate, useParams } from '@tanstack/react-router'
import { can } from '#shared/access.ts'
import { TaskFilters, tasks, type TaskRow } from '#features/tasks/tasks/contract.ts'
import { taskFields } from '#features/tasks/tasks/fields.ts'
import {
  dateFields,
  datesOf,
  disciplineOf,
  ownDate,
  prReview,
  type DateField,
  type DisciplineName,
} from '#features/tasks/tasks/rules.ts'
import { OtherProduct } from '#features/tasks/tasks/web/OtherProduct.tsx'
import { DateCell, dueOf, PriorityCell, StatusCell } from '#features/tasks/tasks/web/taskActs.tsx'
import { useTaskNavigation } from '#features/tasks/tasks/web/taskAddress.ts'
import { TaskLink } from '#features/tasks/tasks/web/TaskLink.tsx'
import classes from '#features/tasks/tasks/web/tasks.module.css'
import { useTaskFilters } from '#features/tasks/tasks/web/useTaskFilters.ts'
import { useTaskTypes } from '#features/tasks/tasks/web/useTaskTypes.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { useMay } from '#web/api/useSend.ts'
import { Card } from '#web/list/cells.tsx'
import { columnsOfFields, type Column } from '#web/list/columns.ts'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { ListTable } from '#web/list/ListTable.tsx'
import { Selected } from '#web/list/Selected.tsx'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { Moment } from '#web/Moment.tsx'
import { useViewer, viewer, type Person } from '#web/session.ts'
import { TextButton } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { useScope } from '#web/shell/useScope.ts'
import { LoadingState } from '#web/list/states.tsx'
import { useNewForm } from '#web/form/newForms.ts'

const NewTask = lazyPart(() => import('#features/tasks/tasks/web/TaskForm.tsx'), 'NewTask')

const nameOf = (who: TaskRow['assigned_to']) => (who ? `${who.first_name} ${who.last_name}` : '--')
const customersOf = ({ organization }: TaskRow) => organization.map(({ name }) => name).join(', ')

const columns = columnsOfFields<TaskRow, typeof taskFields>(taskFields, {
  title: { cell: (row) => <TaskLink id={row.id}>{row.title}</TaskLink>, title: (row) => row.title },
  priority: { cell: (row) => <PriorityCell task={row} /> },
  status: { cell: (row) => <StatusCell task={row} /> },
  assigned_to: { cell: (row) => nameOf(row.assigned_to), title: (row) => nameOf(row.assigned_to) },
  ...(Object.fromEntries(
    dateFields.map((field) => [field, { cell: (row: TaskRow) => <DateCell task={row} field={field} /> }]),
  ) as Record<DateField, Partial<Column<TaskRow>>>),
  is_customer_notified: {
    header: 'Notified',
    cell: (row) => (row.is_customer_notified === 1 ? 'Yes' : row.status === 4 ? 'No' : ''),
  },
  created_at: { cell: (row) => <Moment at={row.created_at} /> },
})

function columnsFor(person: Person | undefined): readonly Column<TaskRow>[] {
  const dates: readonly string[] = person ? datesOf(person.role_id) : []
  const hidden: string[] = dateFields.filter((field) => !dates.includes(field))
  if (!can(person, 'view_task_is_notified')) hidden.push('notified')
  return columns.filter(({ id }) => !hidden.includes(id))
}

type TaskList = ListOf<TaskRow, typeof TaskFilters, Reply<typeof tasks.development.list>>
const listCache = new Map<string, TaskList>()

/**
 * Returns the list definition of a discipline for a person; the object is cached, so its identity is stable.
 */
function listFor(discipline: DisciplineName, person: Person | undefined): TaskList {
  const key = JSON.stringify([discipline, person?.role_id, can(person, 'view_task_is_notified')])
  let list = listCache.get(key)
  if (!list) {
    const { type } = disciplineOf(discipline)
    const date = person ? ownDate(person.role_id) : 'due_date'
    list = {
      name: `${discipline}-tasks`,
      type,
      endpoint: tasks[discipline].list,
      filters: TaskFilters,
      columns: columnsFor(person),
      rowKey: ({ id }) => id,
      rowName: ({ title }) => title,
      card: (row) => taskCard(row, date),
      searchLabel: 'Search tasks',
      exportCsv: tasks[discipline].export,
      scopedBy: 'product_id',
    }
    listCache.set(key, list)
  }
  return list
}
const prepare = (discipline: DisciplineName) => (search: Record<string, unknown>) =>
  prepareList(listFor(discipline, viewer()), search)
export const prepareDevelopment = prepare('development')
export const prepareDesigner = prepare('designer')

export const DevelopmentTasksPage = () => <ScopedTasks discipline="development" />
export const DesignerTasksPage = () => <ScopedTasks discipline="designer" />

/** Page for development tasks of a single type; `task_type` in the URL is the type's ID or name. */
export const DevelopmentTypePage = () => <TasksOfType discipline="development" />
export const DesignerTypePage = () => <TasksOfType discipline="designer" />

function TasksOfType({ discipline }: { discipline: DisciplineName }) {
  const { task_type = '' } = useParams({ strict: false }) as { task_type?: string }
  const types = useTaskTypes()
  if (!types) return <LoadingState />
  const type = types.find(
    ({ id, name }) => String(id) === task_type || name.toLowerCase() === task_type.toLowerCase(),
  )
  if (!type) return <NotFoundPage />
  return <ScopedTasks discipline={discipline} type={type} />
}

interface Props {
  discipline: DisciplineName
  type?: { id: number; name: string }
}

function ScopedTasks(props: Props) {
  const product = useScope()
  if (product !== undefined && !disciplineOf(props.discipline).products.includes(product))
    return <OtherProduct discipline={props.discipline} />
  return <TasksPage {...props} />
}

function TasksPage({ discipline, type }: Props) {
  const person = useViewer()
  const product = useScope()
  const list = useList(listFor(discipline, person), type ? { query: { task_type_id: type.id } } : {})
  const [isNew, setNew] = useNewForm(discipline === 'designer' ? '/designer-tasks' : '/development-tasks')
  const open = useTaskNavigation()
  const navigate = useNavigate()
  const filters = useTaskFilters(
    discipline,
    product,
    person,
    list.filters.organization_id,
    type !== undefined,
  )
  const mayAdd = useMay(tasks[discipline].save, { body: { title: '', product_id: product ?? 1 } })
  const { names, pages } = disciplineOf(discipline)
  const left = list.reply?.in_pr_review ?? 0
  const newTask = mayAdd && product !== undefined && (
    <TextButton primary icon={<IconPlus size={14} aria-hidden />} onClick={() => setNew(true)}>
      New task
    </TextButton>
  )
  return (
    <>
      <ListHead list={list} title={type?.name} parents={type && [[pages.all, names.all]]}>
        {newTask}
      </ListHead>
      <Filters
        list={list}
        filters={filters}
        more={
          person && mayOpen(person.role_id, '/tasks')
            ? [{ label: 'My tasks', onClick: () => void navigate({ to: '/tasks' }) }]
            : []
        }
      >
        <Selected list={list} />
      </Filters>
      {list.filters.delivered !== undefined && left > 0 && (
        <p className={classes.left}>
          <LinkButton
            onClick={() => void list.filterBy({ delivered: undefined, status: [prReview] as never })}
          >
            {left} {left === 1 ? 'task in PR Review is' : 'tasks in PR Review are'} not shown
          </LinkButton>
        </p>
      )}
      <ListTable
        list={list}
        label={type?.name}
        filters={filters}
        onOpen={(row) => open(row.id)}
        empty={{
          title: 'No tasks yet',
          text: 'Create a task to track its status, priority, and due dates.',
          action: newTask,
        }}
      />
      {isNew && product !== undefined && (
        <Suspense>
          <NewTask
            discipline={discipline}
            product_id={product}
            task_type_id={type?.id}
            onClose={() => setNew(false)}
          />
        </Suspense>
      )}
    </>
  )
}

const taskCard = (row: TaskRow, date: DateField) => (
  <Card
    title={<TaskLink id={row.id}>{row.title}</TaskLink>}
    aside={<StatusCell task={row} />}
    actions={<PriorityCell task={row} />}
    due={{ ...dueOf(row, date), label: 'Due' }}
  >
    {[nameOf(row.assigned_to), customersOf(row)].filter(Boolean).join(' · ')}
  </Card>
)
