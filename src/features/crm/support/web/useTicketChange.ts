import type { Reply } from '#shared/endpoint.ts'
import type { tickets } from '#features/crm/support/contract.ts'
import { useUndo } from '#web/record/useUndo.ts'

type Changed = Pick<Reply<typeof tickets.update>, 'message' | 'operation'>

/** Returns the options of `useSend` for a change of a ticket. */
export function useTicketChange() {
  const { announceAct } = useUndo()
  return {
    onDone: (reply: Changed) => announceAct(reply.message, reply.operation),
  }
}
