import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Ticket } from '#features/crm/support/contract.ts'
import { incidents, type IncidentTicket } from '#features/crm/support/incidents.contract.ts'
import classes from '#features/crm/support/web/incidents/incidents.module.css'
import { useLinkTickets } from '#features/crm/support/web/incidents/useLinkTickets.ts'
import { LineEnd, Lines } from '#features/crm/support/web/TicketLines.tsx'
import { ticketAddress, TicketState } from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { Loaded, LoadingState } from '#web/list/states.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { RailSection } from '#web/sheet/RailSection.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const LinkTickets = lazyPart(() => import('#features/crm/support/web/incidents/LinkTickets.tsx'))

/** The tickets of an incident, beside the incident and each of them; and similar tickets to link. */
export default function IncidentRail({ ticket }: { ticket: Ticket }) {
  const isPart = ticket.incident_id !== null
  return isPart || ticket.linked_count > 0 ? <Linked ticket={ticket} /> : <Similar ticket={ticket} />
}

function Linked({ ticket }: { ticket: Ticket }) {
  const [isLinking, setLinking] = useState(false)
  const query = useQuery(queryOptionsFor(incidents.show, { params: { ticket: ticket.id } }))
  const { may, unlink } = useLinkTickets()
  const isHead = ticket.incident_id === null
  const linked = query.data?.data.linked ?? []
  return (
    <RailSection
      title={isHead ? 'Linked tickets' : `Incident #${ticket.incident_id}`}
      {...(isHead && { count: ticket.linked_count })}
      action={may && isHead && <LinkButton onClick={() => setLinking(true)}>Link tickets</LinkButton>}
    >
      <Loaded query={query} what="The linked tickets" skeleton={<LoadingState rows={2} />}>
        {({ data: { head } }) => (
          <Lines>
            {!isHead && head && (
              <Line part={head} mark={head.in_trash ? 'Incident, in the trash' : 'Incident'} />
            )}
            {linked.map((part) => (
              <Line
                key={part.id}
                part={part}
                isOwn={part.id === ticket.id}
                {...(may && (isHead || part.id === ticket.id) && { onUnlink: () => unlink(part.id) })}
              />
            ))}
          </Lines>
        )}
      </Loaded>
      {isHead && <SimilarLines ticket={ticket} />}
      {isLinking && (
        <Suspense>
          <LinkTickets
            ticket={ticket}
            linked={linked.map(({ id }) => id)}
            onClose={() => setLinking(false)}
          />
        </Suspense>
      )}
    </RailSection>
  )
}

interface LineProps {
  part: IncidentTicket
  mark?: string
  /** Whether it is the ticket that the page shows. */
  isOwn?: boolean
  onUnlink?: () => void
}

const Line = ({ part, mark, isOwn = false, onUnlink }: LineProps) => (
  <li>
    {isOwn ? <strong>{part.title}</strong> : <PageLink to={ticketAddress(part)}>{part.title}</PageLink>}
    <Soft as="div" small>
      <span>{[`#${part.id}`, mark, part.requester].filter(Boolean).join(' · ')}</span>
      <LineEnd>
        <TicketState id={part.status} />
        {onUnlink && (
          <LinkButton aria-label={`Unlink #${part.id}`} onClick={onUnlink}>
            Unlink
          </LinkButton>
        )}
      </LineEnd>
    </Soft>
  </li>
)

/** Open tickets that look like this one, which becomes an incident when one of them is linked. */
function Similar({ ticket }: { ticket: Ticket }) {
  const query = useQuery(queryOptionsFor(incidents.suggestions, { params: { ticket: ticket.id } }))
  if (!query.data?.data.tickets.length) return null
  return (
    <RailSection title="Similar tickets">
      <SimilarLines ticket={ticket} />
    </RailSection>
  )
}

function SimilarLines({ ticket: { id, linked_count } }: { ticket: Ticket }) {
  const { may, sending, link } = useLinkTickets()
  const { data } = useQuery(queryOptionsFor(incidents.suggestions, { params: { ticket: id } }))
  const similar = data?.data.tickets ?? []
  if (similar.length === 0) return null
  return (
    <>
      {linked_count > 0 && <h3 className={classes.title}>Similar tickets</h3>}
      <Lines>
        {similar.map((one) => (
          <li key={one.id}>
            <PageLink to={ticketAddress(one)}>{one.title}</PageLink>
            <Soft as="div" small>
              <span>{[`#${one.id}`, one.requester].filter(Boolean).join(' · ')}</span>
              {may && (
                <LinkButton
                  aria-label={`Link #${one.id}`}
                  disabled={sending}
                  onClick={() => void link(one.id, id)}
                >
                  Link
                </LinkButton>
              )}
            </Soft>
          </li>
        ))}
      </Lines>
    </>
  )
}
