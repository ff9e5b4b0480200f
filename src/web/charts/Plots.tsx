import { useState, type CSSProperties, type ReactNode } from 'react'
import { useElementSize } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { shortNumber } from '#shared/money.ts'
import type { ChartData } from '#web/charts/charts.tsx'
import classes from '#web/charts/charts.module.css'
import { labelStep, ticksUpTo } from '#web/charts/plot.ts'

/*
 * Plots are drawn by our own code: a chart of the library took a quarter of a second on a slow computer
 * (docs/decisions/016-libraries-and-our-own-code.md).
 */

const height = 168
const left = 34
const room = { top: 8, bottom: 26, right: 6 }
const bottom = height - room.bottom
const widestBar = 34

interface Frame {
  /** Width of a point's part of the plot. */
  step: number
  xOf: (point: number) => number
  yOf: (value: number) => number
}

interface FramedProps {
  data: ChartData
  /** Highest value of the axis, before it is rounded up. */
  most: number
  children: (frame: Frame) => ReactNode
}

/** The axes, the grid, and the values of the point under the pointer. */
function Framed({ data, most, children }: FramedProps) {
  const { ref, width } = useElementSize()
  const [pointed, setPointed] = useState<number>()
  const ticks = ticksUpTo(most)
  const top = ticks.at(-1)!
  const step = Math.max(0, width - left - room.right) / data.points.length
  const every = labelStep(step)
  const frame: Frame = {
    step,
    xOf: (point) => left + step * (point + 0.5),
    yOf: (value) => bottom - (value / top) * (bottom - room.top),
  }
  return (
    <div ref={ref} className={classes.plot} onMouseLeave={() => setPointed(undefined)}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          className={classes.svg}
          aria-hidden
        >
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={left} x2={width - room.right} y1={frame.yOf(tick)} y2={frame.yOf(tick)} />
              <text x={left - 8} y={frame.yOf(tick) + 4} textAnchor="end">
                {shortNumber(tick)}
              </text>
            </g>
          ))}
          {data.points.map(
            ({ name }, point) =>
              point % every === 0 && (
                <text key={name} x={frame.xOf(point)} y={height - 6} textAnchor="middle">
                  {name}
                </text>
              ),
          )}
          {data.points.map(({ name }, point) => (
            <rect
              key={name}
              className={classes.column}
              x={left + step * point}
              y={room.top}
              width={step}
              height={bottom - room.top}
              onMouseEnter={() => setPointed(point)}
            />
          ))}
          {children(frame)}
        </svg>
      )}
      {pointed !== undefined && <Values data={data} point={pointed} x={frame.xOf(pointed)} width={width} />}
    </div>
  )
}

interface ValuesProps {
  data: ChartData
  point: number
  x: number
  width: number
}

/** The values of a point, beside it. */
function Values({ data, point, x, width }: ValuesProps) {
  const { fullName, values } = data.points[point]!
  const place: CSSProperties = x < width / 2 ? { left: x + 12 } : { right: width - x + 12 }
  return (
    <div className={classes.values} style={place} aria-hidden>
      <strong>{fullName}</strong>
      {data.series.map(({ name, color }, index) => (
        <span key={name}>
          <i style={{ background: color }} />
          {name} <b>{values[index]!.toLocaleString('en-US')}</b>
        </span>
      ))}
    </div>
  )
}

/** The lines of a chart. */
export function AreasPlot({ data }: { data: ChartData }) {
  const most = Math.max(...data.points.flatMap(({ values }) => values))
  return (
    <Framed data={data} most={most}>
      {({ xOf, yOf }) =>
        data.series.map(({ name, color, isDashed }, index) => {
          const line = data.points.map(({ values }, point) => `${xOf(point)},${yOf(values[index]!)}`)
          const ends = [`${xOf(data.points.length - 1)},${bottom}`, `${xOf(0)},${bottom}`]
          return (
            <g key={name} className={classes.lines}>
              {index === 0 && (
                <polygon points={[...line, ...ends].join(' ')} style={{ fill: color }} fillOpacity={0.1} />
              )}
              <polyline
                points={line.join(' ')}
                style={{ stroke: color }}
                {...(isDashed && { strokeDasharray: '5 4' })}
              />
            </g>
          )
        })
      }
    </Framed>
  )
}

/** The stacked bars of a chart; a click on one opens the records that it counts. */
export function BarsPlot({ data }: { data: ChartData }) {
  const most = Math.max(...data.points.map(({ values }) => values.reduce((sum, value) => sum + value, 0)))
  return (
    <Framed data={data} most={most}>
      {({ step, xOf, yOf }) =>
        data.points.map(({ values }, point) => {
          const width = Math.min(widestBar, step * 0.8)
          const below = (index: number) => values.slice(0, index).reduce((sum, value) => sum + value, 0)
          return values.map((_value, index) => (
            <Bar
              key={data.series[index]!.name}
              {...{ data, point, index, width, x: xOf(point) - width / 2 }}
              top={yOf(below(index + 1))}
              foot={yOf(below(index))}
            />
          ))
        })
      }
    </Framed>
  )
}

/** The bars of a chart with those of a point beside each other; a click on one opens the records that it counts. */
export function GroupedBarsPlot({ data }: { data: ChartData }) {
  const most = Math.max(...data.points.flatMap(({ values }) => values))
  return (
    <Framed data={data} most={most}>
      {({ step, xOf, yOf }) =>
        data.points.map(({ values }, point) => {
          const width = Math.min(widestBar, (step * 0.8) / values.length)
          return values.map((value, index) => (
            <Bar
              key={data.series[index]!.name}
              {...{ data, point, index, width, x: xOf(point) + (index - values.length / 2) * width }}
              top={yOf(value)}
              foot={bottom}
            />
          ))
        })
      }
    </Framed>
  )
}

interface BarProps {
  data: ChartData
  point: number
  /** Place of the series. */
  index: number
  x: number
  width: number
  top: number
  foot: number
}

/** The bar of a value. */
function Bar({ data, point, index, x, width, top, foot }: BarProps) {
  const router = useRouter()
  const { name, color } = data.series[index]!
  const value = data.points[point]!.values[index]!
  const to = data.addressOf?.(point, index)
  if (value <= 0) return null
  return (
    <rect
      className={classes.bar}
      data-opens={to !== undefined || undefined}
      {...{ x, y: top, width, height: foot - top }}
      style={{ fill: color }}
      onClick={() => to !== undefined && void router.navigate({ to })}
    >
      <title>{`${name}: ${value.toLocaleString('en-US')}`}</title>
    </rect>
  )
}
