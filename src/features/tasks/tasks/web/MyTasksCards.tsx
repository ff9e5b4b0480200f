import { useQuery } from '@tanstack/react-query'
import { mayOpen } from '#shared/access.ts'
import { tasks } from '#features/tasks/tasks/contract.ts'
import {
  delivered,
  disciplineNames,
  disciplineOf,
  ownDate,
  taskStatuses,
  type DisciplineName,
} from '#features/tasks/tasks/rules.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { CardItem, CardList, DashboardCard, DueDay, firstOfCard } from '#web/dashboard/DashboardCard.tsx'
import { useViewer, type Person } from '#web/session.ts'

const open = taskStatuses.map(({ id }) => id).filter((id) => id !== delivered)

/** Dashboard cards with the viewer's open tasks, one per discipline. */
export function MyTasksCards() {
  const viewer = useViewer()
  if (!viewer) return null
  return (
    <>
      {disciplineNames.map((discipline) => (
        <MyTasks key={discipline} viewer={viewer} discipline={discipline} />
      ))}
    </>
  )
}

/**
 * Card for viewers who work on tasks; it is hidden while empty, so roles that only read tasks don't see it.
 */
function MyTasks({ viewer, discipline }: { viewer: Person; discipline: DisciplineName }) {
  const { list } = tasks[discipline]
  const { names, pages } = disciplineOf(discipline)
  // The date that matters to this role.
  const field = ownDate(viewer.role_id)
  const body = {
    assigned_to: viewer.id,
    status: open,
    column: field,
    direction: 'asc' as const,
    per_page: firstOfCard,
  }
  const may = useMay(list, { body })
  const query = useQuery(queryOptionsFor(list, { body }))
  if (!may || !query.data || query.data.total === 0) return null
  const { data, total } = query.data
  // /tasks shows both disciplines together to roles allowed to open it; no menu entry links to it.
  const all = ['/tasks', pages.list].find((path) => mayOpen(viewer.role_id, path))
  return (
    <DashboardCard id={`my-${discipline}`} title={`My ${names.list.toLowerCase()}`} total={total} to={all}>
      <CardList>
        {data.map(({ id, title: name, [field]: day }) => (
          <CardItem key={id} name={name} at={day && <DueDay day={day} />} opens={{ task: id }} />
        ))}
      </CardList>
    </DashboardCard>
  )
}
