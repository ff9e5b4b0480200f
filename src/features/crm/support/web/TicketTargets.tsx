import type { Ticket } from '#features/crm/support/contract.ts'
import { clockKinds } from '#features/crm/support/rules.ts'
import classes from '#features/crm/support/web/support.module.css'
import { TargetClock } from '#features/crm/support/web/TargetClock.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { Facts } from '#web/record/Facts.tsx'
import { hoursText } from '#web/report/durations.ts'
import { fullTime } from '#web/time.ts'

/** A ticket's service targets: those that run with the time left, and those that ended with the time they took. */
export const TicketTargets = ({ ticket: { targets } }: { ticket: Pick<Ticket, 'targets'> }) =>
  targets.length > 0 && (
    <Facts
      title="Service targets"
      facts={targets.map((target) => ({
        name: clockKinds[target.kind],
        value: <TargetState target={target} />,
      }))}
    />
  )

function TargetState({ target }: { target: Ticket['targets'][number] }) {
  const { kind, minutes, due_at, seconds_left, ended_at } = target
  if (ended_at === null || seconds_left === null)
    return (
      <TargetClock ticket={{ target_kind: kind, target_due_at: due_at, target_seconds_left: seconds_left }} />
    )
  return (
    <span className={classes.target} title={`Ended ${fullTime(ended_at)}`}>
      {hoursText(minutes * 60 - seconds_left)}
      <Soft as="span">of {hoursText(minutes * 60)}</Soft>
      <Tone tone={seconds_left < 0 ? 'red' : 'green'}>{seconds_left < 0 ? 'Missed' : 'Met'}</Tone>
    </span>
  )
}
