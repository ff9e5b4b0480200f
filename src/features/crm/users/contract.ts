import { z } from 'zod'
import { isAdminRole, type Permission } from '#shared/access.ts'
import { adminsOnly, anyOf, endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import { inputsOf, repliesOf } from '#shared/field.ts'
import {
  emailOrEmpty,
  instant,
  flag,
  messageReply,
  plainDay,
  recordId,
  requiredText,
  text,
} from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { Note } from '#shared/notes.contract.ts'
import { ActReply, changedReply, listReply, editBaseFields } from '#shared/record.contract.ts'
import { userFields } from '#features/crm/users/fields.ts'

export const usersPerPage = 20
export const userSorts = ['id', 'name', 'organization', 'status', 'updated_at'] as const

/** For the users that each filter matches, see docs/spec-gaps.md, "People". */
export const UserFilters = z.object({
  page: pageNumber.default(1),
  search: text(200).default(''),
  is_subscribed: flag.optional(),
  status: flag.optional(),
  role_id: recordId.optional(),
  organization: recordId.optional(),
  product: recordId.optional(),
  column: z.enum(userSorts).default('id'),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
export type UserFilters = z.output<typeof UserFilters>

export const BannedFilters = z.object({ page: pageNumber.default(1), search: text(200).default('') })
export type BannedFilters = z.output<typeof BannedFilters>
export const MasterFilters = z.object({
  page: pageNumber.default(1),
  search: text(200).default(''),
  organization_id: recordId.optional(),
})
export type MasterFilters = z.output<typeof MasterFilters>

export const UserRow = z.object({
  ...repliesOf(userFields),
  organization: z.string(),
  role: z.string(),
  banned_by_name: z.string().nullable(),
  updated_at: instant,
  version: z.number().int(),
})
export type UserRow = z.output<typeof UserRow>

/** A user with what their page shows. */
export const UserDetail = UserRow.extend({
  /** The time zone of the user’s organization. */
  timezone: z.string(),
  created_at: instant,
  created_by_name: z.string().nullable(),
  /** Addresses from which the user writes besides their own. */
  addresses: z.array(z.string()),
  /** Number of other users in the organization. */
  others: z.number().int(),
})
export type UserDetail = z.output<typeof UserDetail>

const Found = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string(),
  organization_id: z.number().int(),
  organization: z.string(),
})
const Named = z.object({ data: z.array(z.object({ id: z.number().int(), name: z.string() })) })

const values = z.object(inputsOf(userFields))
export const NewUser = values.partial().required({ organization_id: true, first_name: true })
export const UserChange = values.partial().extend({ id: recordId, ...editBaseFields })
export const OrgUserChange = values
  .pick({ organization_id: true, role_id: true, status: true, is_master: true })
  .partial()
  .extend({ id: recordId })
export const Ban = z.object({
  reason: requiredText(500),
  until: z.preprocess((value) => (value === '' || value === null ? undefined : value), plainDay.optional()),
})

const OtherAddress = z.object({ address: emailOrEmpty.min(1, 'Enter an email address.') })
const params = z.object({ id: recordId })
const Saved = changedReply(UserRow)
/** A warning shown to the author even though saving succeeded; null if there is none. */
const warning = z.string().nullable()
const ofProduct = { product_id: recordId.optional() }

const byAdmins = (key: Permission): DecidedAccess => ({
  says: `${key}, Super Admin and Admin only`,
  permissions: [key],
  allows: (viewer) => isAdminRole(viewer.role_id) && viewer.permissions.has(key),
})

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/admin/users',
    shows: ['customer_user'],
    summary: 'List customer users of the caller’s products, with filters, 20 per page.',
    access: 'all_users_list',
    product: ['query.product'],
    query: UserFilters,
    response: listReply(UserRow),
  }),
  export: endpoint({
    method: 'GET',
    path: '/admin/users/export',
    summary: 'Export users that match the filters as CSV.',
    access: 'all_users_list',
    product: ['query.product'],
    query: UserFilters,
  }),
  search: endpoint({
    method: 'GET',
    path: '/admin/users/search',
    summary:
      'Search users by any part of their name, email address, or phone number (in any format). Returns up to 20.',
    access: 'all_users_list',
    query: z.object({ q: text(200).default('') }),
    response: z.object({ data: z.array(Found) }),
  }),
  banned: endpoint({
    method: 'GET',
    path: '/admin/users/banned',
    shows: ['customer_user'],
    summary: 'List banned users, most recently banned first.',
    access: 'all_users_list',
    query: BannedFilters,
    response: listReply(UserRow),
  }),
  masters: endpoint({
    method: 'GET',
    path: '/admin/users/get-master-users',
    shows: ['customer_user'],
    summary: 'List master users (who manage their organization’s other users), newest first.',
    access: 'all_users_list',
    query: MasterFilters,
    response: listReply(UserRow),
  }),
  master: endpoint({
    method: 'GET',
    path: '/admin/get-master-user/{id}',
    summary: 'Get a master user with the number of users they manage.',
    calledBy: 'clients of A §7',
    access: 'all_users_list',
    params,
    response: z.object({ data: UserRow.extend({ manages: z.number().int() }) }),
  }),
  assignRole: endpoint({
    method: 'POST',
    path: '/admin/users/{master_user_id}/assign-role',
    summary: 'Change a master user’s role. Returns 409 if the user isn’t a master user.',
    act: 'Assigned a role',
    access: adminsOnly,
    params: z.object({ master_user_id: recordId }),
    body: z.object({ role: recordId }),
    response: Saved,
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/users/create-user',
    summary: 'Create a user in an organization. Returns a warning if the email address is already in use.',
    act: 'Created',
    access: 'all_users_list',
    record: 'customer_user',
    body: NewUser,
    response: z.object({ message: z.string(), data: UserRow, warning }),
  }),
  update: endpoint({
    method: 'POST',
    path: '/admin/users/update-user',
    summary:
      'Update the given fields of a user. Returns 409 with the current user if the version is out of date.',
    act: 'Edited',
    access: 'all_users_list',
    record: 'customer_user',
    notFields: ['id'],
    body: UserChange,
    response: Saved.extend({ warning }),
  }),
  updateOrgUser: endpoint({
    method: 'POST',
    path: '/admin/users/update-org-user',
    summary: 'Update a user’s organization, role, status, or master user setting.',
    act: 'Edited',
    access: 'all_users_list',
    record: 'customer_user',
    notFields: ['id'],
    body: OrgUserChange,
    response: Saved.extend({ success: z.literal(true) }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/users/{id}',
    shows: ['customer_user', 'organization'],
    summary: 'Get a customer user with their organization’s time zone and the number of its other users.',
    access: 'all_users_list',
    params,
    response: z.object({ data: UserDetail }),
  }),
  addAddress: endpoint({
    method: 'POST',
    path: '/admin/users/{id}/addresses',
    summary:
      'Add an address from which a user writes besides their own. Returns 409 if it belongs to a user.',
    act: 'Added an address',
    access: 'all_users_list',
    params,
    body: OtherAddress,
    response: messageReply,
  }),
  removeAddress: endpoint({
    method: 'POST',
    path: '/admin/users/{id}/addresses/remove',
    summary: 'Remove an address from which a user writes besides their own.',
    act: 'Removed an address',
    access: 'all_users_list',
    params,
    body: OtherAddress,
    response: messageReply,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/admin/users/{id}',
    summary: 'Move a user to trash.',
    act: 'Moved to trash',
    calledBy: 'clients of A §7',
    access: byAdmins('all_users_list'),
    params,
    response: ActReply,
  }),
  ban: endpoint({
    method: 'POST',
    path: '/admin/users/{id}/ban',
    summary: 'Ban a user until a date or indefinitely. Banned users don’t receive email.',
    act: 'Banned',
    access: 'all_users_list',
    params,
    body: Ban,
    response: z.object({ message: z.string(), data: UserRow }),
  }),
  unban: endpoint({
    method: 'POST',
    path: '/admin/users/{id}/unban',
    summary: 'Unban a user.',
    act: 'Unbanned',
    access: 'all_users_list',
    params,
    response: z.object({ message: z.string(), data: UserRow }),
  }),
  saveNote: endpoint({
    method: 'POST',
    path: '/admin/users/save-user-note',
    summary: 'Add a note to a user.',
    act: 'Added a note',
    calledBy: 'clients of A §7',
    access: 'all_organization_note',
    body: z.object({ note: requiredText(10_000), user: recordId }),
    response: changedReply(Note),
  }),
  assignUser: endpoint({
    method: 'GET',
    path: '/admin/users/assign-user',
    summary: 'List staff who can be assigned work: not banned and, if a product is given, with access to it.',
    calledBy: 'clients of A §7',
    access: 'signed-in',
    product: ['query.product_id'],
    query: z.object(ofProduct),
    response: Named,
  }),
  adminUsersList: endpoint({
    method: 'GET',
    path: '/admin/users/get-adminusers-list/{x}',
    summary: 'List the IDs and names of staff with a given role ID (0 is Super Admin), or of all staff.',
    calledBy: 'clients of A §7',
    access: anyOf('admin_users_list', 'task_developer_filter'),
    params: z.object({ x: z.string().regex(/^(all|\d|1[0-3])$/, 'This role doesn’t exist.') }),
    response: Named,
  }),
  getUsers: endpoint({
    method: 'GET',
    path: '/admin/users/get-users',
    summary: 'List the IDs, names, and organizations of up to 300 customer users, sorted by name.',
    calledBy: 'clients of A §7',
    access: anyOf('all_users_list', 'all_organization_list'),
    query: z.object({ search: text(200).default('') }),
    response: z.object({
      data: z.array(z.object({ id: z.number().int(), name: z.string(), organization: z.string() })),
    }),
  }),
}
