import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import { deletesTicket } from '#features/crm/support/rules.ts'
import { ticketQueries } from '#features/crm/support/web/ticketWords.tsx'
import { useTicketChange } from '#features/crm/support/web/useTicketChange.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { useSend } from '#web/api/useSend.ts'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { useViewer } from '#web/session.ts'

/** Loads a ticket without marking it as read. */
const prefetchTicket = (id: number) => void prefetch(queryOptionsFor(tickets.show, { params: { id } }))

export const ticketParents = [['/support', 'Support tickets']] as const

/** Heading of a ticket, with the way through its list and its trash button. */
export function TicketHead({ ticket }: { ticket: Ticket }) {
  const { id } = ticket
  const viewer = useViewer()
  const navigate = useNavigate()
  const { onDone } = useTicketChange()
  const { send: remove } = useSend(tickets.remove, {
    refresh: ticketQueries,
    onDone: (reply) => {
      onDone(reply)
      void navigate({ to: '/support' })
    },
  })
  const mayRemove = viewer !== undefined && deletesTicket(viewer, ticket)
  return (
    <RecordHeader
      type="ticket"
      id={id}
      number={id}
      title={ticket.title}
      parents={ticketParents}
      prefetch={prefetchTicket}
    >
      {mayRemove && (
        <Button size="xs" variant="default" color="red" onClick={() => void remove({ params: { id } })}>
          Move to trash
        </Button>
      )}
    </RecordHeader>
  )
}
