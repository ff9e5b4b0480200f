import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useUndo } from '#web/record/useUndo.ts'

/**
 * Returns the function that sets the follow-up date of a lead without a question, because it can be undone from its
 * toast, and whether the viewer can.
 */
export function useSetFollowup(lead_id: number) {
  const { announceAct } = useUndo()
  const bodyOf = (followup_date: string | null) => ({
    selection: { ids: [lead_id] },
    change: { kind: 'followup' as const, followup_date },
  })
  const may = useMay(leadOperations.change, { body: bodyOf(null) })
  const { send } = useSend(leadOperations.change, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  return { may, setFollowup: (day: string) => send({ body: bodyOf(day) }) }
}
