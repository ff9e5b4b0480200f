import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { DatePicker } from '@mantine/dates'
import '@mantine/dates/styles.css'
import { addDays, addMonths, dayText, isPlainDate, monthOf, type PlainDate } from '#shared/dates.ts'
import classes from '#web/dates/dates.module.css'
import { today } from '#web/time.ts'

interface Common {
  min?: PlainDate | undefined
  max?: PlainDate | undefined
  /** Whether the calendar takes the focus when it appears. */
  takesFocus?: boolean
}

interface Props extends Common {
  value: string
  onChoose: (day: PlainDate) => void
}

export type Range = [from: PlainDate | null, to: PlainDate | null]

interface RangeProps extends Common {
  value: Range
  months: number
  onChoose: (range: Range) => void
}

/** A month in which a day is chosen. Arrow keys move by days and weeks, Page Up and Page Down by months. */
export function Calendar({ value, onChoose, ...common }: Props) {
  const { frame, picker } = useMonths(common, isPlainDate(value) ? value : undefined, 1)
  return (
    <div {...frame}>
      <DatePicker
        {...picker}
        value={isPlainDate(value) ? value : null}
        onChange={(day) => day !== null && onChoose(day)}
      />
    </div>
  )
}

/** Months in which a first and a last day are chosen; the keys are those of `Calendar`. */
export function RangeCalendar({ value, months, onChoose, ...common }: RangeProps) {
  const { frame, picker } = useMonths(common, value[0] ?? value[1] ?? undefined, months)
  return (
    <div {...frame}>
      <DatePicker {...picker} type="range" allowSingleDateInRange value={value} onChange={onChoose} />
    </div>
  )
}

/** Returns the props that both calendars have: the months that are shown, and the keys. */
function useMonths({ min, max, takesFocus = false }: Common, chosen: PlainDate | undefined, months: number) {
  const root = useRef<HTMLDivElement>(null)
  const start = within(chosen ?? today(), min, max)
  const [shown, setShown] = useState(monthOf(start).first)
  useEffect(() => {
    if (takesFocus) root.current?.querySelector<HTMLElement>(`[data-date="${start}"]`)?.focus()
    // Only when the calendar appears.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  function moveByKey(event: KeyboardEvent<HTMLDivElement>): void {
    const day = (event.target as HTMLElement).dataset['date']
    const next = day === undefined ? undefined : dayByKey(event.key, day)
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const target = within(next, min, max)
    const last = monthOf(addMonths(shown, months - 1)).last
    if (target < shown) flushSync(() => setShown(monthOf(target).first))
    else if (target > last) flushSync(() => setShown(addMonths(monthOf(target).first, 1 - months)))
    root.current?.querySelector<HTMLElement>(`[data-date="${target}"]`)?.focus()
  }

  return {
    frame: { ref: root, className: classes.calendar, onKeyDownCapture: moveByKey },
    picker: {
      date: shown,
      onDateChange: (day: string) => setShown(monthOf(day).first),
      minDate: min,
      maxDate: max,
      numberOfColumns: months,
      columnsToScroll: 1,
      size: 'xs',
      highlightToday: true,
      hideOutsideDates: true,
      weekdayFormat: 'dd',
      monthLabelFormat: 'MMM YYYY',
      getDayProps: (day: string) => ({ 'data-date': day }),
      getDayAriaLabel: dayText,
      ariaLabels: {
        previousMonth: 'Previous month',
        nextMonth: 'Next month',
        previousYear: 'Previous year',
        nextYear: 'Next year',
        previousDecade: 'Previous decade',
        nextDecade: 'Next decade',
      },
    },
  } as const
}

function dayByKey(key: string, day: PlainDate): PlainDate | undefined {
  if (key === 'ArrowLeft') return addDays(day, -1)
  if (key === 'ArrowRight') return addDays(day, 1)
  if (key === 'ArrowUp') return addDays(day, -7)
  if (key === 'ArrowDown') return addDays(day, 7)
  if (key === 'PageUp') return addMonths(day, -1)
  if (key === 'PageDown') return addMonths(day, 1)
  if (key === 'Home') return monthOf(day).first
  return key === 'End' ? monthOf(day).last : undefined
}

const within = (day: PlainDate, min: PlainDate | undefined, max: PlainDate | undefined) =>
  min !== undefined && day < min ? min : max !== undefined && day > max ? max : day
