import { Suspense, useRef, useState } from 'react'
import { dayText, type PlainDate } from '#shared/dates.ts'
import classes from '#web/dates/dates.module.css'
import { rangePresets, type RangePreset } from '#web/dates/presets.ts'
import { SelectButton } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const RangePopup = lazyPart(() => import('#web/dates/RangePopup.tsx'))

interface Props {
  label: string
  from: PlainDate | undefined
  to: PlainDate | undefined
  /** By default, the periods that lists are filtered by. */
  presetsOf?: (today: PlainDate) => readonly RangePreset[]
  /** Whether a period is always chosen, so that there is no choice of all days. */
  isRequired?: boolean
  onChange: (from: PlainDate | undefined, to: PlainDate | undefined) => void
}

/** Formats a range of days, which can be open on either side: `19 Oct 2026 – 18 Nov 2026`, `from 19 Oct 2026`. */
export function rangeText(from: PlainDate | undefined, to: PlainDate | undefined): string {
  if (from && to) return from === to ? dayText(from) : `${dayText(from)} – ${dayText(to)}`
  return from ? `from ${dayText(from)}` : to ? `to ${dayText(to)}` : ''
}

/** A button with a range of days; its click opens presets, a calendar, and fields to type the dates. */
export function DateRangeField({
  label,
  from,
  to,
  presetsOf = rangePresets,
  isRequired = false,
  onChange,
}: Props) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLSpanElement>(null)
  const close = () => {
    setOpen(false)
    root.current?.querySelector('button')?.focus()
  }
  return (
    <span ref={root} className={classes.frame}>
      <SelectButton label={label} onClick={() => setOpen(!isOpen)}>
        {rangeText(from, to) || `${label}: any`}
      </SelectButton>
      {isOpen && (
        <Suspense>
          <RangePopup
            label={label}
            from={from}
            to={to}
            field={root}
            presetsOf={presetsOf}
            isRequired={isRequired}
            onChange={onChange}
            onClose={close}
            onLeave={() => setOpen(false)}
          />
        </Suspense>
      )}
    </span>
  )
}
