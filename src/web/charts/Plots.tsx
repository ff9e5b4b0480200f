import '@mantine/core/styles/ColorSwatch.css'
import '@mantine/charts/styles.css'
import { AreaChart, BarChart } from '@mantine/charts'
import { useRouter } from '@tanstack/react-router'
import type { ChartData } from '#web/charts/charts.tsx'
import classes from '#web/charts/charts.module.css'
import { frame, rowsOf, seriesOf } from '#web/charts/plot.ts'

/** The lines of a chart. */
export function AreasPlot({ data }: { data: ChartData }) {
  return (
    <AreaChart
      {...frame}
      className={classes.plot}
      data={rowsOf(data)}
      series={seriesOf(data).map((one, index) => ({
        ...one,
        ...(data.series[index]!.isDashed && { strokeDasharray: '5 4' }),
      }))}
      curveType="linear"
      withGradient={false}
      withDots={false}
      strokeWidth={2}
      areaProps={({ name }) => ({ isAnimationActive: false, fillOpacity: name === '0' ? 0.1 : 0 })}
      areaChartProps={{ accessibilityLayer: false }}
    />
  )
}

/** The bars of a chart; a click on one opens the records that it counts. */
export function BarsPlot({ data }: { data: ChartData }) {
  const router = useRouter()
  return (
    <BarChart
      {...frame}
      className={classes.plot}
      type="stacked"
      data={rowsOf(data)}
      series={seriesOf(data)}
      maxBarWidth={34}
      barProps={({ name }) => ({
        isAnimationActive: false,
        stroke: 'var(--surface)',
        fillOpacity: 0.82,
        ...(data.addressOf && {
          cursor: 'pointer',
          onClick: (_bar: unknown, point: number) => {
            const to = data.addressOf?.(point, Number(name))
            if (to !== undefined) void router.navigate({ to })
          },
        }),
      })}
      barChartProps={{ accessibilityLayer: false }}
    />
  )
}
