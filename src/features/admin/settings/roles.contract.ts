import { z } from 'zod'
import { permissions, type Permission } from '#shared/access.ts'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { codeUpTo } from '#shared/schemas.ts'

const permission = z.enum(permissions as [Permission, ...Permission[]], 'This permission doesn’t exist.')

export const RoleGrants = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The number of people who have the role and aren't deactivated. */
  people: z.number().int(),
  members: z.array(z.object({ id: z.number().int(), name: z.string() })),
  permissions: z.array(z.string()),
})
export type RoleGrants = z.output<typeof RoleGrants>

export const roleSettings = {
  list: endpoint({
    method: 'GET',
    path: '/admin/roles',
    shows: ['roles'],
    summary: 'List the 14 roles with their permissions and the people who have them.',
    access: adminsOnly,
    response: z.object({ data: z.array(RoleGrants) }),
  }),
  change: endpoint({
    method: 'POST',
    path: '/admin/roles/change-permissions',
    summary:
      'Grant or revoke a role’s permissions. Takes effect on the next request by anyone with the role.',
    act: 'Changed permissions',
    security: true,
    access: adminsOnly,
    body: z.object({
      role_id: codeUpTo(13, 'This role doesn’t exist.'),
      grant: z.array(permission).max(200).default([]),
      revoke: z.array(permission).max(200).default([]),
    }),
    response: z.object({ message: z.string(), data: RoleGrants }),
  }),
}
