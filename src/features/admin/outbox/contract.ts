import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { MailRow, mailState } from '#shared/mails.ts'
import { pageNumber } from '#shared/page.ts'

export const outboxPerPage = 50
/** Emails and recipients are counted up to this number. */
export const mostCounted = 10_000

export const OutboxFilters = z.object({ page: pageNumber.default(1), state: mailState.optional() })

export const outbox = {
  list: endpoint({
    method: 'GET',
    path: '/admin/outbox',
    summary:
      'List emails sent from the panel, newest first, 50 per page, optionally filtered by recipient status.',
    access: adminsOnly,
    query: OutboxFilters,
    response: z.object({
      data: z.array(MailRow),
      total: z.number().int(),
      per_page: z.number().int(),
      /** Number of recipients by status, at most 10,000 each. */
      counts: z.record(mailState, z.number().int()),
      /** Whether an SMTP server is configured; without one, emails wait. */
      is_on: z.boolean(),
    }),
  }),
}
