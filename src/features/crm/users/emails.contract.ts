import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { knownPlaceholders } from '#shared/placeholders.ts'
import { LeftOut } from '#shared/mails.ts'
import { recordIds } from '#shared/record.contract.ts'
import { requiredText, subjectLine } from '#shared/schemas.ts'

export const UserMail = z.object({
  subject: knownPlaceholders(subjectLine),
  note: knownPlaceholders(requiredText(10_000)),
})

export const Sent = z.object({
  message: z.string(),
  mail_id: z.number().int(),
  count: z.number().int(),
  left_out: LeftOut,
})

export const userEmails = {
  sendEmail: endpoint({
    method: 'POST',
    path: '/admin/users/send-email',
    summary:
      'Send an email to one or more users. It can be canceled for a minute. Excludes banned and unsubscribed users and users without an email address, and returns who was excluded and why.',
    act: 'Sent an email',
    access: 'all_organization_email',
    body: UserMail.extend({ user: recordIds }),
    response: Sent,
  }),
  emailRecipients: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/users/send-email/recipients',
    summary:
      'Count the given users who would receive an email now, and list those who wouldn’t, with the reason.',
    access: 'all_organization_email',
    body: z.object({ user: recordIds }),
    response: z.object({ count: z.number().int(), left_out: LeftOut, left_out_total: z.number().int() }),
  }),
  previewEmail: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/users/send-email/preview',
    summary: 'Preview an email to users as the caller would receive it.',
    access: 'all_organization_email',
    body: UserMail,
    response: z.object({ data: z.object({ subject: z.string(), html: z.string() }) }),
  }),
}
