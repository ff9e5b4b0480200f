import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { can, mayOpen } from '#shared/access.ts'
import { addDays, type PlainDate } from '#shared/dates.ts'
import { disciplineOf, openStatuses } from '#features/tasks/tasks/rules.ts'
import { askWorkload } from '#features/tasks/tasks/web/useTaskNumbers.ts'
import { workload, type Workload } from '#features/tasks/tasks/workload.contract.ts'
import { useMay } from '#web/api/useSend.ts'
import { useAskedNumbers } from '#web/dashboard/dashboardAddress.ts'
import { DashboardCard } from '#web/dashboard/DashboardCard.tsx'
import { BarLegend, PeopleBars, type PersonBar } from '#web/dashboard/PeopleBars.tsx'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { useViewer } from '#web/session.ts'
import { toneColor } from '#web/theme.ts'
import { countText } from '#web/time.ts'

type Load = Workload['people'][number]
const { pages, filterByPerson } = disciplineOf('development')

/** The parts of a person's open tasks, with the days that the list is filtered by. */
const parts = [
  {
    key: 'overdue',
    name: 'Overdue',
    color: toneColor('red'),
    days: (today: PlainDate) => ({ to: addDays(today, -1) }),
  },
  {
    key: 'week',
    name: 'This week',
    color: toneColor('blue'),
    days: (today: PlainDate) => ({ from: today, to: addDays(today, 6) }),
  },
  // Tasks without a date have no place in a filter by days.
  { key: 'later', name: 'Later', color: toneColor('gray'), days: undefined },
] as const

/** Dashboard card with the open development tasks of each assignee, for viewers who can list tasks; `children` are below. */
export function WorkloadCard({ children }: { children?: ReactNode }) {
  const viewer = useViewer()
  const asked = useAskedNumbers()
  const may =
    useMay(workload.show, { query: { product_id: asked.product } }) &&
    viewer !== undefined &&
    mayOpen(viewer.role_id, pages.list)
  const query = useQuery({ ...askWorkload(asked), enabled: may })
  if (!may) return null
  return (
    <DashboardCard
      id="workload"
      title="Workload"
      about="open development tasks"
      total={<BarLegend parts={parts} />}
    >
      <Loaded query={query} what="Workload">
        {({ people }) =>
          people.length === 0 ? (
            <EmptyState title="No open tasks">
              Everyone’s open development tasks will appear here, by due date.
            </EmptyState>
          ) : (
            <PeopleBars
              people={people.map((person) => barOf(person, asked.today, can(viewer, filterByPerson)))}
            />
          )
        }
      </Loaded>
      {children}
    </DashboardCard>
  )
}

/** A person's line; `isLinked` says whether the viewer can filter the list by assignee. */
function barOf(person: Load, today: PlainDate, isLinked: boolean): PersonBar {
  const ofPerson = { assigned_to: String(person.id), status: openStatuses.join(',') }
  const address = (days: object = {}) =>
    isLinked ? `${pages.list}?${new URLSearchParams({ ...ofPerson, ...days })}` : undefined
  const { id, name, overdue, week, later } = person
  const lateText = `${countText(overdue)} overdue`
  const late = address(parts[0].days(today))
  return {
    id,
    name,
    to: address(),
    parts: parts.map(({ key, color, days }) => ({
      amount: person[key],
      color,
      to: days && address(days(today)),
    })),
    count: (
      <>
        {countText(overdue + week + later)}
        {overdue > 0 && ', '}
        {overdue > 0 && (late === undefined ? lateText : <PageLink to={late}>{lateText}</PageLink>)}
      </>
    ),
  }
}
