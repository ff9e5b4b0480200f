import { Suspense, useState } from 'react'
import { z } from 'zod'
import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { isAdminRole } from '#shared/access.ts'
import { addDays } from '#shared/dates.ts'
import { code, oneOf, text } from '#shared/schemas.ts'
import type { ListName } from '#shared/list-access.ts'
import { pageNumber } from '#shared/page.ts'
import {
  quickSorts,
  quickTasks,
  type ExtraFilters,
  type QuickTask,
} from '#features/crm/quick-tasks/contract.ts'
import { quickTaskFields } from '#features/crm/quick-tasks/fields.ts'
import { entityName, mayEdit, quickStatuses } from '#features/crm/quick-tasks/rules.ts'
import { logAndToast } from '#web/message/failures.ts'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useSend } from '#web/api/useSend.ts'
import { Card, NameButton, RowAction } from '#web/list/cells.tsx'
import { DueDate } from '#web/list/DueDate.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { choice } from '#web/filter/filters.tsx'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { ListTable } from '#web/list/ListTable.tsx'
import { Selected } from '#web/list/Selected.tsx'
import { useList, type ListOf } from '#web/list/useList.ts'
import { asPairs, useLists } from '#web/filter/useOptions.ts'
import { useRemove } from '#web/record/useRemove.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'
import { TextButton } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { today } from '#web/time.ts'
import { useNewForm } from '#web/form/newForms.ts'

const QuickTaskForm = lazyPart(() => import('#features/crm/quick-tasks/web/QuickTaskForm.tsx'))

/** URL parameters of the page. In requests, `due` is part of `filters`. */
const PageFilters = z.object({
  page: pageNumber.default(1),
  search: text(200).default(''),
  status: oneOf(0, 1).or(z.literal('all')).default(0),
  type: code.optional(),
  due: z.enum(['overdue', 'today', 'week', 'none']).optional(),
  /** `all` shows everyone's quick tasks, which only roles 0 and 1 can see. */
  whose: z.literal('all').optional(),
  column: z.enum(quickSorts).default('due_date'),
  direction: z.enum(['asc', 'desc']).default('asc'),
})
type PageFilters = z.output<typeof PageFilters>

const dueOf = (task: QuickTask) => ({ day: task.due_date, isOpen: task.status === 0 })

const columns = columnsOfFields<QuickTask, typeof quickTaskFields>(quickTaskFields, {
  title: { cell: (row) => <Title task={row} />, title: ({ title }) => title },
  status: {
    cell: (row) => <Tone tone={row.status === 1 ? 'green' : 'blue'}>{quickStatuses[row.status as 0]}</Tone>,
  },
  type: { cell: (row) => <TypeName id={row.type} /> },
  due_date: { cell: (row) => <DueDate {...dueOf(row)} /> },
  entity: { cell: (row) => <About task={row} /> },
})

const listOf = (name: ListName): ListOf<QuickTask, typeof PageFilters> => ({
  name,
  type: 'quick_task',
  endpoint: quickTasks.list,
  filters: PageFilters,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ title }) => title,
  card: (row) => quickTaskCard(row),
  searchLabel: 'Search quick tasks',
  mayRemove: mayEdit,
  toQuery: ({ due: _due, whose: _whose, status, ...rest }) => ({
    ...rest,
    status: status === 'all' ? undefined : status,
  }),
})
const mine = listOf('my-quick-tasks')
const given = listOf('assigned-quick-tasks')

/** Page with the quick tasks assigned to the viewer. */
export const MyTasksPage = () => <QuickTasks of={mine} by="person" />
/** Page with the quick tasks created by the viewer. */
export const AssignedTasksPage = () => <QuickTasks of={given} by="creator" />

