import { addDays, dayText } from '#shared/dates.ts'
import { periodText, weekFrom, type Days } from '#shared/trend.ts'
import { tasksCounted, type TaskNumbers } from '#features/tasks/tasks/numbers.contract.ts'
import { taskRoles } from '#features/tasks/tasks/rules.ts'
import { useTaskNumbers } from '#features/tasks/tasks/web/useTaskNumbers.ts'
import { BarsChart, type ChartData } from '#web/charts/charts.tsx'
import { toneColor } from '#web/theme.ts'
import { changeOf, TileOf } from '#web/tile/Tile.tsx'
import { useToday } from '#web/time.ts'

/** Tasks that were delivered during the period. */
export function TasksDeliveredTile() {
  const { may, query, period, addressOf } = useTaskNumbers()
  if (!may) return null
  return (
    <TileOf name="Tasks delivered" query={query}>
      {({ delivered: { total, before, parts } }) => ({
        value: total,
        detail: periodText(period.id),
        change: changeOf(total, before, 'before', 'more'),
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

/** The past of these numbers isn’t kept. */
const ofToday = 'as of today'

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
export const OverdueTasksTile = () => <OwnTile name="Overdue" number="overdue" detail={ofToday} />
export const InReviewTile = () => <OwnTile name="In review" number="in_review" detail={ofToday} />
