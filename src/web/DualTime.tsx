import { dayText } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import classes from '#web/DualTime.module.css'
import { browserTimeZone } from '#web/time.ts'

interface Props {
  at: string
  /** The customer's time zone. */
  zone: string
  timeOnly?: boolean
}

/** A time in the viewer's time zone and, if different, in the customer's, which is named. */
export function DualTime({ at, zone, timeOnly = false }: Props) {
  const [here, there] = [wallTime(at, browserTimeZone()), wallTime(at, zone)]
  const words = ({ day, time }: typeof here) => (timeOnly ? time : `${dayText(day)}, ${time}`)
  if (here.offset === there.offset)
    return (
      <time dateTime={at}>
        {words(here)} {there.abbreviation}
      </time>
    )
  const elsewhere = here.day === there.day ? there.time : `${dayText(there.day)}, ${there.time}`
  return (
    <time dateTime={at}>
      {words(here)}{' '}
      <span className={classes.elsewhere} title={zone}>
        {elsewhere} {there.abbreviation}
      </span>
    </time>
  )
}
