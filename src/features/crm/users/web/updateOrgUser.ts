import { users } from '#features/crm/users/contract.ts'
import { isAllowed, request } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import type { RequestInput } from '#web/api/types.ts'

type Change = NonNullable<RequestInput<typeof users.updateOrgUser>['body']>

/**
 * Changes a user's organization, role, status, or master user setting; returns failures instead of throwing
 * (A §8).
 */
export async function updateOrgUser(
  change: Change,
): Promise<{ success: true } | { success: false; error: string }> {
  if (!isAllowed(users.updateOrgUser, { body: change }))
    return { success: false, error: 'You don’t have permission to do this.' }
  try {
    await request(users.updateOrgUser, { body: change })
    return { success: true }
  } catch (error) {
    return { success: false, error: errorMessageOf(error) }
  }
}
