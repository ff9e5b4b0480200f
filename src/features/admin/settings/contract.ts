import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { isPermission } from '#shared/access.ts'
import { codeUpTo } from '#shared/fields.ts'

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
    access: adminsOnly,
    response: z.object({ data: z.array(RoleGrants) }),
  }),
  change: endpoint({
    method: 'POST',
    path: '/admin/roles/change-permissions',
    summary: 'Grants and revokes permissions of one role, effective on the next request of anybody who has it.',
    access: adminsOnly,
    body: z.object({
      role_id: codeUpTo(13, 'There is no such role.'),
      grant: z.array(permission).max(200).default([]),
      revoke: z.array(permission).max(200).default([]),
    }),
    response: z.object({ message: z.string(), data: RoleGrants }),
  }),
}
