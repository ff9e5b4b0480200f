import { Suspense, useDeferredValue, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { QueryClient } from '@tanstack/react-query'
import { dayText, isPlainDate } from '#shared/dates.ts'
import { tasks, type TaskRow } from '#features/tasks/tasks/contract.ts'
import {
  dateNames,
  delivered,
  disciplineNames,
  moveTypeOf,
  moveTypes,
  onHold,
  priorities,
  taskStatuses,
  whyNotMove,
  whyNotStatus,
  type DateField,
} from '#features/tasks/tasks/rules.ts'
import type { RequestInput } from '#web/api/types.ts'
import { patchCachedReplies, useMay, useSend } from '#web/api/useSend.ts'
import { DueDate, isOverdue } from '#web/list/DueDate.tsx'
import { ChoiceCell } from '#web/list/CellMenu.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { Flag } from '#web/parts/Tone.tsx'
import { today } from '#web/time.ts'
import classes from '#features/tasks/tasks/web/tasks.module.css'

/** Loads the dialog before a task is dropped, because the dialog is needed immediately after the drop. */
export const loadReasonDialog = () => import('#features/tasks/tasks/web/ReasonDialog.tsx')
const ReasonDialog = lazyPart(loadReasonDialog)
const DateInput = lazyPart(() => import('#web/dates/DateInput.tsx'), 'DateInput')

type Status = (typeof taskStatuses)[number]['id']
type Priority = (typeof priorities)[number]['id']
type Shown = Pick<TaskRow, 'id' | 'title' | 'discipline' | 'status' | 'priority' | DateField>

/**
 * A task's status, editable in place. Unavailable statuses show why they can't be chosen, and choosing On
 * Hold requires a reason.
 */
export function StatusCell({ task }: { task: Shown }) {
  const viewer = useViewer()
  const [isHolding, setHolding] = useState(false)
  const { announceAct } = useUndo()
  const { changeStatus } = tasks[task.discipline]
  const { send } = useSend(changeStatus, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const { send: sendOrThrow } = useSend(changeStatus, {
    failure: 'throw',
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const may = useMay(changeStatus, { params: { id: task.id }, body: { status: 0, comment: '' } })
  const choices = taskStatuses.map((one) => ({
    ...one,
    whyNot: whyNotStatus(viewer, task.discipline, task.status, one.id),
  }))
  return (
    <>
      <ChoiceCell
        label={`Status of ${task.title}`}
        options={choices}
        value={task.status}
        may={may}
        onChoose={(status) =>
          status === onHold
            ? setHolding(true)
            : void send({ params: { id: task.id }, body: { status: status as Status, comment: '' } })
        }
      />
      {isHolding && (
        <Suspense>
          <ReasonDialog
            title={`Put ${task.title} on hold`}
            label="Reason for hold"
            saveLabel="Put on hold"
            onClose={() => setHolding(false)}
            onSave={(comment) => sendOrThrow({ params: { id: task.id }, body: { status: onHold, comment } })}
          />
        </Suspense>
      )}
    </>
  )
}

/** A task's priority, editable in place. */
export function PriorityCell({ task }: { task: Shown }) {
  const { announceAct } = useUndo()
  const { update } = tasks[task.discipline]
  const { send } = useSend(update, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const may = useMay(update, { params: { id: task.id }, body: {} })
  return (
    <ChoiceCell
      label={`Priority of ${task.title}`}
      options={priorities}
      value={task.priority}
      may={may}
      as={Flag}
      onChoose={(priority) =>
        void send({ params: { id: task.id }, body: { priority: priority as Priority } })
      }
    />
  )
}

interface Asked<Task> {
  task: Task
  field: DateField
  day: string
  /** Called with the new day after it is saved, or with undefined when the dialog is closed without saving. */
  onSettled: (day: string | undefined) => void
}

/**
 * Returns functions for changing a task's date, and the dialog that requests a reason if the task already has
 * a date.
 */
export function useMoveDate<Task extends Shown = Shown>() {
  const { announceAct } = useUndo()
  const [asked, setAsked] = useState<Asked<Task>>()
  // Deferred so that the task is shown in its new place before the dialog asks for a reason.
  const isAsking = useDeferredValue(asked !== undefined)
  const options = {
    onDone: ({ message, operation }: { message: string; operation?: any }) => announceAct(message, operation),
  }
  // The discipline isn't known until a task is chosen, so the hooks of both disciplines are called.
  const development = {
    set: useSend(tasks.development.update, options),
    move: useSend(tasks.development.extendDueDate, {
      ...options,
      failure: 'throw',
      optimisticUpdate: showMove,
    }),
  }
  const designer = {
    set: useSend(tasks.designer.update, options),
    move: useSend(tasks.designer.extendDueDate, { ...options, failure: 'throw', optimisticUpdate: showMove }),
  }
  const sends = { development, designer }

  /** Resolves to the new day, or to undefined if the date was not changed. */
  async function moveTo(task: Task, field: DateField, day: string): Promise<string | undefined> {
    if (task[field] === day) return undefined
    const isPromise = moveTypeOf(field) !== undefined && task[field] !== null
    if (isPromise) return new Promise((onSettled) => setAsked({ task, field, day, onSettled }))
    const reply = await sends[task.discipline].set.send({ params: { id: task.id }, body: { [field]: day } })
    return reply && day
  }

  /** Changes a date with a form instead of dragging, for touch screens. */
  function askForDate(task: Task, field: DateField): void {
    setAsked({ task, field, day: task[field] ?? today(), onSettled: () => {} })
  }

  const dialog = asked && isAsking && (
    <Suspense>
      <ReasonDialog
        title={`Change ${dateNames[asked.field].toLowerCase()} of ${asked.task.title}`}
        label="Reason"
        saveLabel={`Change ${dateNames[asked.field].toLowerCase()}`}
        day={asked.day}
        dayLabel={dateNames[asked.field]}
        onClose={() => {
          asked.onSettled(undefined)
          setAsked(undefined)
        }}
        onSave={async (comment, due_date) => {
          await sends[asked.task.discipline].move.send({
            params: { id: asked.task.id },
            body: { due_date, comment, type: moveTypeOf(asked.field) },
          })
          asked.onSettled(due_date)
        }}
      />
    </Suspense>
  )
  return { moveTo, askForDate, moving: asked, dialog }
}

/** Optimistically shows the new date in the lists. */
const showMove = (
  { params, body }: RequestInput<typeof tasks.development.extendDueDate>,
  queries: QueryClient,
) => {
  const field = body.type === undefined ? undefined : moveTypes[body.type]
  const lists = disciplineNames.map((name) =>
    patchCachedReplies(queries, tasks[name].list, (reply) => ({
      ...reply,
      data: reply.data.map((row) =>
        field && row.id === params.id ? { ...row, [field]: body.due_date } : row,
      ),
    })),
  )
  return () => lists.forEach((putBack) => putBack())
}

/** Returns one of a task's dates, for `DueDate`. */
export const dueOf = (task: Shown, field: DateField) => ({
  day: task[field],
  isOpen: task.status !== delivered,
})

/** A task's date; viewers who are allowed to change the date can do so by clicking it. */
export function DateCell({ task, field }: { task: Shown; field: DateField }) {
  const viewer = useViewer()
  const [typed, setTyped] = useState<string>()
  const returnsFocus = useRef(false)
  const { moveTo, dialog } = useMoveDate()
  const may = useMay(tasks[task.discipline].update, { params: { id: task.id }, body: {} })
  const isPromise = moveTypeOf(field) !== undefined && task[field] !== null
  const mayMove = may && (!isPromise || whyNotMove(viewer, task.discipline, field) === undefined)
  const shown =
    task[field] === null ? <span className={classes.none}>—</span> : <DueDate {...dueOf(task, field)} />
  if (!mayMove) return shown

  /**
   * Closes the input after a key press and returns focus to the button, before a dialog opens that will
   * restore focus to it.
   */
  function closeByKey(): void {
    returnsFocus.current = true
    flushSync(() => setTyped(undefined))
  }

  const day = task[field] === null ? 'none' : dayText(task[field])
  const button = (
    <button
      ref={(button) => {
        if (button && returnsFocus.current) button.focus()
        returnsFocus.current = false
      }}
      type="button"
      className={classes.dayButton}
      aria-label={`${dateNames[field]} of ${task.title}: ${isOverdue(dueOf(task, field)) ? 'Overdue ' : ''}${day}`}
      onClick={() => setTyped(task[field] ?? '')}
    >
      {shown}
    </button>
  )
  return (
    <>
      {typed === undefined ? (
        button
      ) : (
        <Suspense fallback={button}>
          <DateInput
            aria-label={`${dateNames[field]} of ${task.title}`}
            autoFocus
            holdsEscape
            value={typed}
            ahead
            onChange={setTyped}
            onKeyDown={(event: KeyboardEvent) => {
              if (event.key === 'Escape') {
                event.stopPropagation()
                closeByKey()
              } else if (event.key === 'Enter') {
                closeByKey()
                if (isPlainDate(typed)) void moveTo(task, field, typed)
              }
            }}
            onLeave={() => {
              setTyped(undefined)
              if (isPlainDate(typed)) void moveTo(task, field, typed)
            }}
          />
        </Suspense>
      )}
      {dialog}
    </>
  )
}
