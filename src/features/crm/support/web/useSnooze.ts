import { desk } from '#features/crm/support/desk.contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'

/**
 * Returns the functions that leave a ticket out of the viewer's queues until an instant or, for null, until the
 * customer writes, with Undo, and that return it. With `throw`, `snooze` throws what the server refuses.
 */
export function useSnooze(ticket: number, failure?: 'throw') {
  const params = { ticket }
  const { send: unsnooze } = useSend(desk.unsnooze, {
    onDone: ({ message }) => toast.success(message),
  })
  const { send } = useSend(desk.snooze, {
    onDone: ({ message }) =>
      toast.success(message, { undo: { label: 'Undo', onUndo: () => void unsnooze({ params }) } }),
    ...(failure && { failure }),
  })
  return {
    snooze: (until: string | null) => send({ params, body: { until } }),
    unsnooze: () => unsnooze({ params }),
  }
}
