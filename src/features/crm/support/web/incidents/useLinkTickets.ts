import { desk } from '#features/crm/support/desk.contract.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useUndo } from '#web/record/useUndo.ts'

/** Returns functions that link single tickets to an incident and unlink them; each can be undone. */
export function useLinkTickets() {
  const { announceAct } = useUndo()
  const { send, sending } = useSend(desk.changeMany, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const change = (id: number, incident_id: number | null) =>
    send({ body: { selection: { ids: [id] }, change: { kind: 'incident', incident_id } } })
  const may = useMay(desk.changeMany, {
    body: { selection: {}, change: { kind: 'incident', incident_id: null } },
  })
  return { may, sending, link: change, unlink: (id: number) => void change(id, null) }
}
