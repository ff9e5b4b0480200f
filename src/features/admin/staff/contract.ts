import { z } from 'zod'
import { isAdminRole } from '#shared/access.ts'
import { endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import { codeUpTo, emailOrEmpty, instant, messageReply, recordId, requiredText } from '#shared/fields.ts'

/** Roles 0 and 1 with the area's permission. */
const byAdmins: DecidedAccess = {
  says: 'admin_users_list, by roles 0 and 1',
  permissions: ['admin_users_list'],
  allows: (viewer) => isAdminRole(viewer.role_id) && viewer.permissions.has('admin_users_list'),
}
/** A §6: admins, or the person themselves. */
const byAdminsOrOneself: DecidedAccess = {
  says: 'admin_users_list, by roles 0 and 1 or oneself',
  permissions: ['admin_users_list'],
  allows: (viewer, { params }) => (isAdminRole(viewer.role_id) || viewer.id === params.id) && viewer.permissions.has('admin_users_list'),
}

/** Normalizes form values to an array: forms send a single value bare and nothing for none. */
const asList = (value: unknown) => (value === undefined ? [] : Array.isArray(value) ? value : [value])

export const NewStaff = z.object({
  user_name: requiredText(60).regex(/^[\w.@-]+$/, 'Letters, digits, dots, hyphens and underscores only.'),
  first_name: requiredText(80),
  last_name: requiredText(80),
  email: emailOrEmpty.min(1, 'This field is required.'),
  role_id: codeUpTo(13, 'There is no such role.'),
  product_ids: z.preprocess(asList, z.array(recordId).max(4)),
  team_ids: z.preprocess(asList, z.array(recordId).max(100)),
})

const count = z.number().int()
export const Held = z.object({ leads: count, organizations: count, onboardings: count, tickets: count, tasks: count, quick_tasks: count })
export type Held = z.output<typeof Held>

const OpenSession = z.object({ id: count, device: z.string(), address: z.string(), remember: z.boolean(), created_at: instant, last_used_at: instant })
export type OpenSession = z.output<typeof OpenSession>

const params = z.object({ id: recordId })
/** `link` is set only if no mail can be sent and the person has never signed in. */
const Invited = z.object({ message: z.string(), id: count, link: z.string().nullable() })

export const Ban = z.object({ reason: requiredText(500) })
export const Dismissal = z.object({ to: recordId.optional() })

export const staff = {
  create: endpoint({
    method: 'POST',
    path: '/admin/admin-users/create',
    summary: 'Creates a member of staff and mails them an invitation: a link that sets their password once, within 48 hours.',
    act: 'Invited',
    access: byAdmins,
    body: NewStaff,
    response: Invited,
  }),
  invite: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/invite',
    summary: 'Mails a new invitation; the links before it end.',
    act: 'Invited again',
    access: byAdmins,
    params,
    response: Invited,
  }),
  ban: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/ban',
    summary: 'Bans a member of staff and ends their sessions at once.',
    act: 'Banned',
    access: byAdmins,
    params,
    body: Ban,
    response: messageReply,
  }),
  unban: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/unban',
    summary: 'Lifts a ban.',
    act: 'Lifted the ban',
    access: byAdmins,
    params,
    response: messageReply,
  }),
  held: endpoint({
    method: 'GET',
    path: '/admin/admin-users/{id}/held',
    summary: 'How much open work somebody holds, by kind.',
    access: byAdminsOrOneself,
    params,
    response: z.object({ data: Held }),
  }),
  dismiss: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/dismiss',
    summary: 'Dismisses somebody: they sign in no more, and what they hold goes to another. 422 where they hold something and nobody takes it.',
    act: 'Dismissed',
    access: byAdminsOrOneself,
    params,
    body: Dismissal,
    response: messageReply,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/restore',
    summary: 'Takes somebody back, with what was handed over and is still with the one who got it.',
    act: 'Took back',
    access: byAdmins,
    params,
    response: messageReply,
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/admin/admin-users/{id}/sessions',
    summary: 'The open sessions of a member of staff.',
    access: byAdmins,
    params,
    response: z.object({ data: z.array(OpenSession) }),
  }),
  endSessions: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/sessions/end',
    summary: 'Ends one of the sessions of a member of staff, or all of them.',
    act: 'Ended sessions',
    access: byAdmins,
    params,
    body: z.object({ session_id: recordId.optional() }),
    response: messageReply,
  }),
}