function QuickTasks({ of, by }: { of: typeof mine; by: 'person' | 'creator' }) {
  const viewer = useViewer()
  const [open, setOpen] = useNewForm(by === 'person' ? '/quick-task/my-task' : '/quick-task/assigned-task')
  const { quick_task_types } = useLists('quick_task_types')
  const seesAll = viewer !== undefined && isAdminRole(viewer.role_id)
  const more = ({ due, whose }: PageFilters): { query: Record<string, unknown> } => ({
    query: {
      filters: JSON.stringify({
        ...(seesAll && whose ? {} : { [by]: viewer?.id }),
        ...(due ? { due } : {}),
        today: today(),
      } satisfies ExtraFilters),
    },
  })
  const list = useList(of, more)
  const add = (
    <TextButton primary icon={<IconPlus size={14} aria-hidden />} onClick={() => setOpen(true)}>
      New quick task
    </TextButton>
  )
  const filters = [
    choice<PageFilters>(
      'status',
      'Status',
      'All statuses',
      Object.entries(quickStatuses).map(([id, name]) => [Number(id), name]),
      { none: 'all' },
    ),
    choice<PageFilters>('due', 'Due date', 'Any due date', [
      ['overdue', 'Overdue'],
      ['today', 'Today'],
      ['week', 'Next 7 days'],
      ['none', 'No due date'],
    ]),
    ...(seesAll
      ? [choice<PageFilters>('whose', by === 'person' ? 'Assignee' : 'Created by', 'Me', [['all', 'Anyone']])]
      : []),
    choice<PageFilters>('type', 'Type', 'All types', asPairs(quick_task_types)),
  ]
  return (
    <>
      <ListHead list={list}>{add}</ListHead>
      <Filters list={list} filters={filters}>
        <Selected list={list}>
          <ChangeMany ids={list.selection.ids} onDone={() => void list.keepSelected()} />
        </Selected>
      </Filters>
      <ListTable
        list={list}
        filters={filters}
        rowActions={rowActions}
        empty={{
          title: by === 'person' ? 'No quick tasks' : 'You haven’t assigned any quick tasks yet',
          text:
            by === 'person'
              ? 'Quick tasks assigned to you appear here.'
              : 'Create a quick task for a colleague or for yourself.',
          action: add,
        }}
      />
      {open && (
        <Suspense>
          <QuickTaskForm onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Buttons for completing the selected tasks or moving them to tomorrow. */
function ChangeMany({ ids, onDone }: { ids: readonly number[]; onDone: () => void }) {
  const { announceAct } = useUndo()
  const { send, sending } = useSend(quickTasks.changeMany, {
    failure: 'throw',
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      onDone()
    },
  })
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={sending}
        onClick={() => void send({ body: { ids: [...ids], status: 1 } }).catch(logAndToast)}
      >
        Mark as done
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        loading={sending}
        onClick={() =>
          void send({ body: { ids: [...ids], due_date: addDays(today(), 1) } }).catch(logAndToast)
        }
      >
        Move to tomorrow
      </Button>
    </>
  )
}

const rowActions = (task: QuickTask) => <Actions task={task} />
const quickTaskCard = (task: QuickTask) => (
  <Card
    title={<Title task={task} />}
    aside={<Tone tone={task.status === 1 ? 'green' : 'blue'}>{quickStatuses[task.status as 0]}</Tone>}
    due={{ ...dueOf(task), label: 'Due' }}
    actions={<Actions task={task} />}
  >
    {`for ${task.person_name} · from ${task.creator_name}`}
  </Card>
)

function Title({ task }: { task: QuickTask }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <NameButton onClick={() => setOpen(true)}>{task.title}</NameButton>
      {open && (
        <Suspense>
          <QuickTaskForm task={task} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/**
 * Buttons for completing or reopening a task, moving it to tomorrow, and, if the viewer can edit it, deleting
 * it.
 */
function Actions({ task }: { task: QuickTask }) {
  const viewer = useViewer()
  const { announceAct } = useUndo()
  const options = {
    failure: 'throw' as const,
    onDone: ({
      message,
      operation,
    }: {
      message: string
      operation?: { id: number; summary: string } | null | undefined
    }) => announceAct(message, operation),
  }
  const { send: mark, sending } = useSend(quickTasks.markCompleted, options)
  const { send: snooze } = useSend(quickTasks.snooze, options)
  const { remove } = useRemove('quick_task')
  const params = { id: task.id }
  const isDone = task.status === 1
  return (
    <>
      <RowAction
        disabled={sending}
        aria-label={`${isDone ? 'Reopen' : 'Mark as done'}: ${task.title}`}
        onClick={() => void mark({ params, body: { status: isDone ? 0 : 1 } }).catch(logAndToast)}
      >
        {isDone ? 'Reopen' : 'Done'}
      </RowAction>
      {!isDone && (
        <RowAction
          aria-label={`Move to tomorrow: ${task.title}`}
          onClick={() => void snooze({ params, body: { due_date: addDays(today(), 1) } }).catch(logAndToast)}
        >
          Tomorrow
        </RowAction>
      )}
      {viewer && mayEdit(task, viewer) && (
        <RowAction aria-label={`Move to trash: ${task.title}`} onClick={() => remove([task.id])}>
          Move to trash
        </RowAction>
      )}
    </>
  )
}

function TypeName({ id }: { id: number }) {
  const { quick_task_types } = useLists('quick_task_types')
  return quick_task_types.find((type) => type.id === id)?.name ?? ''
}

/** The record that a task is about, linked if the viewer can open it. */
function About({ task: { entity, entity_id } }: { task: QuickTask }) {
  const viewer = useViewer()
  if (entity === null || entity_id === null) return null
  const to = recordAddress(entity, entity_id, viewer)
  const name = `${entityName(entity)} ${entity_id}`
  return to === undefined ? name : <PageLink to={to}>{name}</PageLink>
}
