import { z } from 'zod'
import { endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import { isAdminRole, isPermission } from '#shared/access.ts'
import { codeUpTo } from '#shared/fields.ts'

/** Roles 0 and 1 administer rights; no permission of the specification names it (docs/spec-gaps.md). */
const admins: DecidedAccess = { says: 'roles 0 and 1', permissions: [], allows: (viewer) => isAdminRole(viewer.role_id) }

const permission = z
  .string()
  .refine(isPermission, 'There is no such permission.')
  .transform((name) => name)

export const RoleGrants = z.object({ id: z.number().int(), name: z.string(), people: z.number().int(), permissions: z.array(z.string()) })
export type RoleGrants = z.output<typeof RoleGrants>

export const roleSettings = {
  list: endpoint({
    method: 'GET',
    path: '/admin/roles',
    summary: 'The 14 roles with what each may do.',
    access: admins,
    response: z.object({ data: z.array(RoleGrants) }),
  }),
  change: endpoint({
    method: 'POST',
    path: '/admin/roles/change-permissions',
    summary: 'Grants and revokes permissions of one role, effective on the next request of anybody who has it.',
    access: admins,
    body: z.object({
      role_id: codeUpTo(13, 'There is no such role.'),
      grant: z.array(permission).max(200).default([]),
      revoke: z.array(permission).max(200).default([]),
    }),
    response: z.object({ message: z.string(), data: RoleGrants }),
  }),
}
