import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { recordId } from '#shared/schemas.ts'
import { MailRow, mailState, WholeMail } from '#shared/mails.ts'
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
  show: endpoint({
    method: 'GET',
    path: '/admin/outbox/{id}',
    summary: 'Get an email with its content and recipients.',
    access: adminsOnly,
    params: z.object({ id: recordId }),
    response: z.object({ data: WholeMail }),
  }),
  retry: endpoint({
    method: 'POST',
    path: '/admin/outbox/{id}/retry',
    summary: 'Retry an email immediately for its failed and queued recipients.',
    act: 'Retried an email',
    access: adminsOnly,
    params: z.object({ id: recordId }),
    response: z.object({ message: z.string(), data: WholeMail }),
  }),
}
