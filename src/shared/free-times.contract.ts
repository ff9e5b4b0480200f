import { z } from 'zod'
import { bySchedule, sessionHosts, sessionLength, sessionParams } from '#shared/appointments.contract.ts'
import { endpoint } from '#shared/endpoint.ts'
import { instant } from '#shared/schemas.ts'
import { defaultZone, zoneName } from '#shared/zones.ts'

/* Apart from the other appointments, because only the form of a session needs it. */

export const freeTimes = {
  list: endpoint({
    method: 'GET',
    path: '/admin/appointments/{type}/{id}/free',
    shows: ['leads', 'onboarding', 'appointments'],
    summary:
      'List up to three coming times at which all hosts of a session are free, in the working hours of the customer’s and of the caller’s time zone.',
    access: bySchedule,
    params: sessionParams,
    query: sessionHosts.extend({
      /** By default, now. */
      after: instant.optional(),
      minutes: sessionLength,
      /** The caller's. */
      timezone: zoneName.default(defaultZone),
      customer_timezone: zoneName.default(defaultZone),
    }),
    response: z.object({
      data: z.array(instant),
      /** Whether they are also in the working hours of the caller's time zone; if these have none in common, they aren't. */
      in_both: z.boolean(),
    }),
  }),
}
