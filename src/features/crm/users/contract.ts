import { z } from 'zod'
import { isAdminRole, type Permission } from '#shared/access.ts'
import { adminsOnly, anyOf, endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import { emailOrEmpty, instant, messageReply, oneOf, plainDay, recordId, requiredText, text } from '#shared/fields.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply, Note, recordIds, seenBefore } from '#shared/record.contract.ts'

export const usersPerPage = 20
export const userSorts = ['id', 'name', 'organization', 'status', 'updated_at'] as const

const yesNo = oneOf(0, 1)

/** Which users each filter keeps: docs/spec-gaps.md, "People". */
export const UserFilters = z.object({
  page: pageNumber.default(1),
  search: text(200).default(''),
  is_subscribed: yesNo.optional(),
  status: yesNo.optional(),
  role_id: recordId.optional(),
  organization: recordId.optional(),
  product: recordId.optional(),
  column: z.enum(userSorts).default('id'),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
export type UserFilters = z.output<typeof UserFilters>

export const BannedFilters = z.object({ page: pageNumber.default(1), search: text(200).default('') })
export type BannedFilters = z.output<typeof BannedFilters>
export const MasterFilters = z.object({ page: pageNumber.default(1), search: text(200).default(''), organization_id: recordId.optional() })
export type MasterFilters = z.output<typeof MasterFilters>

export const UserRow = z.object({
  id: z.number().int(),
  first_name: z.string(),
  last_name: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string(),
  organization_id: z.number().int(),
  organization: z.string(),
  role_id: z.number().int(),
  role: z.string(),
  is_master: z.boolean(),
  status: z.number().int(),
  is_subscribed: z.number().int(),
  banned_at: instant.nullable(),
  /** Null while banned: until the ban is lifted. */
  banned_until: instant.nullable(),
  ban_reason: z.string(),
  banned_by_name: z.string().nullable(),
  updated_at: instant,
  version: z.number().int(),
})
export type UserRow = z.output<typeof UserRow>

const Found = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string(),
  organization_id: z.number().int(),
  organization: z.string(),
})
const Named = z.object({ data: z.array(z.object({ id: z.number().int(), name: z.string() })) })

const emailOrNone = z.preprocess((value) => (value === null ? '' : value), emailOrEmpty).transform((value) => (value === '' ? null : value))
const userFields = z.object({
  organization_id: recordId,
  first_name: requiredText(80),
  last_name: text(80),
  email: emailOrNone,
  phone: text(60),
  role_id: recordId,
  status: yesNo,
  is_subscribed: yesNo,
  is_master: z.boolean('This must be true or false.'),
})
export const NewUser = userFields.partial().required({ organization_id: true, first_name: true })
export const UserChange = userFields.partial().extend({ id: recordId, ...seenBefore })
export const OrgUserChange = userFields.pick({ organization_id: true, role_id: true, status: true, is_master: true }).partial().extend({ id: recordId })
export const Ban = z.object({
  reason: requiredText(500),
  until: z.preprocess((value) => (value === '' || value === null ? undefined : value), plainDay.optional()),
})
const oneLine = requiredText(200).refine((value) => !/[\r\n]/.test(value), 'This must be one line.')
export const UserMail = z.object({ subject: oneLine, note: requiredText(10_000) })

const LeftOut = z.array(z.object({ who: z.string(), why: z.enum(['banned', 'unsubscribed', 'no address', 'no valid address', 'twice']) }))
const Sent = z.object({ message: z.string(), mail_id: z.number().int(), count: z.number().int(), left_out: LeftOut })

/** A user or an organization on a mailing list. */
export const Sender = z.object({
  id: z.number().int(),
  user_id: z.number().int().nullable(),
  organization_id: z.number().int().nullable(),
  name: z.string(),
  /** Number of users that it covers. */
  users: z.number().int(),
})
export type Sender = z.output<typeof Sender>
const Senders = z.object({
  data: z.array(Sender),
  /** How many would receive a mail now, and who would not. */
  count: z.number().int(),
  left_out: LeftOut,
  left_out_total: z.number().int(),
})

const params = z.object({ id: recordId })
const Saved = changedReply(UserRow)
/** A hint for the author although it was saved; null if there is none. */
const warning = z.string().nullable()
const ofProduct = { product_id: recordId.optional() }

const byAdmins = (key: Permission): DecidedAccess => ({
  says: `${key}, by roles 0 and 1`,
  permissions: [key],
  allows: (viewer) => isAdminRole(viewer.role_id) && viewer.permissions.has(key),
})

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/admin/users',
    summary: "The customers' users of the caller's products by filter, twenty to a page.",
    access: 'all_users_list',
    product: ['query.product'],
    query: UserFilters,
    response: listReply(UserRow),
  }),
  export: endpoint({
    method: 'GET',
    path: '/admin/users/export',
    summary: 'The users that fit the filters as CSV.',
    access: 'all_users_list',
    product: ['query.product'],
    query: UserFilters,
  }),
  search: endpoint({
    method: 'GET',
    path: '/admin/users/search',
    summary: 'Users by any part of name, e-mail or phone number, in any format; twenty at most.',
    access: 'all_users_list',
    query: z.object({ q: text(200).default('') }),
    response: z.object({ data: z.array(Found) }),
  }),
  banned: endpoint({
    method: 'GET',
    path: '/admin/users/banned',
    summary: 'The users who are banned, the last one first.',
    access: 'all_users_list',
    query: BannedFilters,
    response: listReply(UserRow),
  }),
  masters: endpoint({
    method: 'GET',
    path: '/admin/users/get-master-users',
    summary: 'The users who manage the others of their organization, newest first.',
    access: 'all_users_list',
    query: MasterFilters,
    response: listReply(UserRow),
  }),
  master: endpoint({
    method: 'GET',
    path: '/admin/get-master-user/{id}',
    summary: 'One master user, with how many users they manage.',
    access: 'all_users_list',
    params,
    response: z.object({ data: UserRow.extend({ manages: z.number().int() }) }),
  }),
  assignRole: endpoint({
    method: 'POST',
    path: '/admin/users/{master_user_id}/assign-role',
    summary: 'Gives a master user another role; 409 for somebody who is none.',
    act: 'Assigned a role',
    access: adminsOnly,
    params: z.object({ master_user_id: recordId }),
    body: z.object({ role: recordId }),
    response: Saved,
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/users/create-user',
    summary: 'Creates a user of an organization; an address that somebody else has is a warning.',
    act: 'Created',
    access: 'all_users_list',
    body: NewUser,
    response: z.object({ message: z.string(), data: UserRow, warning }),
  }),
  update: endpoint({
    method: 'POST',
    path: '/admin/users/update-user',
    summary: 'Changes the fields of a user that are sent; 409 with the current one when the stated version is stale.',
    act: 'Edited',
    access: 'all_users_list',
    body: UserChange,
    response: Saved.extend({ warning }),
  }),
  updateOrgUser: endpoint({
    method: 'POST',
    path: '/admin/users/update-org-user',
    summary: 'Changes what a user is in their organization: organization, role, status, master.',
    act: 'Edited',
    access: 'all_users_list',
    body: OrgUserChange,
    response: Saved.extend({ success: z.literal(true) }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/users/{id}',
    summary: "One of the customers' users.",
    access: 'all_users_list',
    params,
    response: z.object({ data: UserRow }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/admin/users/{id}',
    summary: 'Moves a user to the trash.',
    act: 'Moved to the trash',
    access: byAdmins('all_users_list'),
    params,
    response: ActReply,
  }),
  ban: endpoint({
    method: 'POST',
    path: '/admin/users/{id}/ban',
    summary: 'Bans a user, until a day or until somebody lifts it; who is banned gets no mail.',
    act: 'Banned',
    access: 'all_users_list',
    params,
    body: Ban,
    response: z.object({ message: z.string(), data: UserRow }),
  }),
  unban: endpoint({
    method: 'POST',
    path: '/admin/users/{id}/unban',
    summary: 'Lifts a ban.',
    act: 'Lifted the ban',
    access: 'all_users_list',
    params,
    response: z.object({ message: z.string(), data: UserRow }),
  }),
  saveNote: endpoint({
    method: 'POST',
    path: '/admin/users/save-user-note',
    summary: 'Writes a note on a user.',
    act: 'Wrote a note',
    access: 'all_organization_note',
    body: z.object({ note: requiredText(10_000), user: recordId }),
    response: z.object({ message: z.string(), data: Note }),
  }),
  assignUser: endpoint({
    method: 'GET',
    path: '/admin/users/assign-user',
    summary: 'Staff who can be given work: not banned, with the product where one is named.',
    access: 'signed-in',
    product: ['query.product_id'],
    query: z.object(ofProduct),
    response: Named,
  }),
  adminUsersList: endpoint({
    method: 'GET',
    path: '/admin/users/get-adminusers-list/{x}',
    summary: 'Ids and names of staff by role id (0 is Super Admin), or of all.',
    access: anyOf('admin_users_list', 'task_developer_filter'),
    params: z.object({ x: z.string().regex(/^(all|\d|1[0-3])$/, 'There is no such role.') }),
    response: Named,
  }),
  getUsers: endpoint({
    method: 'GET',
    path: '/admin/users/get-users',
    summary: "Ids, names and organizations of the customers' users, by name; three hundred at most.",
    access: anyOf('all_users_list', 'all_organization_list'),
    query: z.object({ search: text(200).default('') }),
    response: z.object({ data: z.array(z.object({ id: z.number().int(), name: z.string(), organization: z.string() })) }),
  }),
  sendEmail: endpoint({
    method: 'POST',
    path: '/admin/users/send-email',
    summary:
      'Sends a mail to one user or to many, after a minute in which it can be called off; banned, unsubscribed and without an address are left out, with the reason.',
    act: 'Sent a mail',
    access: 'all_organization_email',
    body: UserMail.extend({ user: recordIds }),
    response: Sent,
  }),
  senders: endpoint({
    method: 'GET',
    path: '/admin/users/senders',
    summary: "One's own list of users and organizations to whom mails to many go, and who of them would get one now.",
    access: 'all_organization_email',
    product: ['query.product_id'],
    query: z.object(ofProduct),
    response: Senders,
  }),
  saveSender: endpoint({
    method: 'POST',
    path: '/admin/users/save-sender',
    summary: "Adds users and organizations to one's own list, and takes entries off it.",
    act: 'Changed the list of senders',
    access: 'all_organization_email',
    product: ['body.product_id'],
    body: z.object({ user_ids: recordIds.optional(), org_ids: recordIds.optional(), remove_sender_ids: recordIds.optional(), ...ofProduct }),
    response: messageReply.extend({ total: z.number().int() }),
  }),
  sendBulkEmail: endpoint({
    method: 'POST',
    path: '/admin/users/send-bulk-email',
    summary: "Sends a mail to everybody on one's own list; it can be called off for a minute. 422 where nobody would get it.",
    act: 'Sent a mail to many',
    access: 'all_organization_email',
    product: ['body.product_id'],
    body: UserMail.extend(ofProduct),
    response: Sent,
  }),
  emailRecipients: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/users/send-email/recipients',
    summary: 'How many of these users would get a mail now, and who would not, with the reason.',
    access: 'all_organization_email',
    body: z.object({ user: recordIds }),
    response: z.object({ count: z.number().int(), left_out: LeftOut, left_out_total: z.number().int() }),
  }),
  previewEmail: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/users/send-email/preview',
    summary: 'A mail to users as it would look to the caller.',
    access: 'all_organization_email',
    body: UserMail,
    response: z.object({ data: z.object({ subject: z.string(), html: z.string() }) }),
  }),
  testBulkEmail: endpoint({
    method: 'POST',
    path: '/admin/users/send-bulk-email/test',
    summary: 'Sends the mail to the one who writes it, and to nobody else.',
    act: 'Sent a test mail',
    access: 'all_organization_email',
    body: UserMail,
    response: messageReply,
  }),
}
