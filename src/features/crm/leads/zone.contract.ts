import { z } from 'zod'
import { anyOf, endpoint } from '#shared/endpoint.ts'
import { text } from '#shared/schemas.ts'

export const leadZone = {
  find: endpoint({
    method: 'GET',
    path: '/admin/users/lead-time-zone',
    summary:
      'Get the time zone that a new lead with this phone number and country has if its request names none.',
    access: anyOf('lead_create', 'lead_edit'),
    query: z.object({ phone: text(60).default(''), country: text(80).default('') }),
    response: z.object({
      data: z.object({
        timezone: z.string(),
        /** The source: the phone number, the country, or else the caller’s time zone. */
        from: z.enum(['phone', 'country', 'caller']),
        /** The country, or the area code of a number in the US or Canada; empty for the caller’s. */
        place: z.string(),
      }),
    }),
  }),
}
