import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { can, mayOpen } from '#shared/access.ts'
import { addDays, type PlainDate } from '#shared/dates.ts'
import { disciplineOf, openStatuses } from '#features/tasks/tasks/rules.ts'
import classes from '#features/tasks/tasks/web/workload.module.css'
import { askWorkload } from '#features/tasks/tasks/web/useTaskNumbers.ts'
import { workload, type Workload } from '#features/tasks/tasks/workload.contract.ts'
import { followsWrites, useMay } from '#web/api/useSend.ts'
import { Initials } from '#web/Avatar.tsx'
import { useAskedNumbers } from '#web/dashboard/dashboardAddress.ts'
import { DashboardCard } from '#web/dashboard/DashboardCard.tsx'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { useViewer } from '#web/session.ts'
import { toneColor } from '#web/theme.ts'
import { countText } from '#web/time.ts'

type Load = Workload['people'][number]
const { pages, filterByPerson } = disciplineOf('development')

/** The parts of a person's open tasks, with the days that the list is filtered by. */
const parts = [
  { key: 'overdue', name: 'Overdue', tone: 'red', days: (today: PlainDate) => ({ to: addDays(today, -1) }) },
  {
    key: 'week',
    name: 'This week',
    tone: 'blue',
    days: (today: PlainDate) => ({ from: today, to: addDays(today, 6) }),
  },
  // Tasks without a date have no place in a filter by days.
  { key: 'later', name: 'Later', tone: 'gray', days: undefined },
] as const

/** Dashboard card with the open development tasks of each assignee, for viewers who can list tasks; `children` are below. */
export function WorkloadCard({ children }: { children?: ReactNode }) {
  const viewer = useViewer()
  const asked = useAskedNumbers()
  const may =
    useMay(workload.show, { query: { product_id: asked.product } }) &&
    viewer !== undefined &&
    mayOpen(viewer.role_id, pages.list)
  const query = useQuery({ ...askWorkload(asked), enabled: may, meta: followsWrites })
  useChanged('task', may ? [workload.show] : [])
  if (!may) return null
  return (
    <DashboardCard id="workload" title="Workload" about="open development tasks" total={<Legend />}>
      <Loaded query={query} what="Workload">
        {({ people }) =>
          people.length === 0 ? (
            <EmptyState title="No open tasks">
              Everyone’s open development tasks will appear here, by due date.
            </EmptyState>
          ) : (
            <People people={people} today={asked.today} isLinked={can(viewer, filterByPerson)} />
          )
        }
      </Loaded>
      {children}
    </DashboardCard>
  )
}

const Legend = () => (
  <span className={classes.legend}>
    {parts.map(({ key, name, tone }) => (
      <span key={key}>
        <i style={{ background: toneColor(tone) }} aria-hidden />
        {name}
      </span>
    ))}
  </span>
)

interface PeopleProps {
  people: readonly Load[]
  today: PlainDate
  /** Whether the viewer can filter the list by assignee. */
  isLinked: boolean
}

function People({ people, today, isLinked }: PeopleProps) {
  const router = useRouter()
  const most = Math.max(...people.map(totalOf))
  return (
    <ul className={classes.people}>
      {people.map((person) => {
        const address = (days: object = {}) =>
          `${pages.list}?${new URLSearchParams({ assigned_to: String(person.id), status: openStatuses.join(','), ...days })}`
        return (
          <li key={person.id}>
            <span className={classes.person}>
              <Initials name={person.name} size={22} />
              {isLinked ? <PageLink to={address()}>{person.name}</PageLink> : <span>{person.name}</span>}
            </span>
            <span className={classes.bar} style={{ width: `${(totalOf(person) / most) * 100}%` }} aria-hidden>
              {parts.map(
                ({ key, tone, days }) =>
                  person[key] > 0 && (
                    <i
                      key={key}
                      style={{ flexGrow: person[key], background: toneColor(tone) }}
                      data-opens={(isLinked && days !== undefined) || undefined}
                      onClick={() => isLinked && days && void router.navigate({ to: address(days(today)) })}
                    />
                  ),
              )}
            </span>
            <span className={classes.count}>
              {countText(totalOf(person))}
              {person.overdue > 0 && ', '}
              {person.overdue > 0 &&
                (isLinked ? (
                  <PageLink to={address(parts[0].days(today))}>{countText(person.overdue)} overdue</PageLink>
                ) : (
                  `${countText(person.overdue)} overdue`
                ))}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

const totalOf = ({ overdue, week, later }: Load) => overdue + week + later
