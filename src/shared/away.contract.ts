import { z } from 'zod'
import { isAdminRole } from '#shared/access.ts'
import { dayText } from '#shared/dates.ts'
import { endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import { messageReply, plainDay, recordId } from '#shared/schemas.ts'

/** That an admin user is away, with the last day; null if no end is known. */
export const Away = z.object({ until: z.string().nullable() })
export type Away = z.output<typeof Away>

/** Returns `Away until 5 Dec 2026`. */
export const awayText = ({ until }: Away): string =>
  until === null ? 'Away' : `Away until ${dayText(until)}`

/** Returns a name in a choice of people, as in `Paula Berg (away until 5 Dec 2026)`. */
export const nameInChoice = ({ name, away }: { name: string; away?: Away | null | undefined }): string =>
  away ? `${name} (${awayText(away).replace('Away', 'away')})` : name

/** A last day is at most so many days after today. */
export const mostDaysAway = 366

const oneselfOrByAdmins: DecidedAccess = {
  says: 'yourself; for others admin_users_list, Super Admin and Admin only',
  permissions: ['admin_users_list'],
  allows: (viewer, { params }) =>
    viewer.id === params.id || (isAdminRole(viewer.role_id) && viewer.permissions.has('admin_users_list')),
}

const params = z.object({ id: recordId })
export const SetAway = z.object({ until: plainDay.nullable() })

/** When admin users are away: rules assign them no tickets then. */
export const absences = {
  show: endpoint({
    method: 'GET',
    path: '/admin/admin-users/{id}/away',
    shows: ['staff'],
    summary: 'Get whether an admin user is away, and until when.',
    access: oneselfOrByAdmins,
    params,
    response: z.object({ data: Away.nullable() }),
  }),
  set: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/away',
    summary:
      'Mark an admin user as away from today through a day or, if `until` is null, until `back`. Days are those of the caller’s time zone.',
    act: 'Marked as away',
    access: oneselfOrByAdmins,
    params,
    body: SetAway,
    response: messageReply,
  }),
  end: endpoint({
    method: 'POST',
    path: '/admin/admin-users/{id}/back',
    summary: 'Mark an admin user who is away as back.',
    act: 'Marked as back',
    access: oneselfOrByAdmins,
    params,
    response: messageReply,
  }),
}
