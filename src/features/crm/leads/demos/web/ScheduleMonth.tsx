import { useQuery } from '@tanstack/react-query'
import { demoStatuses, type DemoStatus } from '#shared/appointments.contract.ts'
import type { PlainDate } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import type { ScheduledDemo } from '#features/crm/leads/demos/contract.ts'
import classes from '#features/crm/leads/demos/web/Schedule.module.css'
import { LeadLink } from '#features/crm/leads/record/web/LeadLink.tsx'
import { holidays } from '#features/tasks/tasks/calendar/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { DayGrid, layerOf } from '#web/calendar/DayGrid.tsx'
import { browserTimeZone } from '#web/time.ts'
import { Soft } from '#web/parts/Soft.tsx'

interface Props {
  /** `2026-03`. */
  month: string
  days: readonly PlainDate[]
  demos: readonly ScheduledDemo[]
  onMore: (day: PlainDate) => void
}

/** Calendar of a month's demos in the viewer's time zone, with the holidays of the delivery calendars. */
export function ScheduleMonth({ month, days, demos, onMore }: Props) {
  const { data: free } = useQuery({ ...queryOptionsFor(holidays.all), staleTime: 60_000 })
  const layer = layerOf(
    demos,
    ({ at }) => wallTime(at, browserTimeZone()).day,
    (demo) => (
      <li
        key={demo.id}
        className={classes.inMonth}
        data-status={demo.status}
        title={`${demo.type}, ${demoStatuses[demo.status as DemoStatus]}`}
      >
        <Soft as="span">{wallTime(demo.at, browserTimeZone()).time}</Soft>
        <LeadLink lead={demo} className={classes.company} />
      </li>
    ),
  )
  return (
    <DayGrid
      view="month"
      label="Sessions by day"
      days={days}
      layers={[layer]}
      holidays={free?.data ?? []}
      month={month}
      onMore={onMore}
    />
  )
}
