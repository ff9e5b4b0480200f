import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Ticket } from '#features/crm/support/contract.ts'
import { incidents, type IncidentTicket } from '#features/crm/support/incidents.contract.ts'
import { PartEnd } from '#features/crm/support/web/incidents/PartEnd.tsx'
import { SimilarTickets } from '#features/crm/support/web/incidents/SimilarTickets.tsx'
import { useLinkTickets } from '#features/crm/support/web/incidents/useLinkTickets.ts'
import { Lines } from '#features/crm/support/web/TicketLines.tsx'
import { incidentAddress, ticketAddress } from '#features/crm/support/web/ticketWords.tsx'
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
  const [isLinking, setLinking] = useState(false)
  const query = useQuery(queryOptionsFor(incidents.show, { params: { ticket: ticket.id } }))
  const { may, unlink } = useLinkTickets()
  const isHead = ticket.incident_id === null
  const linked = query.data?.data.linked ?? []
  return (
    <>
      <RailSection
        title={isHead ? 'Linked tickets' : `Incident #${ticket.incident_id}`}
        {...(isHead && { count: ticket.linked_count })}
        action={may && isHead && <LinkButton onClick={() => setLinking(true)}>Link tickets</LinkButton>}
      >
        <Loaded query={query} what="The linked tickets" skeleton={<LoadingState rows={2} />}>
          {({ data: { head } }) => (
            <>
              {head && !head.in_trash && (
                <PageLink to={incidentAddress(head.id)}>
                  {isHead ? `Answer all ${linked.length + 1} tickets` : 'Open the incident'}
                </PageLink>
              )}
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
            </>
          )}
        </Loaded>
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
      {isHead && <SimilarTickets ticket={ticket} />}
    </>
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
      <PartEnd part={part} onUnlink={onUnlink} />
    </Soft>
  </li>
)
