import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { plainDay, requiredText } from '#shared/schemas.ts'

const Holiday = z.object({ day: z.string(), name: z.string() })
export type Holiday = z.output<typeof Holiday>
export const HolidayInput = z.object({ day: plainDay, name: requiredText(100) })
const Changed = z.object({ message: z.string(), data: z.array(Holiday) })

/** Days without deliveries, shown on calendars. */
export const holidays = {
  all: endpoint({
    method: 'GET',
    path: '/admin/holidays',
    shows: ['holidays'],
    summary: 'List holidays by date.',
    access: 'signed-in',
    response: z.object({ data: z.array(Holiday) }),
  }),
  save: endpoint({
    method: 'POST',
    path: '/admin/holidays',
    summary: 'Add a holiday, or rename the one on that date.',
    act: 'Added a holiday',
    access: adminsOnly,
    body: HolidayInput,
    response: Changed,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/admin/holidays/{day}',
    summary: 'Remove a holiday.',
    act: 'Removed a holiday',
    access: adminsOnly,
    params: z.object({ day: plainDay }),
    response: Changed,
  }),
}
