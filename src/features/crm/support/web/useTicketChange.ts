import type { Reply } from '#shared/endpoint.ts'
import type { tickets } from '#features/crm/support/contract.ts'
import { ticketQueries } from '#features/crm/support/web/ticketWords.tsx'
import { useUndo } from '#web/record/useUndo.ts'

type Changed = Pick<Reply<typeof tickets.update>, 'message' | 'operation'>

/** Returns the options of `useSend` for a change of a ticket. */
export function useTicketChange() {
  const { announceAct } = useUndo(ticketQueries)
  return {
    refresh: ticketQueries,
    onDone: (reply: Changed) => announceAct(reply.message, reply.operation),
  }
}
