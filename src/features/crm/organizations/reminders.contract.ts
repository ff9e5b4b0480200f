import { z } from 'zod'
import { anyOf, endpoint } from '#shared/endpoint.ts'
import { messageReply, recordId } from '#shared/schemas.ts'

export const organizationReminders = {
  reminders: endpoint({
    method: 'GET',
    path: '/admin/organization/reminders',
    shows: ['organization', 'onboarding', 'organization_reminder'],
    summary:
      'List the caller’s open reminders about trials that are ending and onboardings that are due, earliest first, up to 100.',
    access: anyOf('all_organization_list', 'onboarding_list'),
    response: z.object({
      data: z.array(
        z.object({
          id: z.number().int(),
          organization_id: z.number().int(),
          onboarding_id: z.number().int().nullable(),
          name: z.string(),
          due_on: z.string(),
        }),
      ),
    }),
  }),
  remindersDone: endpoint({
    method: 'POST',
    path: '/admin/organization/reminders/{id}',
    summary: 'Mark one of the caller’s reminders as done, or reopen it.',
    act: 'Updated a reminder',
    access: anyOf('all_organization_list', 'onboarding_list'),
    params: z.object({ id: recordId }),
    body: z.object({ done: z.boolean('This must be true or false.') }),
    response: messageReply,
  }),
}
