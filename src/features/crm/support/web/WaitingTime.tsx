import IconHourglass from '@tabler/icons-react/dist/esm/icons/IconHourglass.mjs'
import type { Ticket } from '#features/crm/support/contract.ts'
import { restingStatuses } from '#features/crm/support/rules.ts'
import { durationText, roundToMinutes } from '#web/report/durations.ts'
import classes from '#features/crm/support/web/support.module.css'
import { fullTime } from '#web/time.ts'
import { useMinute } from '#web/useMinute.ts'

interface Props {
  ticket: Pick<Ticket, 'status' | 'messages'>
  /** Whether the text is short, as beside a service target. */
  isShort?: boolean
}

/** How long the customer has been waiting for a reply: since the first message that none has followed. */
export function WaitingTime({ ticket: { status, messages }, isShort = false }: Props) {
  const now = useMinute()
  const since = messages[messages.findLastIndex((message) => message.sent_by_admin) + 1]
  if (!since || restingStatuses.includes(status)) return null
  // The current minute can begin before the message.
  const seconds = Math.max(0, (now - Date.parse(since.created_at)) / 1000)
  return (
    <span className={isShort ? classes.clock : classes.waiting} title={`Since ${fullTime(since.created_at)}`}>
      <IconHourglass size={13} stroke={1.75} aria-hidden />
      {roundToMinutes(seconds) === 0
        ? 'Waiting, just now'
        : `Waiting ${durationText(seconds)}${isShort ? '' : ' for a reply'}`}
    </span>
  )
}
