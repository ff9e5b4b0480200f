import type { Permission } from '#shared/access.ts'
import { roleSettings, type RoleGrants } from '#features/admin/settings/contract.ts'
import { patchAnswers, useSend } from '#web/api/useSend.ts'

export type Grant = (role: RoleGrants, permission: string, granted: boolean) => void

/** Why the permissions of a role cannot be changed. */
export const whyLocked = (role: Pick<RoleGrants, 'id'>): string | undefined => (role.id === 0 ? 'The Super Admin may do everything.' : undefined)

/** Grants or revokes one permission: shown at once, put back with the server's words when it refuses. */
export function useGrant(): Grant {
  const { send } = useSend(roleSettings.change, {
    refresh: [roleSettings.list],
    showAtOnce: ({ body }, queries) =>
      patchAnswers(queries, roleSettings.list, ({ data }) => ({
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
