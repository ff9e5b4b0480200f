import {
  startTransition,
  Suspense,
  useEffect,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
  type RefObject,
} from 'react'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import { CatchBoundary } from '@tanstack/react-router'
import { ChartTable } from '#web/charts/ChartTable.tsx'
import classes from '#web/charts/charts.module.css'
import { DashboardCard } from '#web/dashboard/DashboardCard.tsx'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { IconButton } from '#web/parts/controls.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

// In one file with the library of both, so that a page with both requests it once.
const BarsPlot = lazyPart(() => import('#web/charts/Plots.tsx'), 'BarsPlot')
const GroupedBarsPlot = lazyPart(() => import('#web/charts/Plots.tsx'), 'GroupedBarsPlot')
const AreasPlot = lazyPart(() => import('#web/charts/Plots.tsx'), 'AreasPlot')

export interface ChartSeries {
  name: string
  /** A CSS color. */
  color: string
  /** Drawn as a dashed line, so that color alone doesn't tell it from the others. */
  isDashed?: boolean
  /** Shown in the legend; by default the sum of the points. */
  total?: string
  /** Address of the series' records. */
  to?: string
}

export interface ChartData {
  /** Name of a point, such as `Week of`, for the table. */
  unit: string
  /** Name of a point on the axis, its name in the table, and its value in each series. */
  points: readonly { name: string; fullName: string; values: readonly number[] }[]
  series: readonly ChartSeries[]
  /** Returns the address of the records that a value counts. */
  addressOf?: (point: number, series: number) => string | undefined
}

interface Query<Data> {
  data: Data | undefined
  error: unknown
  isLoading: boolean
  refetch: () => unknown
}

interface Props<Data> {
  /** ID of the title. */
  id: string
  title: string
  /** More about the content, such as `by week created`. */
  about?: string
  /** Product or period, at the end of the title's line. */
  scope?: ReactNode
  /** A button beside the one that shows the chart as a table. */
  action?: ReactNode
  query: Query<Data>
  chart: (data: Data) => ChartData
  /** Shown if all values are 0. */
  empty: { title: string; text: string }
}

/** Stacked bars of several series. */
export const BarsChart = <Data,>(props: Props<Data>) => <Chart {...props} Plot={BarsPlot} />

/** Bars of several series beside each other. */
export const GroupedBarsChart = <Data,>(props: Props<Data>) => <Chart {...props} Plot={GroupedBarsPlot} />

/** Lines of several series; the area below the first one is filled. */
export const AreasChart = <Data,>(props: Props<Data>) => <Chart {...props} Plot={AreasPlot} />

interface ChartProps<Data> extends Props<Data> {
  Plot: ComponentType<{ data: ChartData }>
}

function Chart<Data>({ id, title, about, scope, action, query, chart, empty, Plot }: ChartProps<Data>) {
  const [asTable, setAsTable] = useState(false)
  const data = query.data === undefined ? undefined : chart(query.data)
  const isEmpty = data?.points.every(({ values }) => values.every((value) => value === 0))
  return (
    <DashboardCard
      id={id}
      title={title}
      about={about}
      total={scope}
      action={
        data &&
        !isEmpty && (
          <>
            {action}
            <IconButton
              bare
              label={`Show as table: ${title}`}
              aria-pressed={asTable}
              onClick={() => setAsTable(!asTable)}
            >
              <IconTable size={16} aria-hidden />
            </IconButton>
          </>
        )
      }
    >
      <Loaded query={query} what={title} skeleton={<ChartSkeleton />}>
        {() =>
          !data || isEmpty ? (
            <EmptyState title={empty.title}>{empty.text}</EmptyState>
          ) : asTable ? (
            <ChartTable title={title} data={data} />
          ) : (
            <Plotted title={title} data={data} Plot={Plot} onLost={() => setAsTable(true)} />
          )
        }
      </Loaded>
    </DashboardCard>
  )
}

interface PlottedProps {
  title: string
  data: ChartData
  Plot: ComponentType<{ data: ChartData }>
  /** Called if the plot's code can't be loaded. */
  onLost: () => void
}

/** The plot with its legend. */
function Plotted({ title, data, Plot, onLost }: PlottedProps) {
  const frame = useRef<HTMLDivElement>(null)
  const isNear = useNearby(frame)
  const room = <div className={classes.plot} />
  return (
    <>
      <CatchBoundary getResetKey={() => title} onCatch={onLost} errorComponent={Nothing}>
        <div ref={frame} role="img" aria-label={summaryOf(title, data)}>
          <Suspense fallback={room}>{isNear ? <Plot data={data} /> : room}</Suspense>
        </div>
      </CatchBoundary>
      <Legend data={data} />
    </>
  )
}

/** Plots are drawn when they are about to be seen and the browser is idle: drawing all of them blocks the page. */
function useNearby(frame: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (isNear || !frame.current) return
    const draw = () => startTransition(() => setNear(true))
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        // Safari has no requestIdleCallback.
        if ('requestIdleCallback' in globalThis) requestIdleCallback(draw, { timeout: 2000 })
        else setTimeout(draw)
      },
      { rootMargin: '100px' },
    )
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [isNear, frame])
  return isNear
}

const Nothing = () => null

const ChartSkeleton = () => <div className={classes.skeleton} role="status" aria-label="Loading…" />

const totalOf = ({ points, series }: ChartData, index: number): string =>
  series[index]!.total ?? points.reduce((sum, { values }) => sum + values[index]!, 0).toLocaleString('en-US')

/** Returns what a chart shows in one sentence, for screen readers; the table has the details. */
function summaryOf(title: string, data: ChartData): string {
  const [first, last] = [data.points[0]!, data.points.at(-1)!]
  const totals = data.series.map(({ name }, index) => `${name} ${totalOf(data, index)}`)
  return `${title}, ${first.fullName} to ${last.fullName}: ${totals.join(', ')}`
}

const Legend = ({ data }: { data: ChartData }) => (
  <ul className={classes.legend}>
    {data.series.map(({ name, color, isDashed, to }, index) => {
      const parts = (
        <>
          {name}
          {isDashed && ' (dashed)'} <b>{totalOf(data, index)}</b>
        </>
      )
      return (
        <li key={name}>
          <i style={{ background: color }} aria-hidden />
          {to === undefined ? <span>{parts}</span> : <PageLink to={to}>{parts}</PageLink>}
        </li>
      )
    })}
  </ul>
)
