import { leadDuplicates } from '#features/crm/leads/duplicates/contract.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'

/** Returns a function that marks a lead as not a duplicate of others, and whether the viewer has permission to. */
export function useNotDuplicate() {
  const { send, sending } = useSend(leadDuplicates.mark)
  async function mark(lead_id: number, others: number[], is_duplicate = false): Promise<void> {
    const reply = await send({ body: { lead_id, others, is_duplicate } })
    if (!reply) return
    if (is_duplicate) toast.notice(reply.message)
    else
      toast.success(reply.message, {
        undo: { label: 'Undo', onUndo: () => void mark(lead_id, others, true) },
      })
  }
  return { may: useMay(leadDuplicates.mark), mark, sending }
}
