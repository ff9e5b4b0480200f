import { Suspense, useState } from 'react'
import IconClockPause from '@tabler/icons-react/dist/esm/icons/IconClockPause.mjs'
import type { PlainDate } from '#shared/dates.ts'
import { RowAction } from '#web/list/cells.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const DayMenu = lazyPart(() => import('#web/dates/DayMenu.tsx'), 'DayMenu')

/* Buttons of an item of My day. The keys `e` and `s` press those of the focused item. */

interface DoneProps {
  /** The item's title. */
  name: string
  disabled?: boolean
  onDone: () => void
}

export const DayDone = ({ name, disabled, onDone }: DoneProps) => (
  <RowAction data-act="done" disabled={disabled} aria-label={`Done: ${name}`} onClick={onDone}>
    Done
  </RowAction>
)

interface SnoozeProps {
  name: string
  day: PlainDate | null
  onSnooze: (day: PlainDate) => void
}

/** Button that moves an item to another day. */
export function DaySnooze({ name, day, onSnooze }: SnoozeProps) {
  const [wanted, setWanted] = useState(false)
  const label = `Snooze: ${name}`
  const button = (props: object) => (
    <RowAction
      data-act="snooze"
      data-icon
      aria-haspopup="dialog"
      aria-label={label}
      title="Snooze until"
      {...props}
    >
      <IconClockPause size={14} stroke={1.6} aria-hidden />
    </RowAction>
  )
  const closed = button({ onClick: () => setWanted(true) })
  if (!wanted) return closed
  return (
    <Suspense fallback={closed}>
      <DayMenu
        label={label}
        target={button}
        day={day}
        mayRemove={false}
        onChoose={(chosen: PlainDate | null) => {
          if (chosen !== null && chosen !== day) onSnooze(chosen)
        }}
      />
    </Suspense>
  )
}
