import { Suspense, useState } from 'react'
import { tickets } from '#features/crm/support/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import type { IncidentTicket } from '#features/crm/support/incidents.contract.ts'
import { RecipientLine, RecipientLines } from '#features/crm/support/web/answers/RecipientLine.tsx'
import type { IncidentHead, IncidentProps } from '#features/crm/support/web/incidents/incidentParts.ts'
import classes from '#features/crm/support/web/incidents/incidents.module.css'
import { PartEnd } from '#features/crm/support/web/incidents/PartEnd.tsx'
import { SimilarTickets } from '#features/crm/support/web/incidents/SimilarTickets.tsx'
import { useLinkTickets } from '#features/crm/support/web/incidents/useLinkTickets.ts'
import { useSend } from '#web/api/useSend.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Facts } from '#web/record/Facts.tsx'
import type { EditInPlace } from '#web/record/InPlace.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { RailSection } from '#web/sheet/RailSection.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const LinkTickets = lazyPart(() => import('#features/crm/support/web/incidents/LinkTickets.tsx'))

const reasons = {
  banned: 'Gets no answer: the requester is banned',
  'no address': 'Gets no answer: the requester has no email address',
  bounced: 'Gets no answer: emails to this address bounce',
  solved: 'Solved: gets no answer unless you choose it',
} as const satisfies Record<NonNullable<IncidentTicket['why']>, string>

/** The tickets of an incident, with those that are chosen for an answer or a note, and similar tickets to link. */
export function IncidentTickets({ head, parts, recipients, answer }: IncidentProps) {
  const [isLinking, setLinking] = useState(false)
  const { may, unlink } = useLinkTickets()
  const edited = answer.form.fields.getValues().texts.map(({ ticket_id }) => ticket_id)
  const linked = parts.filter(({ id }) => id !== head.id)
  return (
    <aside className={classes.tickets} aria-label="Tickets">
      <Note head={head} may={may} />
      <RailSection
        title="Tickets of this incident"
        count={parts.length}
        action={may && <LinkButton onClick={() => setLinking(true)}>Link tickets</LinkButton>}
      >
        <RecipientLines>
          {parts.map((part) => (
            <RecipientLine
              key={part.id}
              part={part}
              recipients={recipients}
              marks={[
                part.id === head.id && 'Incident',
                part.why && reasons[part.why],
                edited.includes(part.id) && 'Has its own text',
              ]}
              end={
                <PartEnd
                  part={part}
                  onUnlink={may && part.id !== head.id ? () => unlink(part.id) : undefined}
                />
              }
            />
          ))}
        </RecipientLines>
        {linked.length === 0 && <Soft>No tickets are linked. Link one to answer them together.</Soft>}
      </RailSection>
      <SimilarTickets ticket={head} />
      {isLinking && (
        <Suspense>
          <LinkTickets ticket={head} linked={linked.map(({ id }) => id)} onClose={() => setLinking(false)} />
        </Suspense>
      )}
    </aside>
  )
}

/** The note of the incident, which is edited in place. */
function Note({ head: { id, incident_note: note, version }, may }: { head: IncidentHead; may: boolean }) {
  const { announceAct } = useUndo()
  const { send } = useSend(tickets.update, {
    failure: 'throw',
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const edit: EditInPlace = {
    kind: 'text',
    value: note,
    save: (incident_note, seen = version) =>
      send({ params: { id }, body: { incident_note, version: seen, base: { incident_note: note } } }),
  }
  return (
    <Facts
      title="Shown on all linked tickets"
      facts={[{ name: ticketFields.incident_note.label, always: true, value: note, ...(may && { edit }) }]}
    />
  )
}
