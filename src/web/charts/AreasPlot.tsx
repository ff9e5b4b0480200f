import '@mantine/core/styles/ColorSwatch.css'
import '@mantine/charts/styles.css'
import { AreaChart } from '@mantine/charts'
import type { ChartData } from '#web/charts/charts.tsx'
import classes from '#web/charts/charts.module.css'
import { frame, rowsOf, seriesOf } from '#web/charts/plot.ts'

/** The lines of a chart. */
export default function AreasPlot({ data }: { data: ChartData }) {
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
