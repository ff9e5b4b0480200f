import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { appointments, type HostDay, type SessionConflict } from '#shared/appointments.contract.ts'
import type { PlainDate } from '#shared/dates.ts'
import { instantsShowing, wallTime } from '#shared/zones.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import classes from '#web/appointments/appointments.module.css'
import { nearestFreeStart } from '#web/appointments/freeTime.ts'
import type { WorkingHours } from '#web/appointments/HostDays.tsx'
import { hostsOf, spanOn, type Planned } from '#web/appointments/useHostDays.ts'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { browserTimeZone } from '#web/time.ts'

interface Props {
  planned: Planned
  at: string
  day: PlainDate
  hosts: readonly HostDay[]
  workingHours: WorkingHours | undefined
  /** Changes the scheduled time. */
  onMove: (at: string) => void
}

/**
 * Says which other sessions the hosts have at the time of a session, and offers the nearest time at which all of them
 * are free. It can be saved all the same.
 */
export function Conflicts(props: Props) {
  const { planned, at } = props
  const { of, isScheduled, minutes } = planned
  const params = { type: of.type, id: of.id }
  const may = useMay(appointments.conflicts, { params, query: { at } })
  const { data } = useQuery({
    ...queryOptionsFor(appointments.conflicts, {
      params,
      query: { at, minutes, ...hostsOf(planned) },
    }),
    enabled: may && isScheduled,
    placeholderData: keepPreviousData,
  })
  if (!isScheduled || !data?.data.length) return null
  const free = freeInstant(props)
  return (
    <div className={classes.conflicts}>
      <div role="status">
        {data.data.map((one) => (
          <p key={`${one.id} ${one.host}`}>
            {one.host} has {one.session ? <OtherSession {...one.session} /> : 'another session'} from{' '}
            {rangeOf(one)}.
          </p>
        ))}
      </div>
      {free !== undefined && (
        <Button size="compact-xs" variant="default" onClick={() => props.onMove(free)}>
          {`Move to ${timeOf(free)}`}
        </Button>
      )}
    </div>
  )
}

const OtherSession = ({
  type,
  companyName,
  record_type,
  record_id,
}: NonNullable<SessionConflict['session']>) => (
  <>
    “{type}” with <RecordLink type={record_type} id={record_id} name={companyName} />
  </>
)

const timeOf = (instant: number | string) => wallTime(new Date(instant), browserTimeZone()).time

function rangeOf({ at, minutes }: SessionConflict): string {
  const start = Date.parse(at)
  return `${timeOf(start)} to ${timeOf(start + minutes * 60_000)}`
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** Returns the nearest time in the working hours when all hosts are free; undefined if there is none. */
function freeInstant({ planned: { minutes }, at, day, hosts, workingHours }: Props): string | undefined {
  if (!workingHours) return undefined
  const now = wallTime(new Date(), browserTimeZone())
  if (day < now.day) return undefined
  const start = nearestFreeStart(
    { start: minutesOf(timeOf(at)), minutes },
    hosts.flatMap(({ busy }) => busy.flatMap((one) => spanOn(day, one) ?? [])),
    {
      from: Math.max(minutesOf(workingHours.start), day === now.day ? minutesOf(now.time) : 0),
      until: minutesOf(workingHours.end),
    },
  )
  if (start === undefined) return undefined
  const clock = `${String(Math.floor(start / 60)).padStart(2, '0')}:${String(start % 60).padStart(2, '0')}`
  return instantsShowing(day, clock, browserTimeZone())[0]
}
