import type { Ref, RefObject } from 'react'
import { Button } from '@mantine/core'
import type { PlainDate } from '#shared/dates.ts'
import { Calendar } from '#web/dates/Calendar.tsx'
import { DatePopup } from '#web/dates/DatePopup.tsx'
import classes from '#web/dates/dates.module.css'
import { daysAhead } from '#web/dates/presets.ts'
import { today } from '#web/time.ts'

interface Props {
  ref: Ref<HTMLDivElement>
  value: string
  min: PlainDate | undefined
  max: PlainDate | undefined
  ahead: boolean
  mayClear: boolean
  takesFocus: boolean
  field: RefObject<HTMLElement | null>
  /** Called with the chosen day, or with an empty string for no date. */
  onChoose: (day: string) => void
  onClose: () => void
  onLeave: () => void
}

/** The calendar of a date field, with its presets. */
export default function CalendarPopup(props: Props) {
  const { ref, value, min, max, ahead, mayClear, takesFocus, field, onChoose, onClose, onLeave } = props
  const offered = ahead
    ? daysAhead(today()).filter(([, day]) => !(min && day < min) && !(max && day > max))
    : []
  return (
    <DatePopup
      label="Calendar"
      ref={ref}
      trapsFocus={takesFocus}
      field={field}
      onClose={onClose}
      onLeave={onLeave}
    >
      {offered.length > 0 && (
        <div className={classes.quick}>
          {offered.map(([label, day]) => (
            <Button key={label} size="compact-xs" variant="default" onClick={() => onChoose(day)}>
              {label}
            </Button>
          ))}
        </div>
      )}
      <Calendar value={value} min={min} max={max} takesFocus={takesFocus} onChoose={onChoose} />
      {mayClear && value !== '' && (
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onChoose('')}>
          Clear date
        </Button>
      )}
    </DatePopup>
  )
}
