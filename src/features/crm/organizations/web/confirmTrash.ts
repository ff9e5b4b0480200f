import { counted, type RecordType } from '#shared/records.ts'
import { organizations } from '#features/crm/organizations/contract.ts'
import { request } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { countText } from '#web/time.ts'

/**
 * Asks for confirmation, listing the records that disappear along with the organizations. Resolves to true
 * immediately if there are none.
 */
export async function confirmTrash(ids: readonly number[], who: string): Promise<boolean> {
  try {
    const { data, documents } = await request(organizations.used, { body: { ids: [...ids] } })
    const used = Object.entries(data).map(([type, count]) => counted(type as RecordType, count))
    if (documents) used.push(`${countText(documents)} ${documents === 1 ? 'document' : 'documents'}`)
    if (!used.length) return true
    return await askToProceed(`Move ${who} to trash?`, { detail: `This also hides ${used.join(', ')}.` })
  } catch (error) {
    toast.failure(errorMessageOf(error))
    return false
  }
}
