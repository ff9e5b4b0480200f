import { useState, type DragEvent, type ReactNode } from 'react'
import { dayText, weekday, type PlainDate } from '#shared/dates.ts'
import type { CalendarView } from '#web/calendar/CalendarBar.tsx'
import classes from '#web/calendar/calendar.module.css'
import { isWeekend } from '#web/calendar/days.ts'
import { today } from '#web/time.ts'

/** Calendar items of one kind by day, such as tasks or demos. Layers are stacked in the given order. */
export type Layer = (day: PlainDate) => readonly ReactNode[]

/** Builds a layer from items by day; items without a day are left out. */
export function layerOf<Item>(
  items: readonly Item[],
  dayOf: (item: Item) => PlainDate | null,
  show: (item: Item, day: PlainDate) => ReactNode,
): Layer {
  const byDay = Map.groupBy(items, dayOf)
  return (day) => byDay.get(day)?.map((item) => show(item, day)) ?? []
}

/** Maximum number of items shown per day; pages do not need to load more. */
export const maxItemsPerDay = { month: 4, week: 30, agenda: 70 } as const

interface Props {
  view: CalendarView
  label: string
  days: readonly PlainDate[]
  /** Each item of a layer must be an `<li>`. */
  layers: readonly Layer[]
  /** Returns the total number of items on a day, if the layers do not contain all of them. */
  totalOf?: (day: PlainDate) => number
  /** Non-working days besides weekends. */
  holidays: readonly { day: string; name: string }[]
  /** The month shown, such as `2026-03`; days of other months are dimmed. */
  month?: string | undefined
  isBusy?: boolean
  /** Day that an item is currently over during a keyboard drag. */
  heldDay?: PlainDate | undefined
  /** Items that can be dropped on a day: their data type and the drop handler. */
  drop?: { type: string; onDrop: (event: DragEvent, day: PlainDate) => void }
  /** Called to show all of a day's items when there is not enough room for them. */
  onMore: (day: PlainDate) => void
}

/**
 * A grid of days with their items: the weeks of a month, a single week, or a list that leaves out empty days.
 */
export function DayGrid({ view, label, days, layers, totalOf, holidays, isBusy, ...rest }: Props) {
  const shown = days.map((day) => {
    const items = layers.flatMap((layer) => layer(day))
    return {
      day,
      items,
      total: Math.max(totalOf?.(day) ?? 0, items.length),
      holiday: holidays.find((one) => one.day === day)?.name,
    }
  })
  return (
    <ol className={classes[view]} aria-label={label} aria-busy={isBusy}>
      {shown
        .filter(
          ({ day, total, holiday }) =>
            view !== 'agenda' || total > 0 || holiday !== undefined || day === today(),
        )
        .map((one) => (
          <Day key={one.day} {...one} {...rest} most={maxItemsPerDay[view]} />
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
      <h2
        className={classes.dayName}
        aria-label={`${weekday(day)}, ${dayText(day)}`}
        data-today={day === today() || undefined}
      >
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
