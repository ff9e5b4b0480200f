import type { DemoStatus } from '#shared/appointments.contract.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { demos, type Demo } from '#features/crm/leads/demos/contract.ts'
import { scheduledStatus, whyNotDemoStatus } from '#features/crm/leads/demos.rules.ts'
import { useStatusOffer } from '#features/crm/leads/demos/web/useStatusOffer.ts'
import { useSend } from '#web/api/useSend.ts'
import { MenuItem } from '#web/parts/Menu.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { today } from '#web/time.ts'
import { MoreMenu } from '#web/sheet/MoreMenu.tsx'

interface Props {
  lead: Pick<Lead, 'lead_id' | 'status'>
  demo: Demo
  onEdit: () => void
  onHandOver: () => void
}

const verbs: Record<DemoStatus, string> = {
  0: 'Cancel session',
  1: 'Mark as requested',
  2: 'Mark as scheduled',
  3: 'Mark as completed',
}

/** Menu with what can be done with a session. */
export function SessionMenu({ lead, demo, onEdit, onHandOver }: Props) {
  const { announceAct } = useUndo()
  const { send: setReceived } = useSend(demos.receivedDate, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const setStatus = useSessionStatus(lead, demo)
  return (
    <MoreMenu of={demo.type}>
      <MenuItem onClick={onEdit}>Edit</MenuItem>
      {(demo.status === 1 || demo.status === scheduledStatus) && (
        <MenuItem onClick={onHandOver}>Hand over</MenuItem>
      )}
      {([2, 3, 1, 0] as const).map((status) => {
        const whyNot = whyNotDemoStatus(demo, status)
        const lacksDate = status === 2 && demo.status === 1 && whyNot !== undefined
        if (whyNot !== undefined && !lacksDate) return null
        return (
          <MenuItem key={status} disabled={lacksDate} title={whyNot} onClick={() => setStatus(status)}>
            {verbs[status]}
          </MenuItem>
        )
      })}
      {!demo.received_date && (
        <MenuItem onClick={() => void setReceived({ body: { demoId: demo.id, received_date: today() } })}>
          Mark as received today
        </MenuItem>
      )}
    </MoreMenu>
  )
}

/** Returns the function that sets the status of a session, and then offers the status of its lead that fits. */
export function useSessionStatus(lead: Pick<Lead, 'lead_id' | 'status'>, demo: Demo) {
  const { announceAct } = useUndo()
  const { offer } = useStatusOffer(lead)
  const { send } = useSend(demos.updateStatus, {
    onDone: ({ message, operation }, { body }) => {
      announceAct(message, operation)
      offer((body as { status: DemoStatus }).status)
    },
  })
  return (status: DemoStatus) => void send({ body: { demoId: demo.id, status } })
}
