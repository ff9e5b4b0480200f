import { logAndToast } from '#web/message/failures.ts'
import { useQuery } from '@tanstack/react-query'
import { mayOpen } from '#shared/access.ts'
import { quickTasks, type QuickTask } from '#features/crm/quick-tasks/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import {
  CardItem,
  CardList,
  DashboardCard,
  DoneButton,
  DueDay,
  firstOfCard,
  NothingHere,
} from '#web/dashboard/DashboardCard.tsx'
import { Loaded } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer, type Person } from '#web/session.ts'

/** Dashboard card with the viewer's open quick tasks. */
export function MyQuickTasksCard() {
  const viewer = useViewer()
  return viewer ? <OpenTasks viewer={viewer} /> : null
}

function OpenTasks({ viewer }: { viewer: Person }) {
  const query = useQuery(
    queryOptionsFor(quickTasks.list, {
      query: { status: 0, filters: JSON.stringify({ person: viewer.id }) },
    }),
  )
  useChanged('quick_task', [quickTasks.list])
  const all = mayOpen(viewer.role_id, '/quick-task') ? '/quick-task/my-task' : undefined
  return (
    <DashboardCard id="my-quick-tasks" title="My quick tasks" total={query.data?.total} to={all}>
      <Loaded query={query} skeleton={null}>
        {({ data }) =>
          data.length === 0 ? (
            <NothingHere>No open quick tasks.</NothingHere>
          ) : (
            <CardList>
              {data.slice(0, firstOfCard).map((task) => (
                <OneQuickTask key={task.id} task={task} />
              ))}
            </CardList>
          )
        }
      </Loaded>
    </DashboardCard>
  )
}

function OneQuickTask({ task: { id, title, creator_name, due_date } }: { task: QuickTask }) {
  const { announceAct } = useUndo([quickTasks.list])
  const { send, sending } = useSend(quickTasks.markCompleted, {
    refresh: [quickTasks.list],
    onDone: ({ message, operation }) => announceAct(message, operation),
    failure: 'throw',
  })
  return (
    <CardItem name={title} detail={`from ${creator_name}`} at={due_date && <DueDay day={due_date} />}>
      <DoneButton
        name={title}
        disabled={sending}
        onDone={() => void send({ params: { id }, body: { status: 1 } }).catch(logAndToast)}
      />
    </CardItem>
  )
}
