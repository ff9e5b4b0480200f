import { useQuery } from '@tanstack/react-query'
import type { Ticket } from '#features/crm/support/contract.ts'
import { incidents } from '#features/crm/support/incidents.contract.ts'
import { settledStatuses } from '#features/crm/support/rules.ts'
import classes from '#features/crm/support/web/incidents/incidents.module.css'
import { useLinkTickets } from '#features/crm/support/web/incidents/useLinkTickets.ts'
import { incidentAddress, ticketAddress } from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'

/** A line above the composer: the incident that the ticket is part of, or one that it looks like. */
export default function IncidentHint({ ticket }: { ticket: Ticket }) {
  if (ticket.incident_id !== null) return <PartOf ticket={ticket} />
  return settledStatuses.includes(ticket.status) ? null : <LooksLike ticket={ticket} />
}

function PartOf({ ticket: { id, incident_id } }: { ticket: Ticket }) {
  const { may, unlink } = useLinkTickets()
  const { data } = useQuery(queryOptionsFor(incidents.show, { params: { ticket: id } }))
  if (!data) return null
  const { head } = data.data
  return (
    <p className={classes.hint}>
      <span>
        Part of incident{' '}
        {head && !head.in_trash ? (
          <PageLink to={incidentAddress(head.id)}>{`#${head.id} ${head.title}`}</PageLink>
        ) : (
          `#${incident_id}${head ? ` ${head.title}, which is in the trash` : ''}`
        )}
        {head && !head.in_trash && head.incident_note !== '' && (
          <b className={classes.note}>{head.incident_note}</b>
        )}
      </span>
      {may && <LinkButton onClick={() => unlink(id)}>Unlink</LinkButton>}
    </p>
  )
}

function LooksLike({ ticket: { id } }: { ticket: Ticket }) {
  const { may, sending, link } = useLinkTickets()
  const { data } = useQuery(queryOptionsFor(incidents.suggestions, { params: { ticket: id } }))
  const incident = data?.data.incidents[0]
  if (!incident || !may) return null
  return (
    <p className={classes.hint}>
      <span>
        Looks like incident{' '}
        <PageLink to={ticketAddress(incident)}>{`#${incident.id} ${incident.title}`}</PageLink>
      </span>
      <LinkButton disabled={sending} onClick={() => void link(id, incident.id)}>
        Link to incident
      </LinkButton>
    </p>
  )
}
