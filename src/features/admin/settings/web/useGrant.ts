import type { Permission } from '#shared/access.ts'
import { roleSettings, type RoleGrants } from '#features/admin/settings/roles.contract.ts'
import { patchCachedReplies, useSend } from '#web/api/useSend.ts'

export type Grant = (role: RoleGrants, permission: string, granted: boolean) => void

/** Returns the reason why a role's permissions cannot be changed; undefined if they can. */
export const whyLocked = (role: Pick<RoleGrants, 'id'>): string | undefined =>
  role.id === 0 ? 'Super Admin always has every permission.' : undefined

/**
 * Returns a function that grants or revokes a permission optimistically. If the server rejects the change, it
 * is rolled back and the server's message is shown.
 */
export function useGrant(): Grant {
  const { send } = useSend(roleSettings.change, {
    refresh: [roleSettings.list],
    optimisticUpdate: ({ body }, queries) =>
      patchCachedReplies(queries, roleSettings.list, ({ data }) => ({
        data: data.map((role) => {
          if (role.id !== body.role_id) return role
          const kept = role.permissions.filter((name) => !body.revoke?.includes(name as Permission))
          return { ...role, permissions: [...new Set([...kept, ...(body.grant ?? [])])] }
        }),
      })),
  })
  return (role, permission, granted) => {
    const change = [permission as Permission]
    void send({ body: { role_id: role.id, grant: granted ? change : [], revoke: granted ? [] : change } })
  }
}
