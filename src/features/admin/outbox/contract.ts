import { z } from 'zod'
import { emptyIsAbsent, instant, plainDay, recordId, text } from '#shared/schemas.ts'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { MailRow, mailState } from '#shared/mails.ts'
import { messageReply } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'

export const outboxPerPage = 50
/** Emails and recipients are counted up to this number. */
export const mostCounted = 10_000

const day = emptyIsAbsent(plainDay)
export const OutboxFilters = z.object({
  page: pageNumber.default(1),
  /** Words in the subject, or in the address or name of a recipient. */
  search: text(200).default(''),
  state: mailState.optional(),
  staff_id: recordId.optional(),
  from: day,
  to: day,
})
export type OutboxFilters = z.output<typeof OutboxFilters>

const MailServer = z.object({
  /** Host name; null if no SMTP server is configured, so that emails wait. */
  host: z.string().nullable(),
  last_sent_at: instant.nullable(),
  /** The last failed attempt to send one of the listed emails that wasn't sent since. */
  last_error: z.object({ at: instant, text: z.string(), mail_id: z.number().int() }).nullable(),
})
export type MailServer = z.output<typeof MailServer>

/** Emails that one request sends or discards; more remain for the next one. */
export const mostDecided = 500
/** Failed emails that are older are not retried together: their text may no longer be true. */
export const retriedDays = 7
const Decided = messageReply.extend({ count: z.number().int() })
const chosen = z.object({ ids: z.array(recordId).min(1).max(mostDecided).optional() })

export const outbox = {
  waiting: endpoint({
    method: 'GET',
    path: '/admin/outbox/waiting',
    shows: ['mails'],
    summary:
      'Count the emails that have waited for more than a day since before the mail server was set up. None of them is sent by itself.',
    access: adminsOnly,
    response: z.object({ count: z.number().int(), since: instant.nullable() }),
  }),
  sendWaiting: endpoint({
    method: 'POST',
    path: '/admin/outbox/waiting/send',
    summary: `Send the given waiting emails, or all of them, up to ${mostDecided}. Expired links are canceled instead.`,
    act: 'Sent waiting emails',
    access: adminsOnly,
    body: chosen,
    response: Decided,
  }),
  discardWaiting: endpoint({
    method: 'POST',
    path: '/admin/outbox/waiting/discard',
    summary: `Cancel the given waiting emails, or all of them, up to ${mostDecided}.`,
    act: 'Discarded waiting emails',
    access: adminsOnly,
    body: chosen,
    response: Decided,
  }),
  retryFailed: endpoint({
    method: 'POST',
    path: '/admin/outbox/failed/retry',
    summary: `Retry the emails of the last ${retriedDays} days that failed, up to ${mostDecided}, except for recipients whose address doesn’t exist.`,
    act: 'Retried failed emails',
    access: adminsOnly,
    body: z.object({}),
    response: Decided,
  }),

  list: endpoint({
    method: 'GET',
    path: '/admin/outbox',
    shows: ['mails'],
    summary:
      'List emails sent from the panel, newest first, 50 per page, with filters, counts by status, and the state of the mail server.',
    access: adminsOnly,
    query: OutboxFilters,
    response: z.object({
      data: z.array(MailRow),
      total: z.number().int(),
      per_page: z.number().int(),
      /** Number of recipients by status, at most 10,000 each. */
      counts: z.record(mailState, z.number().int()),
      server: MailServer,
    }),
  }),
}
