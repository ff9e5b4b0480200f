import { useState, type RefObject } from 'react'
import { isPlainDate, type PlainDate } from '#shared/dates.ts'
import { RangeCalendar, type Range } from '#web/dates/Calendar.tsx'
import { DateField } from '#web/dates/DateField.tsx'
import { DatePopup } from '#web/dates/DatePopup.tsx'
import classes from '#web/dates/dates.module.css'
import type { RangePreset } from '#web/dates/presets.ts'
import { usePhone } from '#web/list/usePhone.ts'
import { today } from '#web/time.ts'

interface Props {
  label: string
  from: PlainDate | undefined
  to: PlainDate | undefined
  field: RefObject<HTMLElement | null>
  presetsOf: (today: PlainDate) => readonly RangePreset[]
  /** Whether a period is always chosen, so that there is no choice of all days. */
  isRequired: boolean
  onChange: (from: PlainDate | undefined, to: PlainDate | undefined) => void
  onClose: () => void
  onLeave: () => void
}

/** The presets, the calendar, and the typed dates of a range. A preset or a second day applies the range. */
export default function RangePopup({
  label,
  from,
  to,
  field,
  presetsOf,
  isRequired,
  onChange,
  onClose,
  onLeave,
}: Props) {
  const isPhone = usePhone()
  const [days, setDays] = useState<Range>([from ?? null, to ?? null])
  const [typed, setTyped] = useState({ from: from ?? '', to: to ?? '' })

  function apply(first: string, last: string): void {
    const [start, end] = first && last && first > last ? [last, first] : [first, last]
    setTyped({ from: start, to: end })
    setDays([start || null, end || null])
    if (start !== (from ?? '') || end !== (to ?? '')) onChange(start || undefined, end || undefined)
  }
  function applyTyped(): void {
    if ([typed.from, typed.to].every((day) => day === '' || isPlainDate(day))) apply(typed.from, typed.to)
  }
  const typedField = (end: 'from' | 'to') => (
    <DateField
      label={end === 'from' ? 'From' : 'To'}
      value={typed[end]}
      withoutCalendar
      onChange={(value) => setTyped({ ...typed, [end]: value })}
      onLeave={applyTyped}
      onKeyDown={(event) => {
        if (event.key === 'Enter') applyTyped()
      }}
    />
  )
  const finish = (first: string, last: string) => {
    apply(first, last)
    onClose()
  }

  return (
    <DatePopup label={label} trapsFocus field={field} onClose={onClose} onLeave={onLeave}>
      <div className={classes.range}>
        <div className={classes.presets}>
          {presetsOf(today()).map(([words, first, last]) => (
            <button
              key={words}
              type="button"
              aria-pressed={first === from && last === to}
              onClick={() => finish(first, last)}
            >
              {words}
            </button>
          ))}
          {!isRequired && (
            <button type="button" aria-pressed={!from && !to} onClick={() => finish('', '')}>
              All
            </button>
          )}
        </div>
        <div>
          <RangeCalendar
            value={days}
            months={isPhone ? 1 : 2}
            takesFocus
            onChoose={([first, last]) => {
              setDays([first, last])
              if (first && last) finish(first, last)
            }}
          />
          <div className={classes.typed}>
            {typedField('from')}
            {typedField('to')}
          </div>
        </div>
      </div>
    </DatePopup>
  )
}
