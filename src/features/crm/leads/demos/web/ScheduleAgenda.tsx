import { Button } from '@mantine/core'
import { type DemoStatus, demoStatuses, demoTones } from '#shared/appointments.contract.ts'
import type { PlainDate } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import type { ScheduledDemo } from '#features/crm/leads/demos/contract.ts'
import { DemoTime } from '#features/crm/leads/demos/web/DemoTimes.tsx'
import { LeadLink } from '#features/crm/leads/record/web/LeadLink.tsx'
import classes from '#features/crm/leads/demos/web/Schedule.module.css'
import { longDay } from '#web/calendar/days.ts'
import { EmptyState } from '#web/list/states.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { today, browserTimeZone } from '#web/time.ts'
import { Soft } from '#web/parts/Soft.tsx'

interface Props {
  days: readonly PlainDate[]
  demos: readonly ScheduledDemo[]
  onLater: () => void
}

/** Agenda of the demos by day, without empty days. */
export function ScheduleAgenda({ days, demos, onLater }: Props) {
  const byDay = days
    .map((day) => ({ day, demos: demos.filter(({ at }) => wallTime(at, browserTimeZone()).day === day) }))
    .filter((one) => one.demos.length > 0)
  if (byDay.length === 0)
    return (
      <EmptyState
        title="No sessions in this period"
        action={
          <Button size="xs" variant="default" onClick={onLater}>
            Show later dates
          </Button>
        }
      >
        Add sessions from a lead’s page.
      </EmptyState>
    )
  return (
    <ol className={classes.agenda}>
      {byDay.map((one) => (
        <li key={one.day}>
          <h2 className={classes.dayName} data-today={one.day === today() || undefined}>
            {longDay(one.day)}
          </h2>
          <ol className={classes.ofDay}>
            {one.demos.map((demo) => (
              <li key={demo.id} className={classes.entry} data-done={demo.is_completed || undefined}>
                <span className={classes.when}>
                  <DemoTime at={demo.at} zone={demo.timezone} timeOnly />
                </span>
                <span className={classes.who}>
                  <LeadLink lead={demo} className={classes.company} />
                  {demo.contactName && <Soft as="span">{demo.contactName}</Soft>}
                </span>
                <Soft as="span">{demo.type}</Soft>
                <Tone tone={demoTones[demo.status as DemoStatus]}>
                  {demoStatuses[demo.status as DemoStatus]}
                </Tone>
                <Soft as="span">{demo.led_by ?? 'Unassigned'}</Soft>
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  )
}
