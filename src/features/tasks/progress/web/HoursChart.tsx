import { BarChart } from '@mantine/charts'
import '@mantine/core/styles/ColorSwatch.css'
import '@mantine/charts/styles.css'
import { useQuery } from '@tanstack/react-query'
import { dayText } from '#shared/dates.ts'
import { progress } from '#features/tasks/progress/contract.ts'
import classes from '#features/tasks/progress/web/progress.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { ErrorState } from '#web/list/states.tsx'

/** Colors for the people charted individually, followed by one shared color for everyone else. */
const colors = [
  'accent.5',
  'teal.6',
  'orange.6',
  'grape.6',
  'cyan.6',
  'pink.6',
  'lime.7',
  'yellow.6',
  'gray.5',
]

/** Chart of hours by day, with each person's share in a separate color. */
export default function HoursChart({ filters }: { filters: Record<string, unknown> }) {
  const { data: found, error, refetch } = useQuery(queryOptionsFor(progress.chart, { query: filters }))
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!found)
    return (
      <p role="status" className={classes.chart}>
        Loading…
      </p>
    )
  const days = Map.groupBy(found.data, ({ day }) => day)
  return (
    <BarChart
      h={220}
      type="stacked"
      withLegend
      data={[...days].map(([day, parts]) => ({
        day: dayText(day),
        ...Object.fromEntries(parts.map(({ key, hours }) => [key, hours])),
      }))}
      dataKey="day"
      series={found.people.map(({ key, name }, index) => ({
        name: key,
        label: name,
        color: colors[index] ?? 'gray.5',
      }))}
      barProps={{ isAnimationActive: false }}
    />
  )
}
