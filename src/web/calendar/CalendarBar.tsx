import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import classes from '#web/calendar/calendar.module.css'

interface Props {
  /** The range of days shown, such as `16 Mar 2026 – 22 Mar 2026` or `March 2026`. */
  range: string
  isToday: boolean
  /** Moves one page of days backward or forward; 0 returns to today. */
  onStep: (way: -1 | 0 | 1) => void
  children?: ReactNode
}

/** Toolbar of a calendar: the range of days shown, and buttons for moving to other days. */
export function CalendarBar({ range, isToday, onStep, children }: Props) {
  return (
    <div className={classes.bar}>
      <Button.Group>
        <Button size="xs" variant="default" onClick={() => onStep(-1)}>
          Earlier
        </Button>
        <Button size="xs" variant="default" disabled={isToday} onClick={() => onStep(0)}>
          Today
        </Button>
        <Button size="xs" variant="default" onClick={() => onStep(1)}>
          Later
        </Button>
      </Button.Group>
      <p className={classes.range} aria-live="polite">
        {range}
      </p>
      {children}
    </div>
  )
}

const viewNames = { agenda: 'Agenda', week: 'Week', month: 'Month' } as const
export type CalendarView = keyof typeof viewNames

/** Control for switching among the month, week, and agenda views, in the order that the page specifies. */
export function ViewSwitch({
  views,
  view,
  onChoose,
}: {
  views: readonly CalendarView[]
  view: CalendarView
  onChoose: (view: CalendarView) => void
}) {
  return (
    <Button.Group>
      {views.map((one) => (
        <Button
          key={one}
          size="xs"
          variant={view === one ? 'light' : 'default'}
          aria-pressed={view === one}
          onClick={() => onChoose(one)}
        >
          {viewNames[one]}
        </Button>
      ))}
    </Button.Group>
  )
}
