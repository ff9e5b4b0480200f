import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Ticket } from '#features/crm/support/contract.ts'
import { incidents } from '#features/crm/support/incidents.contract.ts'
import { ChooseTicket } from '#features/crm/support/web/ChooseTicket.tsx'
import { useLinkTickets } from '#features/crm/support/web/incidents/useLinkTickets.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useDialog } from '#web/parts/useDialog.ts'

interface Props {
  ticket: Pick<Ticket, 'id' | 'title'>
  /** The tickets that are linked already. */
  linked: readonly number[]
  onClose: () => void
}

/** Dialog for linking tickets to an incident, one after the other: similar ones first, and others by search. */
export default function LinkTickets({ ticket: { id, title }, linked, onClose }: Props) {
  const dialog = useDialog()
  const { link } = useLinkTickets()
  const offered = useQuery({
    ...queryOptionsFor(incidents.suggestions, { params: { ticket: id } }),
    select: ({ data }) => ({ data: data.tickets }),
  })
  return (
    <Modal {...dialog} opened onClose={onClose} title={`Link tickets to #${id} ${title}`} size="lg">
      <ChooseTicket
        label="Search for a ticket to link"
        offered={offered}
        nothing="No more similar tickets. Search for the ticket to link."
        except={[id, ...linked]}
        onChoose={(other) => void link(other.id, id)}
      />
    </Modal>
  )
}
