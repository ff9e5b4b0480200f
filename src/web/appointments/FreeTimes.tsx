import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { freeTimes } from '#shared/free-times.contract.ts'
import { dayText, weekday } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import classes from '#web/appointments/appointments.module.css'
import { hostsOf, type Planned } from '#web/appointments/useHostDays.ts'
import { placeOf } from '#web/LocalTime.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { browserTimeZone } from '#web/time.ts'

interface Props {
  planned: Planned
  /** Changes the scheduled time. */
  onMove: (at: string) => void
}

/** Proposes the next times at which all hosts are free in working hours; a click takes one. */
export function FreeTimes({ planned, onMove }: Props) {
  const { of, at, minutes, isDone } = planned
  const timezone = browserTimeZone()
  const params = { type: of.type, id: of.id }
  const query = {
    ...(at !== undefined && { after: at }),
    minutes,
    timezone,
    customer_timezone: of.timezone,
    ...hostsOf(planned),
  }
  const may = useMay(freeTimes.list, { params, query })
  const { data } = useQuery({
    ...queryOptionsFor(freeTimes.list, { params, query }),
    enabled: may && !isDone,
    placeholderData: keepPreviousData,
  })
  if (isDone || !data?.data.length) return null
  const isElsewhere = data.data.some(
    (one) => wallTime(one, timezone).offset !== wallTime(one, of.timezone).offset,
  )
  const place = placeOf(of.timezone).replace(/^in /, '')
  const hours = isElsewhere
    ? data.in_both
      ? `working hours here and in ${place}`
      : `working hours in ${place}`
    : 'working hours'
  return (
    <div className={classes.free} role="group" aria-label="Free times" tabIndex={-1}>
      {data.data.map((one) => (
        <Button
          key={one}
          size="compact-xs"
          variant="default"
          title={isElsewhere ? `${wallTime(one, of.timezone).time} in ${place}` : undefined}
          onClick={({ currentTarget }) => {
            // The times after it follow, so its button goes; the form keeps the focus.
            currentTarget.parentElement?.focus()
            onMove(one)
          }}
        >
          {momentText(one, timezone)}
          {isElsewhere && <Soft as="span">{`\u00a0· ${wallTime(one, of.timezone).time}`}</Soft>}
        </Button>
      ))}
      <Soft small>{`All hosts are free, in ${hours}.`}</Soft>
    </div>
  )
}

/** Formats a time, such as `Thu 26 Nov, 16:30`. */
function momentText(instant: string, zone: string): string {
  const { day, time } = wallTime(instant, zone)
  return `${weekday(day).slice(0, 3)} ${dayText(day).slice(0, -5)}, ${time}`
}
