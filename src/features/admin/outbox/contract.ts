import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { instant, recordId } from '#shared/fields.ts'
import { pageNumber } from '#shared/page.ts'

export const outboxPerPage = 50

export const mailStates = { waiting: 'Waiting', sending: 'Sending', sent: 'Sent', failed: 'Failed' } as const
export type MailState = keyof typeof mailStates
export const mailTones: Record<MailState, string> = { waiting: 'yellow', sending: 'blue', sent: 'green', failed: 'red' }
const stateNames = Object.keys(mailStates) as [MailState, ...MailState[]]

/** Where a mail stands for one of those it goes to. */
export const Recipient = z.object({
  address: z.string(),
  state: z.enum(stateNames),
  attempts: z.number().int(),
  next_try_at: instant,
  last_error: z.string().nullable(),
  sent_at: instant.nullable(),
})

export const MailRow = z.object({
  id: z.number().int(),
  kind: z.string(),
  subject: z.string(),
  created_at: instant,
  /** Whose act it was. */
  who: z.string().nullable(),
  lead_id: z.number().int().nullable(),
  recipients: z.array(Recipient),
})
export type MailRow = z.output<typeof MailRow>

export const WholeMail = MailRow.extend({
  from: z.string().nullable(),
  reply_to: z.string().nullable(),
  message_id: z.string(),
  html: z.string(),
  text: z.string(),
})
export type WholeMail = z.output<typeof WholeMail>

export const OutboxFilters = z.object({ page: pageNumber.default(1), state: z.enum(stateNames).optional() })

export const outbox = {
  list: endpoint({
    method: 'GET',
    path: '/admin/outbox',
    summary: 'The mails that the panel sends, newest first, fifty to a page; with a state, those that have a recipient in it.',
    access: adminsOnly,
    query: OutboxFilters,
    response: z.object({
      data: z.array(MailRow),
      total: z.number().int(),
      per_page: z.number().int(),
      /** Recipients by state. */
      counts: z.record(z.enum(stateNames), z.number().int()),
      /** Whether there is an SMTP server; without one, mails wait. */
      is_on: z.boolean(),
    }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/outbox/{id}',
    summary: 'One mail as it goes out.',
    access: adminsOnly,
    params: z.object({ id: recordId }),
    response: z.object({ data: WholeMail }),
  }),
  retry: endpoint({
    method: 'POST',
    path: '/admin/outbox/{id}/retry',
    summary: 'Tries a mail again now, for those to whom it failed or who wait.',
    access: adminsOnly,
    params: z.object({ id: recordId }),
    response: z.object({ message: z.string(), data: WholeMail }),
  }),
}
