import { useState, type DragEvent, type ReactNode } from 'react'
import type { PlainDate } from '#shared/dates.ts'
import type { CalendarView } from '#web/calendar/CalendarBar.tsx'
import classes from '#web/calendar/calendar.module.css'
import { isWeekend, weekday } from '#web/calendar/days.ts'
import { dayText, today } from '#web/time.ts'

/** One kind of thing on a calendar, by day: tasks, demos. Layers stand below each other in the order in which they are given. */
export type Layer = (day: PlainDate) => readonly ReactNode[]

/** What stands on each day; items without one are left out. */
export function layerOf<Item>(items: readonly Item[], dayOf: (item: Item) => PlainDate | null, show: (item: Item, day: PlainDate) => ReactNode): Layer {
  const byDay = Map.groupBy(items, dayOf)
  return (day) => byDay.get(day)?.map((item) => show(item, day)) ?? []
}

/** So many things of a day are shown; the page need not have more. */
export const mostADay = { month: 4, week: 30, agenda: 70 } as const

interface Props {
  view: CalendarView
  label: string
  days: readonly PlainDate[]
  /** Each of a layer is a `<li>`. */
  layers: readonly Layer[]
  /** How many things a day has, where the layers do not hold all of them. */
  totalOf?: (day: PlainDate) => number
  /** Days on which nobody works, besides weekends. */
  free: readonly { day: string; name: string }[]
  /** Of a month: `2026-03`; days of other months are paler. */
  month?: string | undefined
  isBusy?: boolean
  /** The day over which something is held by keys. */
  heldDay?: PlainDate | undefined
  /** What may be dropped on a day: its type of data, and what then happens. */
  drop?: { type: string; onDrop: (event: DragEvent, day: PlainDate) => void }
  /** Shows all of a day that has more than fit. */
  onMore: (day: PlainDate) => void
}

/** Days with what stands on them: as the weeks of a month, as one week, or one below the other, where days without anything are left out. */
export function DayGrid({ view, label, days, layers, totalOf, free, isBusy, ...rest }: Props) {
  const shown = days.map((day) => {
    const items = layers.flatMap((layer) => layer(day))
    return { day, items, total: Math.max(totalOf?.(day) ?? 0, items.length), holiday: free.find((one) => one.day === day)?.name }
  })
  return (
    <ol className={classes[view]} aria-label={label} aria-busy={isBusy}>
      {shown
        .filter(({ day, total, holiday }) => view !== 'agenda' || total > 0 || holiday !== undefined || day === today())
        .map((one) => (
          <Day key={one.day} {...one} {...rest} most={mostADay[view]} />
        ))}
    </ol>
  )
}

interface DayProps extends Pick<Props, 'month' | 'heldDay' | 'drop' | 'onMore'> {
  day: PlainDate
  items: readonly ReactNode[]
  total: number
  holiday: string | undefined
  most: number
}

function Day({ day, items, total, holiday, most, month, heldDay, drop, onMore }: DayProps) {
  const [isOver, setOver] = useState(false)
  const left = total - Math.min(items.length, most)
  return (
    <li
      className={classes.day}
      data-free={isWeekend(day) || holiday !== undefined || undefined}
      data-outside={(month !== undefined && !day.startsWith(month)) || undefined}
      data-over={isOver || heldDay === day || undefined}
      onDragOver={(event) => {
        if (!drop || !event.dataTransfer.types.includes(drop.type)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!drop) return
        event.preventDefault()
        setOver(false)
        drop.onDrop(event, day)
      }}
    >
      <h2 className={classes.dayName} aria-label={`${weekday(day)}, ${dayText(day)}`} data-today={day === today() || undefined}>
        <span className={classes.weekday}>{weekday(day).slice(0, 3)}</span> {Number(day.slice(8))}
        {holiday !== undefined && <span className={classes.holiday}>{holiday}</span>}
      </h2>
      <ul>{items.slice(0, most)}</ul>
      {left > 0 && (
        <button type="button" className={classes.more} onClick={() => onMore(day)}>
          {left} more
        </button>
      )}
    </li>
  )
}
