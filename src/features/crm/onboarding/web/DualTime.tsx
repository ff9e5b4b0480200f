import { dayText } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import { browserTimeZone } from '#web/time.ts'

/** A time in the viewer's time zone and, if different, in the organization's. */
export function DualTime({ at, zone, timeOnly = false }: { at: string; zone: string; timeOnly?: boolean }) {
  const [here, there] = [wallTime(at, browserTimeZone()), wallTime(at, zone)]
  return (
    <time dateTime={at}>
      {timeOnly ? here.time : `${dayText(here.day)}, ${here.time}`}
      {here.offset !== there.offset &&
        ` (${here.day === there.day ? '' : `${dayText(there.day)}, `}${there.time} ${there.abbreviation})`}
    </time>
  )
}
