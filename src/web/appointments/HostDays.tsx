import type { CSSProperties } from 'react'
import type { BusyTime, HostDay } from '#shared/appointments.contract.ts'
import { dayText, type PlainDate } from '#shared/dates.ts'
import { instantAt, wallTime } from '#shared/zones.ts'
import classes from '#web/appointments/appointments.module.css'
import type { Span } from '#web/appointments/freeTime.ts'
import { spanOn, type Planned } from '#web/appointments/useHostDays.ts'
import { hoursOf } from '#web/calendar/hours.ts'
import { placeOf } from '#web/LocalTime.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'
import { useViewer } from '#web/session.ts'
import { browserTimeZone } from '#web/time.ts'

/** The working hours from the settings, as HH:MM. */
export interface WorkingHours {
  start: string
  end: string
}

interface Props {
  planned: Planned
  at: string
  day: PlainDate
  hosts: readonly HostDay[]
  workingHours: WorkingHours | undefined
}

/**
 * The day of each host as a bar, in the viewer's time zone: the working hours, the sessions that they have, and the
 * one that is planned. Below is the time of the customer.
 */
export function HostDays({ planned: { of, minutes }, at, day, hosts, workingHours }: Props) {
  const viewer = useViewer()
  const zone = browserTimeZone()
  const own = spanOn(day, { at, minutes })
  const busy = hosts.map((host) => placed(host.busy, day))
  const { first, last } = widened(
    hoursOf(
      [...busy.flat(), own].flatMap((one) => (one ? [{ start: one.start, length: one.minutes }] : [])),
      workingHours,
    ),
  )
  const hours = Array.from({ length: last - first }, (_, index) => first + index)
  const isWork = (time: string) =>
    !workingHours || (time >= workingHours.start.slice(0, 5) && time < workingHours.end.slice(0, 5))
  const here = hours.map((hour) => clockText(hour * 60))
  const there = here.map((time) => wallTime(instantAt(day, time, zone), of.timezone).time)
  if (hosts.length === 0)
    return <Soft small>No one leads this session yet. Choose who does to see their day.</Soft>
  return (
    <div className={classes.days} role="group" aria-label={`Hosts on ${dayText(day)}`}>
      <Soft small>{`${dayText(day)}, times in ${zone}`}</Soft>
      <ul>
        {hosts.map(({ id, name }, index) => (
          <li key={id} className={classes.day}>
            <span className={classes.name}>{id === viewer?.id ? `${name} (you)` : name}</span>
            <VisuallyHidden>{busyWords(busy[index]!)}</VisuallyHidden>
            <Bar times={here} isWork={isWork} first={first} own={own} busy={busy[index]!} />
          </li>
        ))}
        {wallTime(at, zone).offset !== wallTime(at, of.timezone).offset && (
          <li className={classes.day} aria-hidden>
            <span className={classes.name} title={of.timezone}>
              {placeOf(of.timezone)}
            </span>
            <Bar times={there} isWork={isWork} first={first} own={own} busy={[]} />
          </li>
        )}
      </ul>
    </div>
  )
}

interface Busy extends Span {
  session: BusyTime['session']
}

const placed = (busy: readonly BusyTime[], day: PlainDate): Busy[] =>
  busy.flatMap((one) => {
    const span = spanOn(day, one)
    return span ? [{ ...span, session: one.session }] : []
  })

/** Adds an hour before and after, as far as the day has them. */
const widened = ({ first, last }: { first: number; last: number }) => ({
  first: Math.max(0, first - 1),
  last: Math.min(24, last + 1),
})

/** Formats minutes after midnight, such as `09:30`. */
const clockText = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

const rangeText = ({ start, minutes }: Span) => `${clockText(start)} to ${clockText(start + minutes)}`

const sessionText = ({ session }: Busy) =>
  session ? `“${session.type}” with ${session.companyName}` : 'another session'

const busyWords = (busy: readonly Busy[]) =>
  busy.length === 0
    ? 'No sessions.'
    : `Busy: ${busy.map((one) => `${rangeText(one)}, ${sessionText(one)}`).join('; ')}.`

interface BarProps {
  /** The time at the start of each hour. */
  times: readonly string[]
  isWork: (time: string) => boolean
  /** The hour at which the bar begins. */
  first: number
  own: Span | undefined
  busy: readonly Busy[]
}

function Bar({ times, isWork, first, own, busy }: BarProps) {
  const placeOnBar = ({ start, minutes }: Span) =>
    ({
      '--from': (start / 60 - first) / times.length,
      '--size': minutes / 60 / times.length,
    }) as CSSProperties
  return (
    <span className={classes.bar} aria-hidden>
      {times.map((time, index) => (
        <span key={index} data-work={isWork(time) || undefined}>
          {time.endsWith(':00') ? Number(time.slice(0, 2)) : time}
        </span>
      ))}
      {busy.map((one, index) => (
        <span
          key={`busy ${index}`}
          className={classes.busy}
          style={placeOnBar(one)}
          title={`${rangeText(one)}: ${sessionText(one)}`}
        />
      ))}
      {own && (
        <span className={classes.own} style={placeOnBar(own)} title={`${rangeText(own)}: this session`} />
      )}
    </span>
  )
}
