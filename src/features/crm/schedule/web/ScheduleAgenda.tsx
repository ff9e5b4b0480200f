import { Button } from '@mantine/core'
import { demoStatuses, demoTones } from '#shared/appointments.contract.ts'
import type { PlainDate } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import classes from '#features/crm/schedule/web/Schedule.module.css'
import type { ScheduleEntry } from '#features/crm/schedule/web/scheduleEntry.ts'
import { useProductName } from '#features/crm/schedule/web/useProductName.ts'
import { longDay } from '#web/calendar/days.ts'
import { DualTime } from '#web/DualTime.tsx'
import { EmptyState } from '#web/list/states.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { today, browserTimeZone } from '#web/time.ts'

interface Props {
  days: readonly PlainDate[]
  entries: readonly ScheduleEntry[]
  /** Says where entries are added. */
  hint: string
  onLater: () => void
  /** Shows the entries of everyone; undefined if they are shown. */
  onTeam: (() => void) | undefined
}

/** Agenda of the entries by day, without empty days. */
export function ScheduleAgenda({ days, entries, hint, onLater, onTeam }: Props) {
  const byDay = Map.groupBy(entries, ({ at }) => wallTime(at, browserTimeZone()).day)
  const shown = days.flatMap((day) => (byDay.has(day) ? [{ day, entries: byDay.get(day)! }] : []))
  if (shown.length === 0)
    return (
      <EmptyState
        title="No sessions in this period"
        action={
          <>
            <Button size="xs" variant="default" onClick={onLater}>
              Show later dates
            </Button>
            {onTeam && (
              <Button size="xs" variant="default" onClick={onTeam}>
                Show the team’s sessions
              </Button>
            )}
          </>
        }
      >
        {onTeam ? 'Only sessions that you host or whose record is assigned to you are shown.' : hint}
      </EmptyState>
    )
  return (
    <ol className={classes.agenda}>
      {shown.map((one) => (
        <li key={one.day}>
          <h2 className={classes.dayName} data-today={one.day === today() || undefined}>
            {longDay(one.day)}
          </h2>
          <ol className={classes.ofDay}>
            {one.entries.map((entry) => (
              <Entry key={entry.key} entry={entry} />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  )
}

function Entry({ entry }: { entry: ScheduleEntry }) {
  const product = useProductName(entry.product)
  return (
    <li className={classes.entry}>
      <span className={classes.when}>
        <DualTime at={entry.at} zone={entry.timezone} timeOnly />
      </span>
      <span className={classes.who}>
        <RecordLink {...entry.record} name={entry.company} className={classes.company} />
        {entry.contact && <Soft as="span">{entry.contact}</Soft>}
        {product && <Soft as="span">{product}</Soft>}
      </span>
      <Soft as="span">{entry.name}</Soft>
      <Tone tone={demoTones[entry.status]}>{demoStatuses[entry.status]}</Tone>
      <Soft as="span">{entry.led_by ?? 'Unassigned'}</Soft>
    </li>
  )
}
