import { useState } from 'react'
import { Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import { TicketConversation } from '#features/crm/support/web/TicketConversation.tsx'
import { TicketHead } from '#features/crm/support/web/TicketHead.tsx'
import { TargetClock } from '#features/crm/support/web/TargetClock.tsx'
import { MergedTicket } from '#features/crm/support/web/MergedTicket.tsx'
import { TicketRail } from '#features/crm/support/web/TicketRail.tsx'
import {
  IncidentChip,
  ticketAddress,
  ticketParents,
  TicketState,
} from '#features/crm/support/web/ticketWords.tsx'
import { useReadMark, useTicket } from '#features/crm/support/web/useTicket.ts'
import { isNotFound } from '#web/api/errors.ts'
import { useMay } from '#web/api/useSend.ts'
import { useKeysBeforeComposer } from '#web/composer/nextComposer.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { RecordPlaceholder } from '#web/record/RecordPlaceholder.tsx'
import { RecordSteps } from '#web/record/RecordSteps.tsx'
import { Sheet } from '#web/sheet/Sheet.tsx'
import { MissingRecord } from '#web/record/MissingRecord.tsx'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'

/**
 * Page for a ticket with its conversation. Opening it marks the ticket as read. A URL that names another
 * organization shows the not-found page.
 */
export function TicketPage() {
  const params = useParams({ strict: false }) as { ticket?: string; org_id?: string }
  const [id, org] = [Number(params.ticket), Number(params.org_id)]
  const may = useMay(tickets.update, { params: { id }, body: {} })
  useKeysBeforeComposer(may ? { r: 'reply', n: 'note' } : {})
  const isAddress = Number.isSafeInteger(id) && id > 0 && Number.isSafeInteger(org) && org >= 0
  return isAddress ? <TicketLoader key={id} id={id} org={org} /> : <NotFoundPage />
}

function TicketLoader({ id, org }: { id: number; org: number }) {
  const query = useTicket(id, org)
  const { data, error } = query
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  if (data?.data.org_id === org && !isOpen) setOpen(true)
  if (isNotFound(error) && !data) return <MissingRecord type="ticket" id={id} />
  // A failed reload keeps the page and any input on it, even if someone moved the ticket to the trash.
  if (data) {
    const { merged_into } = data.data
    // Redirect if the URL has no organization, or if the ticket is moved to another organization while it is
    // open.
    if (data.data.org_id !== org && merged_into === null)
      return org === 0 || isOpen ? <Navigate to={ticketAddress(data.data)} state replace /> : <NotFoundPage />
    return (
      <MergedTicket
        ticket={data.data}
        onMoved={(into) => void navigate({ to: ticketAddress({ id: into, org_id: 0 }), replace: true })}
      >
        <TicketDetails ticket={data.data} error={error} onRetry={() => void query.refetch()} />
      </MergedTicket>
    )
  }
  return (
    <>
      <PageHeader title="Ticket" parents={ticketParents}>
        <RecordSteps />
      </PageHeader>
      <RecordPlaceholder query={query} />
    </>
  )
}

interface DetailsProps {
  ticket: Ticket
  error: Error | null
  onRetry: () => void
}

function TicketDetails({ ticket, error, onRetry }: DetailsProps) {
  const readTo = useReadMark(ticket)
  const may = useMay(tickets.update, { params: { id: ticket.id }, body: {} })
  return (
    <Sheet
      head={<TicketHead ticket={ticket} />}
      rail={<TicketRail ticket={ticket} may={may} />}
      summary={
        <>
          <TicketState id={ticket.status} />
          <IncidentChip ticket={ticket} />
          <TargetClock ticket={ticket} />
          <span>{ticket.organization ?? ticket.requester}</span>
        </>
      }
    >
      <TicketConversation ticket={ticket} readTo={readTo} error={error} onRetry={onRetry} />
    </Sheet>
  )
}
