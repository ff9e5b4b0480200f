import type { DemoStatus } from '#shared/appointments.contract.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { statusAfterDemo } from '#features/crm/leads/demos.rules.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'
import { useUndo } from '#web/record/useUndo.ts'

/** Offers the status that fits a scheduled or completed demo; it is never set without a click, which can be undone. */
export function useStatusOffer({ lead_id, status }: Pick<Lead, 'lead_id' | 'status'>) {
  const { statuses } = useLeadOptions()
  const { announceAct } = useUndo()
  const bodyOf = (to: number) => ({
    selection: { ids: [lead_id] },
    change: { kind: 'status' as const, status: to },
  })
  const may = useMay(leadOperations.change, { body: bodyOf(status) })
  const { send, sending } = useSend(leadOperations.change, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  /** Returns the status to offer, if there is one and the viewer can set it. */
  const offered = (demo: number) => (may ? statusAfterDemo(statuses, status, demo) : undefined)
  const set = (to: number) => void send({ body: bodyOf(to) })
  /** Offers the status in a message. */
  function offer(demo: DemoStatus): void {
    const to = offered(demo)
    if (to)
      toast.notice(`Set the status of the lead to ${to.name}?`, {
        undo: { label: 'Set status', onUndo: () => set(to.id) },
      })
  }
  return { offered, offer, set, sending }
}
