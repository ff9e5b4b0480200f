import { fullTime } from '#web/time.ts'
import { useDeferredValue, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { tasks, type Task } from '#features/tasks/tasks/contract.ts'
import {
  dateNames,
  disciplineOf,
  dueDateOfPanel,
  furtherDatesOfPanel,
  moveTypeIds,
  type DateField,
} from '#features/tasks/tasks/rules.ts'
import { ActivityStream } from '#features/tasks/tasks/web/ActivityStream.tsx'
import { taskFields } from '#features/tasks/tasks/fields.ts'
import { DateCell, PriorityCell, StatusCell } from '#features/tasks/tasks/web/taskActs.tsx'
import classes from '#features/tasks/tasks/web/tasks.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { FileList } from '#web/files/FileList.tsx'
import { useFileRefs } from '#web/files/useFileRefs.ts'
import { RecordPanels } from '#web/shell/recordPanels.tsx'
import { ChoiceInPlace } from '#web/record/ChoiceInPlace.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'

/**
 * Information about a task: the lines that B §2 specifies for the viewer's role, followed by additional ones.
 */
export function InformationTab({ task }: { task: Task }) {
  const viewer = useViewer()
  // Render the lines first, then the sections common to all records.
  const isShown = useDeferredValue(true, false)
  const due = viewer && dueDateOfPanel[viewer.role_id]
  const further = viewer ? furtherDatesOfPanel(viewer.role_id) : []
  const date = (label: string, field: DateField): readonly [string, ReactNode] => [
    label,
    <DateCell key={field} task={task} field={field} />,
  ]
  const lines: (readonly [label: string, value: ReactNode])[] = [
    [taskFields.assigned_to.label, <Assignee key="assignee" task={task} />],
    ...(due ? [date('Due date', due)] : []),
    ...further.map((field) => date(dateNames[field], field)),
    [taskFields.priority.label, <PriorityCell key="priority" task={task} />],
    [taskFields.status.label, <StatusCell key="status" task={task} />],
    [taskFields.organization_ids.label, task.organization.map(({ name }) => name).join(', ') || '--'],
    ['Created date', fullTime(task.created_at)],
    ...(task.task_type === null ? [] : [[taskFields.task_type_id.label, task.task_type] as const]),
    ...(task.estimate_hours === null
      ? []
      : [[taskFields.estimate_hours.label, String(task.estimate_hours)] as const]),
    ...(task.ticket_id === null
      ? []
      : [[taskFields.ticket_id.label, <TicketLink key="ticket" id={task.ticket_id} />] as const]),
  ]
  return (
    <>
      <dl className={classes.lines}>
        {lines.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Attachments ids={task.file_ids} />
      {task.moves !== null && task.moves > 0 && <Moves task={task} moves={task.moves} />}
      {isShown && (
        <>
          <RecordPanels type={disciplineOf(task.discipline).type} id={task.id} />
          <Timeline type={disciplineOf(task.discipline).type} id={task.id} fields={taskFields} inDialog />
        </>
      )}
    </>
  )
}

const TicketLink = ({ id }: { id: number }) => <RecordLink type="ticket" id={id} name={`#${id}`} />

function Attachments({ ids }: { ids: readonly number[] }) {
  const refs = useFileRefs(ids)
  return <FileList label="Attachments" files={ids.flatMap((id) => refs.get(id) ?? [])} />
}

function Assignee({ task }: { task: Task }) {
  const { assign } = tasks[task.discipline]
  const may = useMay(assign, { params: { id: task.id }, body: { assigned_to: null } })
  const { announceAct } = useUndo()
  const { send } = useSend(assign, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const people = useStaff(task.product_id)
  const who = task.assigned_to
  const name = who ? `${who.first_name} ${who.last_name}` : '--'
  if (!may) return name
  const known =
    who === null || people.some(({ id }) => id === who.id) ? people : [{ id: who.id, name }, ...people]
  return (
    <ChoiceInPlace
      label={taskFields.assigned_to.label}
      name={`Assignee: ${name}`}
      value={String(who?.id ?? '')}
      options={[['', '--'], ...known.map((one) => [String(one.id), one.name] as const)]}
      onChoose={(id) =>
        void send({ params: { id: task.id }, body: { assigned_to: id === '' ? null : Number(id) } })
      }
    >
      {name}
    </ChoiceInPlace>
  )
}

/** How often due dates were changed and why, for viewers who can see the history. */
function Moves({ task, moves }: { task: Task; moves: number }) {
  const { data } = useQuery(
    queryOptionsFor(tasks[task.discipline].activity, { params: { id: task.id }, query: {} }),
  )
  const moved = data?.data.filter(({ type }) => (moveTypeIds as readonly number[]).includes(type)) ?? []
  return (
    <details>
      <summary>{moves === 1 ? 'Due date changed once' : `Due dates changed ${moves} times`}</summary>
      <ActivityStream label="Changes of due dates" activity={moved} />
    </details>
  )
}
