import { z } from 'zod'
import { isAdminRole } from '#shared/access.ts'
import { Away } from '#shared/away.contract.ts'
import { endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import { mailState } from '#shared/mails.ts'
import { pageNumber } from '#shared/page.ts'
import { changedReply, RecordCounts } from '#shared/record.contract.ts'
import { recordTypeNames } from '#shared/records.ts'
import { inputsOf, repliesOf } from '#shared/field.ts'
import { codeUpTo, instant, messageReply, recordId, requiredText, text } from '#shared/schemas.ts'
import { staffFields } from '#features/admin/staff/fields.ts'
import { ProfileForm } from '#features/admin/staff/input.contract.ts'

/** Roles 0 and 1, if they have the area's permission. */
const byAdmins: DecidedAccess = {
  says: 'admin_users_list, Super Admin and Admin only',
  permissions: ['admin_users_list'],
  allows: (viewer) => isAdminRole(viewer.role_id) && viewer.permissions.has('admin_users_list'),
}
/** A §6: admins, or the user themselves. */
const byAdminsOrOneself: DecidedAccess = {
  says: 'admin_users_list, Super Admin and Admin only, except for your own account',
  permissions: ['admin_users_list'],
  allows: (viewer, { params }) =>
    (isAdminRole(viewer.role_id) || viewer.id === params.id) && viewer.permissions.has('admin_users_list'),
}

/**
 * Normalizes form values to an array: forms send a single value without an array, and omit the field if there
 * are no values.
 */
export const NewStaff = z.object({
  ...inputsOf(staffFields),
  user_name: staffFields.user_name.input.regex(
    /^[\w.-]+$/,
    'Use only letters, digits, dots, hyphens, and underscores.',
  ),
  product_ids: staffFields.product_ids.input.default([]),
  team_ids: staffFields.team_ids.input.default([]),
})

const count = z.number().int()
const OpenSession = z.object({
  id: count,
  device: z.string(),
  address: z.string(),
  remember: z.boolean(),
  created_at: instant,
  last_used_at: instant,
})
export type OpenSession = z.output<typeof OpenSession>

/** The last email with a link for setting a password. */
const PasswordLink = z.object({
  address: z.string(),
  created_at: instant,
  state: mailState,
  /** The mail server's response to the last attempt, if it failed. */
  last_error: z.string().nullable(),
  /** Until when the link can be used; null if it was used, has been replaced, or has expired. */
  expires_at: instant.nullable(),
})
export type PasswordLink = z.output<typeof PasswordLink>

const params = z.object({ id: recordId })
/** `link` is set only if no email can be sent and the user has never signed in. */
const Invited = z.object({ message: z.string(), id: count, link: z.string().nullable() })

export const Ban = z.object({ reason: requiredText(500) })
const mostPeople = 50
export const Deactivation = z.object({
  to: recordId.optional(),
  /** Who gets the work of single types instead; null leaves it unassigned. */
  others: z.partialRecord(z.enum(recordTypeNames), recordId.nullable()).optional(),
  /** Who get the work of single types instead, each about as much. */
  among: z
    .object({ ticket: z.array(recordId).min(1, 'Choose at least one person.').max(mostPeople) })
    .partial()
    .optional(),
})
/** The admin users who can take over the open work of a type, and whether it can be left unassigned. */
const Takers = z.object({ ids: z.array(z.number().int()), can_be_unassigned: z.boolean() })

export const Profile = z.object({
  id: z.number().int(),
  ...repliesOf(staffFields),
  avatar: z.string().nullable(),
  version: z.number().int(),
})
export type Profile = z.output<typeof Profile>

/** Statuses of an admin user, which are mutually exclusive. */
export const staffStates = ['invited', 'active', 'banned', 'deactivated'] as const
export type StaffState = (typeof staffStates)[number]

const StaffMember = z.object({
  ...Profile.shape,
  name: z.string(),
  slug: z.string(),
  products: z.array(z.number().int()),
  teams: z.array(z.object({ id: z.number().int(), name: z.string() })),
  banned_at: instant.nullable(),
  ban_reason: z.string(),
  away: Away.nullable(),
  /** When the admin user was deactivated. */
  deleted_at: instant.nullable(),
  /** Start of the most recent session; null if the admin user has never signed in. */
  last_signed_in: instant.nullable(),
  /** When the admin user last used the panel, and their active sessions; null if the caller can't see them. */
  last_seen: instant.nullable(),
  session_count: z.number().int().nullable(),
  /** Whether the last email with a password link was not delivered; false if the caller can't see this. */
  link_failed: z.boolean(),
  /** Whether this is the only Super Admin who can sign in, and so can't be banned or deactivated. */
  last_super_admin: z.boolean(),
})
export type StaffMember = z.output<typeof StaffMember>

/** The permission required by each filter of the admin user list. */
const staffFilterRights = {
  search: 'admin_users_search',
  role_id: 'admin_users_filter_type',
  team_id: 'admin_users_filter_team',
} as const

const ownOrAdmin = (viewerId: number, role: Parameters<typeof isAdminRole>[0], id: unknown) =>
  isAdminRole(role) || viewerId === id

export const staff = {
  list: endpoint({
    method: 'GET',
    path: '/admin/users/get-all-users',
    shows: ['staff', 'mails'],
    summary: 'Get one profile (an object in data) if id is given; otherwise, list admin users, 300 per page.',
    access: {
      says: 'your own profile by id, or admin_users_list; each filter requires its own permission',
      permissions: ['admin_users_list', ...Object.values(staffFilterRights)],
      allows: (viewer, { query }) =>
        query.id === viewer.id ||
        (viewer.permissions.has('admin_users_list') &&
          Object.entries(staffFilterRights).every(
            ([filter, right]) => query[filter] === undefined || viewer.permissions.has(right),
          )),
    },
    query: z.object({
      id: recordId.optional(),
      search: text(200).optional(),
      role_id: codeUpTo(13).optional(),
      team_id: recordId.optional(),
      products: z.union([recordId, z.array(recordId).max(4)]).optional(),
      /** If omitted, everyone except deactivated users is included. */
      state: z.enum(staffStates).optional(),
      page: pageNumber.optional(),
    }),
    response: z.union([
      z.object({ data: Profile }),
      z.object({ data: z.array(StaffMember), total: z.number().int(), per_page: z.literal(300) }),
    ]),
  }),
  update: endpoint({
    method: 'POST',
    path: '/admin/users/update-admin-user',
    summary: 'Update the caller’s profile. Super Admins and Admins can update anyone’s profile and role.',
    act: 'Edited profile',
    security: true,
    access: {
      says: 'yourself, or anyone as Super Admin or Admin',
      permissions: [],
      allows: (viewer, { body }) => ownOrAdmin(viewer.id, viewer.role_id, body.id),
    },
    record: 'staff',
    notFields: ['id'],
    body: ProfileForm,
    response: changedReply(Profile),
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/admin-users/create',
    summary:
      'Create an admin user and email an invitation. The link lets them set a password once and expires in 48 hours.',
    act: 'Invited',
    security: true,
    access: byAdmins,
    record: 'staff',
    body: NewStaff,
    response: Invited,
    shownOnce: ['link'],
  }),
  invite: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/invite',
    summary: 'Email a new invitation. Earlier links stop working.',
    act: 'Sent password link',
    security: true,
    access: byAdmins,
    params,
    response: Invited,
    shownOnce: ['link'],
  }),
  ban: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/ban',
    summary: 'Ban an admin user and end their sessions immediately.',
    act: 'Banned',
    security: true,
    access: byAdmins,
    params,
    body: Ban,
    response: messageReply,
  }),
  unban: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/unban',
    summary: 'Unban an admin user.',
    act: 'Unbanned',
    security: true,
    access: byAdmins,
    params,
    response: messageReply,
  }),
  held: endpoint({
    method: 'GET',
    path: '/admin/admin-users/{id}/held',
    summary: 'Count an admin user’s open work by type, with the admin users who can take it over.',
    access: byAdminsOrOneself,
    params,
    response: z.object({
      data: RecordCounts,
      takers: z.partialRecord(z.enum(recordTypeNames), Takers),
    }),
  }),
  deactivate: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/deactivate',
    summary:
      'Deactivate an admin user and reassign their open work, distribute their tickets among several, or leave a type of it unassigned. Returns 422 if they have open work and no new assignee is given, or if one can’t open it.',
    act: 'Deactivated',
    security: true,
    access: byAdminsOrOneself,
    params,
    body: Deactivation,
    response: messageReply,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/restore',
    summary: 'Reactivate an admin user and return reassigned work that the new assignee still has.',
    act: 'Reactivated',
    security: true,
    access: byAdmins,
    params,
    response: messageReply,
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/admin/admin-users/{id}/sessions',
    shows: ['staff', 'session'],
    summary: 'List an admin user’s active sessions.',
    access: byAdmins,
    params,
    response: z.object({ data: z.array(OpenSession) }),
  }),
  passwordLink: endpoint({
    method: 'GET',
    path: '/admin/admin-users/{id}/password-link',
    shows: ['staff', 'mails'],
    summary: 'Get the status of the last email with a link for setting a password, without the link.',
    access: byAdmins,
    params,
    response: z.object({ data: PasswordLink.nullable() }),
  }),
  endSessions: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/sessions/end',
    summary: 'End one or all of an admin user’s sessions.',
    act: 'Ended sessions',
    security: true,
    access: byAdmins,
    params,
    body: z.object({ session_id: recordId.optional() }),
    response: messageReply,
  }),
}
