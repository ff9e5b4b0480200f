import { useQuery } from '@tanstack/react-query'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import { wallTime } from '#shared/zones.ts'
import { panelSettings } from '#features/admin/settings/contract.ts'
import classes from '#features/crm/leads/record/web/leadCells.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { workTime } from '#web/appointments/workTime.ts'
import { placeOf } from '#web/LocalTime.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useMinute } from '#web/useMinute.ts'

/** Returns the time in a place and, once the working hours are known, whether it is within them. */
function useTimeIn(zone: string) {
  const now = new Date(useMinute())
  const hours = useQuery(queryOptionsFor(panelSettings.offered)).data?.data.working_hours
  return { time: wallTime(now, zone).time, work: hours && workTime(now, zone, hours) }
}

/** The time now where a lead is, with a moon outside working hours. */
export function LeadTime({ zone }: { zone: string }) {
  const { time, work } = useTimeIn(zone)
  return (
    <span className={classes.time} title={zone}>
      {work?.isOpen === false && (
        <span role="img" aria-label="Outside working hours" title={work.words}>
          <IconMoon size={13} stroke={1.5} aria-hidden />
        </span>
      )}
      {`${time} ${placeOf(zone)}`}
    </span>
  )
}

/** The same, with when the working hours end or begin. */
export function LeadHours({ zone }: { zone: string }) {
  const { work } = useTimeIn(zone)
  return (
    <>
      <LeadTime zone={zone} />
      {work && <Soft small>{work.words}</Soft>}
    </>
  )
}

/** When the working hours where a lead is begin, outside them. */
export function OpensLater({ zone }: { zone: string }) {
  const { work } = useTimeIn(zone)
  return work?.isOpen === false ? `, ${work.words[0]!.toLowerCase()}${work.words.slice(1)}` : null
}
