import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconClockPause from '@tabler/icons-react/dist/esm/icons/IconClockPause.mjs'
import type { TicketRow } from '#features/crm/support/contract.ts'
import { clockKinds } from '#features/crm/support/rules.ts'
import { durationText } from '#web/report/durations.ts'
import classes from '#features/crm/support/web/support.module.css'
import { fullTime } from '#web/time.ts'
import { useMinute } from '#web/useMinute.ts'

interface Props {
  ticket: Pick<TicketRow, 'target_kind' | 'target_due_at' | 'target_seconds_left'>
  /** Whether the text says which target it is; otherwise the tooltip does. */
  isNamed?: boolean
  /** Whether the text is short, as in a row; then the tooltip has the rest, too. */
  isShort?: boolean
}

/** The service target of a ticket that ends first: how much time is left, or by how much it was missed. */
export function TargetClock({ ticket, isNamed = false, isShort = false }: Props) {
  const now = useMinute()
  const { target_kind: kind, target_due_at: due, target_seconds_left: paused } = ticket
  const left = due === null ? paused : (Date.parse(due) - now) / 1000
  if (kind === null || left === null) return null
  const Icon = due === null ? IconClockPause : IconClock
  const name = clockKinds[kind]
  const words = left < 0 ? `Overdue by ${durationText(-left)}` : `${durationText(left)} left`
  const short = left < 0 ? 'Overdue' : durationText(left)
  const state =
    due === null ? `${name}: paused while waiting, ${words}` : `${name} due ${fullTime(due)}, ${words}`
  return (
    <span className={classes.clock} data-missed={left < 0 || undefined} title={state}>
      <Icon size={13} aria-hidden />
      {isNamed && `${name}: `}
      {isShort ? short : words}
      {due === null && ', paused'}
    </span>
  )
}
