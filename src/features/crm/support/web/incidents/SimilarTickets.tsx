import { useQuery } from '@tanstack/react-query'
import { incidents } from '#features/crm/support/incidents.contract.ts'
import { useLinkTickets } from '#features/crm/support/web/incidents/useLinkTickets.ts'
import { Lines } from '#features/crm/support/web/TicketLines.tsx'
import { ticketAddress } from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { RailSection } from '#web/sheet/RailSection.tsx'

/** Open tickets that look like this one, which becomes an incident when one of them is linked; nothing if none does. */
export function SimilarTickets({ ticket: { id } }: { ticket: { id: number } }) {
  const { may, sending, link } = useLinkTickets()
  const { data } = useQuery(queryOptionsFor(incidents.suggestions, { params: { ticket: id } }))
  const similar = data?.data.tickets ?? []
  if (similar.length === 0) return null
  return (
    <RailSection title="Similar tickets" count={similar.length}>
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
    </RailSection>
  )
}
