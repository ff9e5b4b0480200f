import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, isWebAddress, recordId, requiredText } from '#shared/fields.ts'

export const website = {
  check: endpoint({
    method: 'GET',
    writes: true,
    path: '/admin/users/check-leads-website-status',
    summary: "Asks whether somebody answers at a web address, and keeps it on the lead as its website's state: up or down, and when.",
    act: 'Website checked',
    access: 'lead_create_website',
    product: ['query.lead_for'],
    query: z.object({
      id: recordId,
      url: requiredText(2000).refine(isWebAddress, 'This is not a web address (http or https).'),
      lead_for: recordId.optional(),
    }),
    response: z.object({
      message: z.string(),
      data: z.object({ id: z.number().int(), url: z.string(), status: z.enum(['up', 'down']), checked_at: instant }),
    }),
  }),
}
