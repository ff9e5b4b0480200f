import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, recordId, webAddress } from '#shared/schemas.ts'

export const website = {
  check: endpoint({
    method: 'GET',
    writes: true,
    path: '/admin/users/check-leads-website-status',
    summary: 'Check whether a website responds, and save the result (up or down) and the time on the lead.',
    act: 'Checked website',
    access: 'lead_create_website',
    product: ['query.lead_for'],
    query: z.object({
      id: recordId,
      url: webAddress,
      lead_for: recordId.optional(),
    }),
    response: z.object({
      message: z.string(),
      data: z.object({
        id: z.number().int(),
        url: z.string(),
        status: z.enum(['up', 'down']),
        checked_at: instant,
      }),
    }),
  }),
}
