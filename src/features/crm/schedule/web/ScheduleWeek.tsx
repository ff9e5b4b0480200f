import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { demoStatuses } from '#shared/appointments.contract.ts'
import type { PlainDate } from '#shared/dates.ts'
import { panelSettings } from '#features/admin/settings/contract.ts'
import classes from '#features/crm/schedule/web/Schedule.module.css'
import type { ScheduleEntry } from '#features/crm/schedule/web/scheduleEntry.ts'
import { useProductName } from '#features/crm/schedule/web/useProductName.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { shortDay } from '#web/calendar/days.ts'
import { hoursOf, placeDay, rowMinutes, type Placed } from '#web/calendar/hours.ts'
import { DualTime } from '#web/DualTime.tsx'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { today, browserTimeZone } from '#web/time.ts'

interface Props {
  days: readonly PlainDate[]
  entries: readonly ScheduleEntry[]
}

/** Calendar of a week, with a column per day and a row per quarter hour, in the viewer's time zone. */
export function ScheduleWeek({ days, entries }: Props) {
  const placed = days.map((day) => placeDay(entries, day, browserTimeZone()))
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
              <Session key={one.item.key} placed={one} firstHour={first} />
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

interface SessionProps {
  placed: Placed<ScheduleEntry>
  firstHour: number
}

function Session({ placed: { item: entry, start, length, lane, lanes }, firstHour }: SessionProps) {
  const product = useProductName(entry.product)
  const row = Math.floor((start - firstHour * 60) / rowMinutes) + 1
  return (
    <RecordLink
      {...entry.record}
      name={entry.company}
      className={classes.session}
      data-status={entry.status}
      title={[`${entry.company}: ${entry.name}`, demoStatuses[entry.status], product]
        .filter(Boolean)
        .join(', ')}
      style={{
        gridRow: `${row} / span ${Math.ceil(length / rowMinutes)}`,
        left: `${(lane / lanes) * 100}%`,
        width: `calc(${100 / lanes}% - 4px)`,
      }}
    >
      <DualTime at={entry.at} zone={entry.timezone} timeOnly />
      <strong>{entry.company}</strong>
      {product && <span className={classes.product}>{product}</span>}
      <VisuallyHidden>{demoStatuses[entry.status]}</VisuallyHidden>
    </RecordLink>
  )
}
