import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Ticket, type TicketRow, tickets } from '#features/crm/support/contract.ts'
import { incidents } from '#features/crm/support/incidents.contract.ts'
import { ChooseTicket } from '#features/crm/support/web/ChooseTicket.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useDialog } from '#web/parts/useDialog.ts'
import { useLinkTickets } from '#features/crm/support/web/incidents/useLinkTickets.ts'

interface ListProps {
  /** Links the selected tickets. */
  onChoose: (incident: TicketRow) => Promise<void>
  onClose: () => void
}
interface TicketProps {
  /** The ticket to link. */
  ticket: Ticket
  onClose: () => void
}

const search = 'Search for the incident'

/** Dialog for linking tickets to an incident, which can be any ticket: those of the list, or one. */
export default function LinkToIncident(props: ListProps | TicketProps) {
  const dialog = useDialog()
  const title = 'ticket' in props ? `Link #${props.ticket.id} to an incident` : 'Link to an incident'
  return (
    <Modal {...dialog} opened onClose={props.onClose} title={title} size="lg">
      {'ticket' in props ? <ForTicket {...props} /> : <ForList {...props} />}
    </Modal>
  )
}

function ForList({ onChoose, onClose }: ListProps) {
  const query = { page: 1, incident: 'heads' } as const
  return (
    <ChooseTicket
      label={search}
      offered={useQuery(queryOptionsFor(tickets.list, { query }))}
      nothing="No incidents yet. Search for the ticket to which the others are linked."
      except={[]}
      onChoose={(incident) => void onChoose(incident).then(onClose)}
    />
  )
}

function ForTicket({ ticket: { id, incident_id }, onClose }: TicketProps) {
  const { link } = useLinkTickets()
  const offered = useQuery({
    ...queryOptionsFor(incidents.suggestions, { params: { ticket: id } }),
    select: ({ data }) => ({ data: [...data.incidents, ...data.tickets] }),
  })
  return (
    <ChooseTicket
      label={search}
      offered={offered}
      nothing="No similar tickets. Search for the ticket to link this one to."
      except={incident_id === null ? [id] : [id, incident_id]}
      onChoose={(incident) => void link(id, incident.id).then((reply) => reply && onClose())}
    />
  )
}
