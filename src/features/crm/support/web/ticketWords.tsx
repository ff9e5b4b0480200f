import { Suspense, useState } from 'react'
import { type TicketRow, tickets } from '#features/crm/support/contract.ts'
import { priorityName, ticketPriorities } from '#features/crm/support/rules.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { ChoiceCell } from '#web/list/CellMenu.tsx'
import { useLists } from '#web/filter/useOptions.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { Flag, Tone } from '#web/parts/Tone.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const IncidentStatus = lazyPart(() => import('#features/crm/support/web/incidents/IncidentStatus.tsx'))

/** Pages above a ticket in its breadcrumb. */
export const ticketParents = [['/support', 'Support tickets']] as const

export const ticketAddress = ({ id, org_id }: Pick<TicketRow, 'id' | 'org_id'>) =>
  `/support/ticket/${id}/${org_id}`

export const incidentAddress = (id: number) => `/support/incident/${id}`

export const requestAddress = ({ id, org_id }: Pick<TicketRow, 'id' | 'org_id'>) =>
  `/support-requests/request/${id}/${org_id}`

/** Queries the same option lists as the list page, so that both share one request. */
const useTicketLists = () => useLists('ticket_statuses', 'ticket_categories')

/** A ticket's status, editable in place. The status of an incident can be that of its linked tickets, too. */
export function TicketStatus({
  ticket,
}: {
  ticket: Pick<TicketRow, 'id' | 'title' | 'status' | 'linked_count'>
}) {
  const { ticket_statuses } = useTicketLists()
  const { announceAct } = useUndo()
  const { send } = useSend(tickets.changeStatus, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const may = useMay(tickets.changeStatus, { params: { ticket: ticket.id, status: 0 } })
  const [asked, setAsked] = useState<number>()
  return (
    <>
      <ChoiceCell
        label={`Status of ${ticket.title}`}
        options={ticket_statuses}
        value={ticket.status}
        may={may}
        onChoose={(status) =>
          ticket.linked_count > 0 ? setAsked(status) : void send({ params: { ticket: ticket.id, status } })
        }
      />
      {asked !== undefined && (
        <Suspense>
          <IncidentStatus ticket={ticket} status={asked} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  )
}

/** A ticket's priority, for reading. */
export function PriorityFlag({ id }: { id: number }) {
  const found = ticketPriorities.find((one) => one.id === id)
  return <Flag tone={found?.tone ?? 'gray'}>{priorityName(id)}</Flag>
}

export function TicketCategory({ id }: { id: number }) {
  const { ticket_categories } = useTicketLists()
  const found = ticket_categories.find((one) => one.id === id)
  return <Tone tone={found?.tone ?? 'gray'}>{found?.name ?? `#${id}`}</Tone>
}

/** A mark on an incident, and on a ticket that is part of one. */
export function IncidentChip({ ticket }: { ticket: Pick<TicketRow, 'incident_id' | 'linked_count'> }) {
  const { incident_id, linked_count } = ticket
  if (linked_count > 0)
    // With the incident itself, as its page counts.
    return <Tone tone="orange">{`Incident · ${linked_count + 1} tickets`}</Tone>
  return incident_id !== null && <Tone tone="gray">{`Part of incident #${incident_id}`}</Tone>
}

/** A mark on a ticket whose last reply was not delivered. */
export const EmailFailed = ({ ticket }: { ticket: Pick<TicketRow, 'email_failed'> }) =>
  ticket.email_failed && <Tone tone="red">Email failed</Tone>

/** A mark on a ticket that is spam; the reason is its title. */
export const SpamChip = ({ ticket: { spam_reason } }: { ticket: Pick<TicketRow, 'spam_reason'> }) =>
  spam_reason !== null && (
    <span title={spam_reason}>
      <Tone tone="red">Spam</Tone>
    </span>
  )

/** A ticket's status, for reading. */
export function TicketState({ id }: { id: number }) {
  const { ticket_statuses } = useTicketLists()
  const found = ticket_statuses.find((one) => one.id === id)
  return <Tone tone={found?.tone ?? 'gray'}>{found?.name ?? `#${id}`}</Tone>
}
