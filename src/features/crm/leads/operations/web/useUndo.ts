import type { OperationRef } from '#shared/record.contract.ts'
import { leadOperations } from '#features/crm/leads/operations/contract.ts'
import { refreshedByLead } from '#features/crm/leads/cells/web/showInList.ts'
import { useSend } from '#web/api/useSend.ts'
import { toast } from '#web/shell/toast.ts'

/** What is asked again when many leads changed at once. */
export const refreshedByAct = [...refreshedByLead, leadOperations.list, leadOperations.show, leadOperations.trash] as const

/** Takes acts back, and says what is done with the way back beside it. */
export function useUndo() {
  const { send, sending } = useSend(leadOperations.undo, {
    refresh: refreshedByAct,
    onDone: ({ message, skipped }) => {
      if (skipped.length) toast.notice(`${message} ${skipped.map(({ companyName, who, why }) => `${companyName} (${why ?? who})`).join(', ')}`)
      else toast.success(message)
    },
  })
  const undo = (id: number) => void send({ body: { id } })
  const sayDone = (message: string, operation: OperationRef | null | undefined) =>
    toast.success(message, operation ? { undo: { label: 'Undo', onUndo: () => undo(operation.id) } } : {})
  return { undo, undoing: sending, sayDone }
}
