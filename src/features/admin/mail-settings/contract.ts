import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { MailRules } from '#shared/mail-rules.ts'
import { headerLine, instant, mailAddress, messageReply, recordId, text } from '#shared/schemas.ts'

/** Sender of a product's emails or, without a product, of all other emails. */
export const SenderChange = z.object({
  product_id: recordId.nullable(),
  /** If empty, the product's name. */
  name: headerLine(60),
  /** If empty, the address in MAIL_FROM. */
  address: z.union([z.literal(''), mailAddress]),
  color: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'Enter a color, such as #0f766e.'),
  signature: text(1000),
  footer: text(500),
  /** The version that the change is based on; 0 for a sender that was never changed. */
  version: z.number().int().min(0),
})
export type SenderChange = z.output<typeof SenderChange>

export const SenderRow = SenderChange.extend({ product: z.string().nullable() })
export type SenderRow = z.output<typeof SenderRow>

const Own = z.object({
  address: z.string(),
  /** Null until the link in the email was opened. */
  confirmed_at: instant.nullable(),
  /** Whether the domain is still in the settings. */
  allowed: z.boolean(),
})
const Senders = z.object({
  data: z.array(SenderRow),
  rules: MailRules,
  /** Address of senders without one. */
  default_address: z.string(),
  own: z.array(Own.extend({ staff_id: z.number().int(), name: z.string() })),
})
export type Senders = z.output<typeof Senders>

export const mailSettings = {
  senders: endpoint({
    method: 'GET',
    path: '/admin/mail-settings/senders',
    shows: ['settings'],
    summary: 'List the senders of the caller’s products, the rules for outgoing email, and own addresses.',
    access: adminsOnly,
    response: Senders,
  }),
  changeSender: endpoint({
    method: 'POST',
    path: '/admin/mail-settings/senders',
    summary: 'Update the name, address, color, signature, and footer of a product’s emails.',
    act: 'Changed a sender',
    access: adminsOnly,
    product: ['body.product_id'],
    body: SenderChange,
    response: messageReply.extend({ data: SenderRow }),
  }),
  changeRules: endpoint({
    method: 'POST',
    path: '/admin/mail-settings/rules',
    summary: 'Update how long emails are held for Undo send, and the domains of own addresses.',
    act: 'Changed email rules',
    access: adminsOnly,
    body: MailRules.partial(),
    response: messageReply.extend({ data: MailRules }),
  }),
}

export const ownAddress = {
  show: endpoint({
    method: 'GET',
    path: '/admin/own-address',
    shows: ['staff', 'mails'],
    summary: 'Get the caller’s own sending address, and the domains that are allowed.',
    access: 'signed-in',
    response: z.object({ data: Own.nullable(), domains: z.array(z.string()) }),
  }),
  set: endpoint({
    method: 'POST',
    path: '/admin/own-address',
    summary: 'Email a link that confirms the address that the caller wants to send from.',
    act: 'Requested an own address',
    access: 'signed-in',
    body: z.object({ address: mailAddress }),
    response: messageReply.extend({ data: Own.nullable() }),
  }),
  remove: endpoint({
    method: 'POST',
    path: '/admin/own-address/remove',
    summary: 'Send from the company’s address again.',
    act: 'Removed an own address',
    access: 'signed-in',
    response: messageReply.extend({ data: Own.nullable() }),
  }),
  ask: endpoint({
    method: 'GET',
    path: '/confirm-address/{token}',
    summary: 'Get the page that confirms an own address, as HTML.',
    calledBy: 'email clients',
    access: 'public',
    answers: 'html',
    params: z.object({ token: z.string().max(100) }),
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/confirm-address/{token}',
    summary: 'Confirm an own address. Returns HTML.',
    act: 'Confirmed an own address',
    calledBy: 'email clients',
    access: 'public',
    answers: 'html',
    params: z.object({ token: z.string().max(100) }),
    body: z.unknown(),
  }),
}
