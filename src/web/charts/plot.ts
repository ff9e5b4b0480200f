import type { ChartData } from '#web/charts/charts.tsx'
import { shortNumber } from '#shared/money.ts'

/** The axes of all plots. */
export const frame = {
  dataKey: 'name',
  gridAxis: 'x',
  tickLine: 'none',
  strokeDasharray: '0',
  gridColor: 'var(--line-soft)',
  textColor: 'var(--text-soft)',
  xAxisProps: { interval: 'equidistantPreserveStart', minTickGap: 12 },
  yAxisProps: { width: 34, allowDecimals: false, tickFormatter: shortNumber },
} as const

/** Returns the points as the library takes them, with their values by the index of the series. */
export const rowsOf = ({ points }: ChartData) =>
  points.map(({ name, values }) => ({ name, ...Object.fromEntries(values.map((value, at) => [at, value])) }))

export const seriesOf = ({ series }: ChartData) =>
  series.map(({ name, color }, index) => ({ name: String(index), label: name, color }))
