import { memo, type DragEvent } from 'react'
import type { PlainDate } from '#shared/dates.ts'
import type { TaskRow } from '#features/tasks/tasks/contract.ts'
import { priorities, statusName } from '#features/tasks/tasks/rules.ts'
import { loadReasonDialog } from '#features/tasks/tasks/web/taskActs.tsx'
import { TaskLink } from '#features/tasks/tasks/web/TaskLink.tsx'
import classes from '#features/tasks/tasks/calendar/web/calendar.module.css'
import { toneColor } from '#web/theme.ts'

export const dragType = 'application/x-task'

interface Props {
  task: TaskRow
  /** The day under which the task is shown; today if it has no date. */
  day: PlainDate
  mayMove: boolean
  isHeld: boolean
  onPickUp: (task: TaskRow, day: PlainDate) => void
}

/**
 * A task on a calendar day, which can be opened by its title, dragged, or picked up with the keyboard.
 * Memoized, so that moving one task does not re-render the others.
 */
export const CalendarTask = memo(function CalendarTask({ task, day, mayMove, isHeld, onPickUp }: Props) {
  const priority = priorities.find(({ id }) => id === task.priority)
  return (
    <li
      className={classes.task}
      data-held={isHeld || undefined}
      data-delivered={task.status === 4 || undefined}
      draggable={mayMove}
      onDragStart={(event: DragEvent) => {
        // Links are draggable even if the task is not.
        if (!mayMove) return
        void loadReasonDialog()
        event.dataTransfer.setData(dragType, String(task.id))
        event.dataTransfer.effectAllowed = 'move'
      }}
    >
      <span
        className={classes.flag}
        style={{ background: toneColor(priority?.tone ?? 'gray') }}
        title={`${priority?.name}, ${statusName(task.status)}`}
      />
      <TaskLink id={task.id} className={classes.taskTitle}>
        {task.title}
      </TaskLink>
      {mayMove && (
        <button
          type="button"
          className={classes.pickUp}
          aria-label={`Move ${task.title}`}
          title="Pick up the task. Then use the arrow keys to choose a day, Enter to drop it, or Escape to cancel."
          aria-pressed={isHeld}
          onClick={() => {
            void loadReasonDialog()
            onPickUp(task, day)
          }}
        >
          ⠿
        </button>
      )}
    </li>
  )
})
