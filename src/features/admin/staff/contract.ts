import { z } from 'zod'
import { isAdminRole } from '#shared/access.ts'
import { endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import { RecordCounts } from '#shared/record.contract.ts'
import { inputsOf } from '#shared/field.ts'
import { asList, instant, messageReply, recordId, requiredText } from '#shared/schemas.ts'
import { staffFields } from '#features/panel/session/fields.ts'

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
  product_ids: z.preprocess(asList, z.array(recordId).max(4).default([])),
  team_ids: z.preprocess(asList, z.array(recordId).max(100).default([])),
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

const params = z.object({ id: recordId })
/** `link` is set only if no email can be sent and the user has never signed in. */
const Invited = z.object({ message: z.string(), id: count, link: z.string().nullable() })

export const Ban = z.object({ reason: requiredText(500) })
export const Deactivation = z.object({ to: recordId.optional() })

export const staff = {
  create: endpoint({
    method: 'POST',
    path: '/admin/admin-users/create',
    summary:
      'Create an admin user and email an invitation. The link lets them set a password once and expires in 48 hours.',
    act: 'Invited',
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
    act: 'Resent invitation',
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
    access: byAdmins,
    params,
    response: messageReply,
  }),
  held: endpoint({
    method: 'GET',
    path: '/admin/admin-users/{id}/held',
    summary: 'Count an admin user’s open work by type.',
    access: byAdminsOrOneself,
    params,
    response: z.object({ data: RecordCounts }),
  }),
  deactivate: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/deactivate',
    summary:
      'Deactivate an admin user and reassign their open work. Returns 422 if they have open work and no new assignee is given.',
    act: 'Deactivated',
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
    access: byAdmins,
    params,
    response: messageReply,
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/admin/admin-users/{id}/sessions',
    summary: 'List an admin user’s active sessions.',
    access: byAdmins,
    params,
    response: z.object({ data: z.array(OpenSession) }),
  }),
  endSessions: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/sessions/end',
    summary: 'End one or all of an admin user’s sessions.',
    act: 'Ended sessions',
    access: byAdmins,
    params,
    body: z.object({ session_id: recordId.optional() }),
    response: messageReply,
  }),
}
