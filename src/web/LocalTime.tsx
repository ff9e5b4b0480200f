import { wallTime, zoneText } from '#shared/zones.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { browserTimeZone } from '#web/time.ts'
import { useMinute } from '#web/useMinute.ts'

/** Returns where a time zone is, such as `in Halifax`, or `US/Eastern` if its name has no city. */
export const placeOf = (zone: string): string => {
  const city = zone.startsWith('US/') ? undefined : zone.split('/').slice(1).at(-1)
  return city === undefined ? zone : `in ${city.replaceAll('_', ' ')}`
}

/** The time now in a place and, if it differs, here: `09:42 in Halifax · 14:42 here`. */
export function LocalTime({ zone }: { zone: string }) {
  const now = new Date(useMinute())
  const [there, here] = [wallTime(now, zone), wallTime(now, browserTimeZone())]
  return (
    <span title={zoneText(zone, there)}>
      <b>{there.time}</b> {placeOf(zone)}
      {there.offset !== here.offset && <Soft as="span"> · {here.time} here</Soft>}
    </span>
  )
}
