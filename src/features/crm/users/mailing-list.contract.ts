import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { LeftOut } from '#shared/mails.ts'
import { recordIds } from '#shared/record.contract.ts'
import { messageReply, recordId } from '#shared/schemas.ts'
import { Sent, UserMail } from '#features/crm/users/emails.contract.ts'

/** A user or an organization on a mailing list. */
export const MailingListEntry = z.object({
  id: z.number().int(),
  user_id: z.number().int().nullable(),
  organization_id: z.number().int().nullable(),
  name: z.string(),
  /** Number of users that the entry covers. */
  users: z.number().int(),
})
export type MailingListEntry = z.output<typeof MailingListEntry>

const MailingListReply = z.object({
  data: z.array(MailingListEntry),
  /** How many users would receive an email now; `left_out` lists those who would not. */
  count: z.number().int(),
  left_out: LeftOut,
  left_out_total: z.number().int(),
})

const ofProduct = { product_id: recordId.optional() }

export const mailingList = {
  senders: endpoint({
    method: 'GET',
    path: '/admin/users/senders',
    shows: ['mail_senders'],
    summary:
      'Get the caller’s mailing list of users and organizations, including which of them would receive an email now.',
    access: 'all_organization_email',
    product: ['query.product_id'],
    query: z.object(ofProduct),
    response: MailingListReply,
  }),
  saveSender: endpoint({
    method: 'POST',
    path: '/admin/users/save-sender',
    summary: 'Add users and organizations to the caller’s mailing list, or remove entries.',
    act: 'Changed mailing list',
    access: 'all_organization_email',
    product: ['body.product_id'],
    body: z.object({
      user_ids: recordIds.optional(),
      org_ids: recordIds.optional(),
      remove_sender_ids: recordIds.optional(),
      ...ofProduct,
    }),
    response: messageReply.extend({ total: z.number().int() }),
  }),
  sendBulkEmail: endpoint({
    method: 'POST',
    path: '/admin/users/send-bulk-email',
    summary:
      'Send an email to everyone on the caller’s mailing list. It can be canceled for a minute. Returns 422 if there are no recipients.',
    act: 'Sent a bulk email',
    access: 'all_organization_email',
    product: ['body.product_id'],
    body: UserMail.extend(ofProduct),
    response: Sent,
  }),
  testBulkEmail: endpoint({
    method: 'POST',
    path: '/admin/users/send-bulk-email/test',
    summary: 'Send a test email to the caller only.',
    act: 'Sent a test email',
    access: 'all_organization_email',
    body: UserMail,
    response: messageReply,
  }),
}
