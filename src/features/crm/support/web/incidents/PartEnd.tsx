import type { IncidentTicket } from '#features/crm/support/incidents.contract.ts'
import { LineEnd } from '#features/crm/support/web/TicketLines.tsx'
import { TicketState } from '#features/crm/support/web/ticketWords.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'

interface Props {
  part: Pick<IncidentTicket, 'id' | 'status'>
  /** Present if the viewer can unlink the ticket. */
  onUnlink?: (() => void) | undefined
}

/** The end of a line with a ticket of an incident: its status, and the button that unlinks it. */
export const PartEnd = ({ part: { id, status }, onUnlink }: Props) => (
  <LineEnd>
    <TicketState id={status} />
    {onUnlink && (
      <LinkButton aria-label={`Unlink #${id}`} onClick={onUnlink}>
        Unlink
      </LinkButton>
    )}
  </LineEnd>
)
