import IconPresentation from '@tabler/icons-react/dist/esm/icons/IconPresentation.mjs'
import { addDays } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import { isHeldBy } from '#features/crm/leads/demos.rules.ts'
import { demos } from '#features/crm/leads/demos/contract.ts'
import { daySource } from '#web/dashboard/daySource.ts'
import { placeOf } from '#web/LocalTime.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { browserTimeZone } from '#web/time.ts'

/** The sessions of today and the next days with leads that are assigned to the viewer. */
export const sessionsOfDay = daySource({
  name: 'Sessions',
  icon: IconPresentation,
  endpoint: demos.schedule,
  input: ({ today }) => [{ query: { from: today, to: addDays(today, 6), timezone: browserTimeZone() } }],
  all: () => '/demo-leads/demo-leads-schedule?assigned_filter=mine&product_scope=all',
  read({ data }, { viewer }) {
    const own = data.filter((one) => isHeldBy(viewer.id, one) && !one.is_completed)
    return {
      total: own.length,
      items: own.map(({ id, at, type, lead_id, companyName, timezone }) => ({
        key: `session ${id}`,
        title: `${type} with ${companyName}`,
        detail: `${wallTime(at, timezone).time} ${placeOf(timezone)}`,
        when: { at },
        to: recordAddress('lead', lead_id, viewer, companyName),
      })),
    }
  },
})
