import { useQuery } from '@tanstack/react-query'
import { demoStatuses } from '#shared/appointments.contract.ts'
import type { PlainDate } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import classes from '#features/crm/schedule/web/Schedule.module.css'
import type { ScheduleEntry } from '#features/crm/schedule/web/scheduleEntry.ts'
import { useProductName } from '#features/crm/schedule/web/useProductName.ts'
import { holidays } from '#features/tasks/tasks/calendar/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { DayGrid, layerOf } from '#web/calendar/DayGrid.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { browserTimeZone } from '#web/time.ts'

interface Props {
  /** `2026-03`. */
  month: string
  days: readonly PlainDate[]
  entries: readonly ScheduleEntry[]
  onMore: (day: PlainDate) => void
}

/** Calendar of a month's entries in the viewer's time zone, with the holidays of the delivery calendars. */
export function ScheduleMonth({ month, days, entries, onMore }: Props) {
  const { data: free } = useQuery({ ...queryOptionsFor(holidays.all), staleTime: 60_000 })
  const layer = layerOf(
    entries,
    ({ at }) => wallTime(at, browserTimeZone()).day,
    (entry) => <Entry key={entry.key} entry={entry} />,
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

function Entry({ entry }: { entry: ScheduleEntry }) {
  const product = useProductName(entry.product)
  return (
    <li
      className={classes.inMonth}
      data-status={entry.status}
      title={[entry.name, demoStatuses[entry.status], product].filter(Boolean).join(', ')}
    >
      <Soft as="span">{wallTime(entry.at, browserTimeZone()).time}</Soft>
      <RecordLink {...entry.record} name={entry.company} className={classes.company} />
      {product && <span className={classes.product}>{product}</span>}
    </li>
  )
}
