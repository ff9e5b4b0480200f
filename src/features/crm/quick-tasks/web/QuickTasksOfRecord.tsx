import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { dayText } from '#shared/dates.ts'
import { quickTasks, type QuickTask } from '#features/crm/quick-tasks/contract.ts'
import { entities } from '#features/crm/quick-tasks/rules.ts'
import { logAndToast } from '#web/message/failures.ts'
import classes from '#features/crm/quick-tasks/web/quickTasks.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import type { RecordPanel } from '#web/shell/recordPanels.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { today } from '#web/time.ts'
import { IconButton } from '#web/parts/controls.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const QuickTaskForm = lazyPart(() => import('#features/crm/quick-tasks/web/QuickTaskForm.tsx'))

const isEntity = (type: string): type is NonNullable<QuickTask['entity']> =>
  (entities as readonly string[]).includes(type)

/**
 * Quick tasks about a record, limited to those that the viewer created or is assigned to, with a button for
 * creating one.
 */
const QuickTasksOfRecord: RecordPanel = ({ type, id }) =>
  isEntity(type) ? <About entity={type} id={id} /> : null
export default QuickTasksOfRecord

function About({ entity, id }: { entity: NonNullable<QuickTask['entity']>; id: number }) {
  const [isNew, setNew] = useState(false)
  const [opened, setOpened] = useState<QuickTask>()
  const { data } = useQuery(
    queryOptionsFor(quickTasks.list, { query: { entity: `${entity}:${id}`, column: 'status' } }),
  )
  const all = data?.data ?? []
  return (
    <section className={classes.panel} aria-label="Quick tasks">
      <header className={classes.head}>
        <h2>Quick tasks {all.length > 0 && <Soft as="span">{data?.total}</Soft>}</h2>
        <IconButton label="New quick task" bare onClick={() => setNew(true)}>
          <IconPlus size={16} stroke={1.5} aria-hidden />
        </IconButton>
      </header>
      {all.length > 0 && (
        <ul className={classes.tasks}>
          {all.map((task) => (
            <li key={task.id} data-done={task.status === 1 || undefined}>
              <Tick task={task} />
              <button type="button" className={classes.title} onClick={() => setOpened(task)}>
                {task.title}
              </button>
              <Soft as="span">
                {[
                  task.person_name,
                  task.due_date &&
                    `${dayText(task.due_date)}${task.status === 0 && task.due_date < today() ? ', overdue' : ''}`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Soft>
            </li>
          ))}
        </ul>
      )}
      {(isNew || opened) && (
        <Suspense>
          {isNew && <QuickTaskForm about={{ entity, id }} onClose={() => setNew(false)} />}
          {opened && <QuickTaskForm task={opened} onClose={() => setOpened(undefined)} />}
        </Suspense>
      )}
    </section>
  )
}

function Tick({ task: { id, title, status } }: { task: QuickTask }) {
  const { announceAct } = useUndo()
  const { send, sending } = useSend(quickTasks.markCompleted, {
    failure: 'throw',
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  return (
    <input
      type="checkbox"
      aria-label={`Done: ${title}`}
      checked={status === 1}
      disabled={sending}
      onChange={() =>
        void send({ params: { id }, body: { status: status === 1 ? 0 : 1 } }).catch(logAndToast)
      }
    />
  )
}
