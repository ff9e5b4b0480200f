import type { TicketFilters } from '#features/crm/support/contract.ts'
import { desk, type TicketBulkChange } from '#features/crm/support/desk.contract.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { useUndo } from '#web/record/useUndo.ts'

export interface BulkProps {
  /** The selected tickets: by ID, or all that match the filters. */
  chosen: { ids: readonly number[] } | { filters: TicketFilters; total: number }
  /** Called when they were changed, and can be changed further. */
  onChanged: () => void
  /** Called when they were answered or merged. */
  onDone: () => void
}

/**
 * Returns a function that changes the selection. If it is all matching tickets, it asks first, and the question
 * names the change, such as `Status: Resolved`. With `some`, only these of the selected tickets are changed.
 */
export function useTicketBulk({ chosen, onChanged }: Pick<BulkProps, 'chosen' | 'onChanged'>) {
  const { announceAct } = useUndo()
  const { send, sending } = useSend(desk.changeMany, { failure: 'throw' })
  async function change(what: TicketBulkChange, about: string, some?: readonly number[]): Promise<void> {
    const isAll = some === undefined && !('ids' in chosen)
    if (
      isAll &&
      !(await askToProceed(
        `Apply this change to all ${chosen.total.toLocaleString()} tickets that match your filters?`,
        { about },
      ))
    )
      return
    try {
      const selection = 'ids' in chosen ? { ids: [...(some ?? chosen.ids)] } : chosen
      const reply = await send({ body: { selection, change: what } })
      if (!reply) return
      const names = reply.left_out.map(({ id, title }) => `#${id} ${title}`).join(', ')
      announceAct(names ? `${reply.message} ${names}` : reply.message, reply.operation)
      onChanged()
    } catch (error) {
      toast.failure(errorMessageOf(error))
    }
  }
  return { change, sending }
}
