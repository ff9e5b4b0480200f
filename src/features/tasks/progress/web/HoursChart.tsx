import { useQuery } from '@tanstack/react-query'
import { dayText } from '#shared/dates.ts'
import { progress } from '#features/tasks/progress/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { BarsChart, type ChartData } from '#web/charts/charts.tsx'

/** Colors for the people charted individually, followed by one shared color for everyone else. */
const colors = [
  'accent-5',
  'teal-6',
  'orange-6',
  'grape-6',
  'cyan-6',
  'pink-6',
  'lime-7',
  'yellow-6',
  'gray-5',
]

interface Hours {
  people: { key: string; name: string }[]
  data: { day: string; key: string; hours: number }[]
}

/** Chart of hours by day, with each person's share in a separate color. */
export default function HoursChart({ filters }: { filters: Record<string, unknown> }) {
  return (
    <BarsChart
      id="hours-by-day"
      title="Hours by day"
      query={useQuery(queryOptionsFor(progress.chart, { query: filters }))}
      chart={chartOf}
      empty={{
        title: 'No hours',
        text: 'Hours that match the filters will appear here on the day of the work.',
      }}
    />
  )
}

const chartOf = ({ people, data }: Hours): ChartData => ({
  unit: 'Day',
  points: [...Map.groupBy(data, ({ day }) => day)].map(([day, parts]) => ({
    name: dayText(day).slice(0, -5),
    fullName: dayText(day),
    values: people.map(({ key }) => parts.find((one) => one.key === key)?.hours ?? 0),
  })),
  series: people.map(({ name }, index) => ({
    name,
    color: `var(--mantine-color-${colors[index] ?? 'gray-5'})`,
  })),
})
