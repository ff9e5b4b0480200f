import { useQuery } from '@tanstack/react-query'
import { can, mayOpen } from '#shared/access.ts'
import { addDays, dayText } from '#shared/dates.ts'
import { beforeText, periodText, weekFrom, type Days } from '#shared/trend.ts'
import { taskNumbers, tasksCounted, type TaskNumbers } from '#features/tasks/tasks/numbers.contract.ts'
import { disciplineNames, disciplineOf, taskRoles, type DisciplineName } from '#features/tasks/tasks/rules.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { followsWrites } from '#web/api/useSend.ts'
import { BarsChart, type ChartData } from '#web/charts/charts.tsx'
import { usePeriod } from '#web/dashboard/dashboardAddress.ts'
import { useChanged } from '#web/live.ts'
import { useProduct, useViewer, type Person } from '#web/session.ts'
import { toneColor } from '#web/theme.ts'
import { changeOf, TileOf } from '#web/tile/Tile.tsx'
import { useToday } from '#web/time.ts'

/** Returns the page with the tasks of a discipline that the viewer can open; undefined if there is none. */
function pageFor(viewer: Person | undefined, name: DisciplineName, product: number | undefined) {
  const { list, pages, products } = disciplineOf(name)
  if (!viewer || !can(viewer, list) || product === undefined || !products.includes(product)) return undefined
  return [pages.list, pages.all].find((path) => mayOpen(viewer.role_id, path))
}

/** Fetches the task statistics of the first discipline whose list the viewer can open. */
function useTaskNumbers() {
  const viewer = useViewer()
  const product = useProduct()
  const period = usePeriod()
  const found = disciplineNames.find((name) => pageFor(viewer, name, product) !== undefined)
  const discipline = found ?? 'development'
  const endpoint = taskNumbers[discipline]
  const asked = { query: { product_id: product, today: period.to, period: period.id } }
  const query = useQuery({
    ...queryOptionsFor(endpoint, asked),
    enabled: found !== undefined,
    meta: followsWrites,
  })
  useChanged(disciplineOf(discipline).type, found === undefined ? [] : [endpoint])
  const addressOf = (filters: object) =>
    `${pageFor(viewer, discipline, product)}?${toQueryString({ ...filters })}`
  return { may: found !== undefined, viewer, query, period, addressOf }
}

/** Tasks that were delivered during the period. */
export function TasksDeliveredTile() {
  const { may, query, period, addressOf } = useTaskNumbers()
  if (!may) return null
  return (
    <TileOf name="Tasks delivered" query={query}>
      {({ delivered: { total, before, parts } }) => ({
        value: total,
        detail: periodText(period.id),
        change: changeOf(total, before, beforeText(period), 'more'),
        series: parts,
        to: addressOf(tasksCounted.delivered(period)),
      })}
    </TileOf>
  )
}

/** Tasks that were delivered in each of the last weeks. */
export function TasksPerWeekCard() {
  const { may, query, addressOf } = useTaskNumbers()
  if (!may) return null
  return (
    <BarsChart
      id="tasks-per-week"
      title="Tasks delivered"
      about="per week"
      query={query}
      chart={(numbers) => chartOf(numbers, addressOf)}
      empty={{
        title: 'No tasks delivered in the last weeks',
        text: 'Tasks will appear here in the week they are delivered.',
      }}
    />
  )
}

function chartOf(
  { weeks, delivered_per_week }: TaskNumbers,
  addressOf: (filters: object) => string,
): ChartData {
  const deliveredIn = (days: Days) => addressOf(tasksCounted.delivered(days))
  return {
    unit: 'Week of',
    points: weeks.map((week, index) => ({
      name: dayText(week).slice(0, -5),
      fullName: dayText(week),
      values: [delivered_per_week[index]!],
    })),
    series: [
      {
        name: 'Delivered',
        color: toneColor('green'),
        to: deliveredIn({ from: weeks[0]!, to: weekFrom(weeks.at(-1)!).to }),
      },
    ],
    addressOf: (point) => deliveredIn(weekFrom(weeks[point]!)),
  }
}

interface OwnProps {
  name: string
  number: keyof TaskNumbers['own']
  detail?: string
}

/** A number of the viewer's own tasks, for the roles that work on tasks. */
function OwnTile({ name, number, detail }: OwnProps) {
  const { may, viewer, query, period, addressOf } = useTaskNumbers()
  if (!may || !viewer || !taskRoles.includes(viewer.role_id)) return null
  return (
    <TileOf name={name} query={query}>
      {({ own }) => ({
        value: own[number],
        detail,
        to: addressOf(tasksCounted[number](viewer.id, period.to)),
      })}
    </TileOf>
  )
}

/** The viewer's open tasks that are due today or in the six days after it. */
export const DueThisWeekTile = () => (
  <OwnTile name="Due this week" number="week" detail={`until ${dayText(addDays(useToday(), 6))}`} />
)
export const OverdueTasksTile = () => <OwnTile name="Overdue" number="overdue" />
export const InReviewTile = () => <OwnTile name="In review" number="in_review" />
