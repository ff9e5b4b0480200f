import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { TicketComposer } from '#features/crm/support/web/TicketComposer.tsx'
import { TicketHead, ticketParents } from '#features/crm/support/web/TicketHead.tsx'
import { TicketRail } from '#features/crm/support/web/TicketRail.tsx'
import { TicketStream } from '#features/crm/support/web/TicketStream.tsx'
import { ticketAddress, TicketState } from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor, keyOf } from '#web/api/client.ts'
import { ApiError, errorMessageOf } from '#web/api/errors.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { ErrorState } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { useOrganization } from '#web/organization.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { RecordSteps } from '#web/record/RecordSteps.tsx'
import { Sheet } from '#web/sheet/Sheet.tsx'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'

/**
 * Page for a ticket with its conversation. Opening it marks the ticket as read. A URL that names another
 * organization shows the not-found page.
 */
export function TicketPage() {
  const params = useParams({ strict: false }) as { ticket?: string; org_id?: string }
  const [id, org] = [Number(params.ticket), Number(params.org_id)]
  const isAddress = Number.isSafeInteger(id) && id > 0 && Number.isSafeInteger(org) && org >= 0
  return isAddress ? <TicketLoader key={id} id={id} org={org} /> : <NotFoundPage />
}

function TicketLoader({ id, org }: { id: number; org: number }) {
  const query = useQuery(queryOptionsFor(tickets.show, { params: { id } }))
  useOrganization(query.data?.data.org_id ?? org)
  const mayListen = useMay(tickets.changeStatus, { params: { ticket: id, status: 0 } })
  useChanged('ticket', mayListen ? [tickets.show] : [])
  useChanged('mails', mayListen ? [tickets.show] : [])
  const { data, error } = query
  const [isOpen, setOpen] = useState(false)
  if (data?.data.org_id === org && !isOpen) setOpen(true)
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />
  // A failed reload keeps the page and any input on it.
  if (data) {
    // Redirect if the URL has no organization, or if the ticket is moved to another organization while it is
    // open.
    if (data.data.org_id !== org)
      return org === 0 || isOpen ? <Navigate to={ticketAddress(data.data)} state replace /> : <NotFoundPage />
    return (
      <TicketReadMarker
        ticket={data.data}
        notice={error && <NotReloaded error={error} onRetry={() => void query.refetch()} />}
      />
    )
  }
  return (
    <>
      <PageHeader title="Ticket" parents={ticketParents}>
        <RecordSteps />
      </PageHeader>
      {error ? (
        <ErrorState error={error} onRetry={() => void query.refetch()} />
      ) : (
        query.isLoading && <p role="status">Loading…</p>
      )}
    </>
  )
}

/**
 * Marks the ticket as read when it opens, and again when messages arrive while it is open. The line above the
 * new messages stays in place.
 */
function TicketReadMarker({ ticket, notice }: { ticket: Ticket; notice: ReactNode }) {
  const queries = useQueryClient()
  const [readTo] = useState(ticket.read_to)
  const { send } = useSend(tickets.getTicket)
  const last = ticket.messages.at(-1)?.id
  const open = useEffectEvent(async (newest: number | undefined) => {
    if (newest === undefined) return
    const reply = await send({ params: { id: ticket.id, org: ticket.org_id } })
    if (!reply) return
    void queries.invalidateQueries({ queryKey: keyOf(tickets.unread) })
    void queries.invalidateQueries({ queryKey: keyOf(tickets.list) })
  })
  useEffect(() => void open(last), [last])
  return <TicketDetails ticket={ticket} readTo={readTo} notice={notice} />
}

/** Says that the ticket on screen may be out of date, because it couldn’t be loaded again. */
const NotReloaded = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
  <p className={classes.notice} role="status">
    <span>{`This ticket couldn’t be updated. ${errorMessageOf(error)}`}</span>
    <LinkButton onClick={onRetry}>Retry</LinkButton>
  </p>
)

interface DetailsProps {
  ticket: Ticket
  readTo: number | null
  notice: ReactNode
}

function TicketDetails({ ticket, readTo, notice }: DetailsProps) {
  const may = useMay(tickets.update, { params: { id: ticket.id }, body: {} })
  return (
    <Sheet
      head={<TicketHead ticket={ticket} />}
      rail={<TicketRail ticket={ticket} may={may} />}
      summary={
        <>
          <TicketState id={ticket.status} />
          <span>{ticket.organization ?? ticket.requester}</span>
        </>
      }
    >
      {notice}
      <TicketStream ticket={ticket} readTo={readTo} may={may} />
      {may && (
        <div className={classes.write}>
          <TicketComposer ticket={ticket} />
        </div>
      )}
    </Sheet>
  )
}
