import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { Sum } from '#features/tasks/progress/contract.ts'
import { dayText } from '#web/time.ts'

/** Hours a day. */
export default function HoursChart({ sums }: { sums: readonly Sum[] }) {
  return (
    <BarChart
      h={180}
      data={sums.map(({ name, hours }) => ({ day: dayText(name), Hours: hours }))}
      dataKey="day"
      series={[{ name: 'Hours', color: 'accent.5' }]}
      barProps={{ isAnimationActive: false }}
    />
  )
}
