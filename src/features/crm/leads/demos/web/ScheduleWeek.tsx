import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { demoStatuses, type DemoStatus } from '#shared/appointments.contract.ts'
import type { PlainDate } from '#shared/dates.ts'
import { panelSettings } from '#features/admin/settings/contract.ts'
import type { ScheduledDemo } from '#features/crm/leads/demos/contract.ts'
import { DemoTime } from '#features/crm/leads/demos/web/DemoTimes.tsx'
import classes from '#features/crm/leads/demos/web/Schedule.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { shortDay } from '#web/calendar/days.ts'
import { hoursOf, placeDay, rowMinutes, type Placed } from '#web/calendar/hours.ts'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { today, browserTimeZone } from '#web/time.ts'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'

/** Calendar of a week, with a column per day and a row per quarter hour, in the viewer's time zone. */
export function ScheduleWeek({
  days,
  demos,
}: {
  days: readonly PlainDate[]
  demos: readonly ScheduledDemo[]
}) {
  const placed = days.map((day) => placeDay(demos, day, browserTimeZone()))
  const { first, last } = hoursOf(
    placed.flat(),
    useQuery(queryOptionsFor(panelSettings.offered)).data?.data.working_hours,
  )
  const hours = Array.from({ length: last - first }, (_, index) => first + index)
  const rows = { '--rows': ((last - first) * 60) / rowMinutes } as CSSProperties
  return (
    <div className={classes.week} role="region" aria-label="Week" tabIndex={0} style={rows}>
      <div className={classes.hours} aria-hidden>
        <span className={classes.dayHead} />
        <div className={classes.hourNames}>
          {hours.map((hour) => (
            <span key={hour} style={{ gridRow: `${((hour - first) * 60) / rowMinutes + 1}` }}>
              {String(hour).padStart(2, '0')}:00
            </span>
          ))}
        </div>
      </div>
      {days.map((day, index) => (
        <section key={day} className={classes.day} aria-label={shortDay(day)}>
          <h2 className={classes.dayHead} data-today={day === today() || undefined}>
            {shortDay(day)}
          </h2>
          <div className={classes.dayRows}>
            {placed[index]!.map((one) => (
              <Session key={one.item.id} placed={one} firstHour={first} />
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

function Session({
  placed: { item: demo, start, length, lane, lanes },
  firstHour,
}: {
  placed: Placed<ScheduledDemo>
  firstHour: number
}) {
  const row = Math.floor((start - firstHour * 60) / rowMinutes) + 1
  return (
    <RecordLink
      type="lead"
      id={demo.lead_id}
      name={demo.companyName}
      className={classes.session}
      data-status={demo.status}
      title={`${demo.companyName}: ${demo.type}, ${demoStatuses[demo.status as DemoStatus]}`}
      style={{
        gridRow: `${row} / span ${Math.ceil(length / rowMinutes)}`,
        left: `${(lane / lanes) * 100}%`,
        width: `calc(${100 / lanes}% - 4px)`,
      }}
    >
      <DemoTime at={demo.at} zone={demo.timezone} timeOnly />
      <strong>{demo.companyName}</strong>
      <VisuallyHidden>{demoStatuses[demo.status as DemoStatus]}</VisuallyHidden>
    </RecordLink>
  )
}
