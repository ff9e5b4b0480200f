import IconChecklist from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs'
import { mayOpen } from '#shared/access.ts'
import type { OperationRef } from '#shared/record.contract.ts'
import { quickTasks, type QuickTask } from '#features/crm/quick-tasks/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { DayDone, DaySnooze } from '#web/dashboard/DayActions.tsx'
import { daySource } from '#web/dashboard/daySource.ts'
import { logAndToast } from '#web/message/failures.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const QuickTaskForm = lazyPart(() => import('#features/crm/quick-tasks/web/QuickTaskForm.tsx'))

/** The viewer's open quick tasks. */
export const quickTasksOfDay = daySource({
  name: 'Quick tasks',
  icon: IconChecklist,
  endpoint: quickTasks.list,
  input: ({ viewer }) => [{ query: { status: 0, filters: JSON.stringify({ person: viewer.id }) } }],
  all: ({ role_id }) => (mayOpen(role_id, '/quick-task') ? '/quick-task/my-task' : undefined),
  read: ({ data, total }, { viewer }) => ({
    total,
    items: data.map((task) => ({
      key: `quick task ${task.id}`,
      title: task.title,
      detail: `Quick task · ${task.created_by === viewer.id ? 'Created by you' : `From ${task.creator_name}`}`,
      when: { day: task.due_date },
      dialog: (onClose) => <QuickTaskForm task={task} onClose={onClose} />,
      actions: <Actions task={task} />,
    })),
  }),
})

interface Changed {
  message: string
  operation?: OperationRef | null | undefined
}

function Actions({ task: { id, title, due_date } }: { task: QuickTask }) {
  const { announceAct } = useUndo()
  const options = {
    onDone: ({ message, operation }: Changed) => announceAct(message, operation),
    failure: 'throw' as const,
  }
  const { send: mark, sending } = useSend(quickTasks.markCompleted, options)
  const { send: snooze } = useSend(quickTasks.snooze, options)
  return (
    <>
      <DayDone
        name={title}
        disabled={sending}
        onDone={() => void mark({ params: { id }, body: { status: 1 } }).catch(logAndToast)}
      />
      <DaySnooze
        name={title}
        day={due_date}
        onSnooze={(day) => void snooze({ params: { id }, body: { due_date: day } }).catch(logAndToast)}
      />
    </>
  )
}
