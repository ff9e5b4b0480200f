import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { messageReply, recordId } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'

/* A user's due follow-ups: docs/product.md#reminders. */

export const Reminder = z.object({
  id: z.number().int(),
  lead_id: z.number().int(),
  companyName: z.string(),
  contactName: z.string(),
  lead_for: z.number().int(),
  due_on: z.string(),
})
export type Reminder = z.output<typeof Reminder>

export const reminders = {
  list: endpoint({
    method: 'GET',
    path: '/admin/users/lead-reminders',
    shows: ['leads', 'reminder'],
    summary: 'List the caller’s open reminders for due follow-ups, earliest first, 20 per page.',
    access: 'lead_list',
    query: z.object({ page: pageNumber.default(1) }),
    response: z.object({ data: z.array(Reminder), total: z.number().int(), per_page: z.number().int() }),
  }),
  mark: endpoint({
    method: 'POST',
    path: '/admin/users/lead-reminders/{id}',
    summary: 'Mark one of the caller’s reminders as done, or reopen it.',
    act: 'Updated a reminder',
    access: 'lead_list',
    params: z.object({ id: recordId }),
    body: z.object({ done: z.boolean('This must be true or false.') }),
    response: messageReply,
  }),
}
