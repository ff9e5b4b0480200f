import type { Permission } from '#shared/access.ts'
import { roleSettings } from '#features/admin/settings/roles.contract.ts'
import type { GrantChange } from '#features/admin/settings/web/grants.ts'
import { patchCachedReplies, useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'

/**
 * Returns a function that saves a change to a role's permissions optimistically, and shows a toast with Undo. If
 * the server rejects the change, it is rolled back and the server's message is shown.
 */
export function useGrant(): (change: GrantChange) => void {
  const { send } = useSend(roleSettings.change, {
    optimisticUpdate: ({ body }, queries) =>
      patchCachedReplies(queries, roleSettings.list, ({ data }) => ({
        data: data.map((role) => {
          if (role.id !== body.role_id) return role
          const kept = role.permissions.filter((name) => !body.revoke?.includes(name as Permission))
          return { ...role, permissions: [...new Set([...kept, ...(body.grant ?? [])])] }
        }),
      })),
  })
  const save = async (change: GrantChange, isUndo: boolean): Promise<void> => {
    const { role, grant, revoke } = change
    const reply = await send({ body: { role_id: role.id, grant: [...grant], revoke: [...revoke] } })
    if (!reply) return
    const onUndo = () => void save({ role, grant: revoke, revoke: grant }, true)
    toast.success(reply.message, isUndo ? {} : { undo: { label: 'Undo', onUndo } })
  }
  return (change) => void save(change, false)
}
