import { organizations, type OrganizationsUsed } from '#features/crm/organizations/contract.ts'
import { request } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { countText } from '#web/time.ts'

const one: Record<keyof OrganizationsUsed, string> = {
  users: 'user',
  leads: 'lead',
  onboardings: 'onboarding',
  documents: 'document',
  tickets: 'ticket',
  tasks: 'task',
  contracts: 'contract',
}

/**
 * Asks for confirmation, listing the records that disappear along with the organizations. Resolves to true
 * immediately if there are none.
 */
export async function confirmTrash(ids: readonly number[], who: string): Promise<boolean> {
  try {
    const { data } = await request(organizations.used, { body: { ids: [...ids] } })
    const used = Object.entries(data).flatMap(([name, count]) =>
      count === 0
        ? []
        : [count === 1 ? `1 ${one[name as keyof OrganizationsUsed]}` : `${countText(count)} ${name}`],
    )
    if (!used.length) return true
    return await askToProceed(`Move ${who} to trash?`, { detail: `This also hides ${used.join(', ')}.` })
  } catch (error) {
    toast.failure(errorMessageOf(error))
    return false
  }
}
