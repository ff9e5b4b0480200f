import { dayText } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import classes from '#features/crm/leads/demos/web/Demos.module.css'
import { browserTimeZone } from '#web/time.ts'

/** A time in the viewer's time zone and, if different, in the lead's. */
export function DemoTime({ at, zone, timeOnly = false }: { at: string; zone: string; timeOnly?: boolean }) {
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
