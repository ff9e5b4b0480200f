import { useQuery } from '@tanstack/react-query'
import { mayOpen } from '#shared/access.ts'
import { tasks } from '#features/tasks/tasks/contract.ts'
import { delivered, ownDate, taskStatuses } from '#features/tasks/tasks/rules.ts'
import { ask } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { CardItem, CardList, DashboardCard, DueDay, firstOfCard } from '#web/dashboard/DashboardCard.tsx'
import { useViewer, type Person } from '#web/session.ts'

const open = taskStatuses.map(({ id }) => id).filter((id) => id !== delivered)

/** The open tasks that are assigned to this person, of each discipline. */
export function MyTasksCards() {
  const viewer = useViewer()
  if (!viewer) return null
  return (
    <>
      <MyTasks viewer={viewer} discipline="development" title="My development tasks" to="/development-tasks" />
      <MyTasks viewer={viewer} discipline="designer" title="My designer tasks" to="/designer-tasks" />
    </>
  )
}

interface Props {
  viewer: Person
  discipline: 'development' | 'designer'
  title: string
  to: string
}

/** For those who work on tasks: a role that reads them without ever having one does not see an empty card. */
function MyTasks({ viewer, discipline, title, to }: Props) {
  const { list } = tasks[discipline]
  // The date that this role is held to.
  const field = ownDate(viewer.role_id)
  const body = { assigned_to: viewer.id, status: open, column: field, direction: 'asc' as const, per_page: firstOfCard }
  const may = useMay(list, { body })
  const query = useQuery(ask(list, { body }))
  if (!may || !query.data || query.data.total === 0) return null
  const { data, total } = query.data
  // One's own of both kinds stand together, for those whom the guard lets there; no menu leads to it.
  const all = ['/tasks', to].find((path) => mayOpen(viewer.role_id, path))
  return (
    <DashboardCard id={`my-${discipline}`} title={title} total={total} to={all}>
      <CardList>
        {data.map(({ id, title: name, [field]: day }) => (
          <CardItem key={id} name={name} at={day && <DueDay day={day} />} opens={{ task: id }} />
        ))}
      </CardList>
    </DashboardCard>
  )
}
