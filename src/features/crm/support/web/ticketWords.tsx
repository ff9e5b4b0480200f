import { type TicketRow, tickets } from '#features/crm/support/contract.ts'
import { desk } from '#features/crm/support/desk.contract.ts'
import { ticketMerge } from '#features/crm/support/merge.contract.ts'
import { priorityName, ticketPriorities } from '#features/crm/support/rules.ts'
import { requests } from '#features/crm/support/requests.contract.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { ChoiceCell } from '#web/list/CellMenu.tsx'
import { useLists } from '#web/filter/useOptions.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { Flag, Tone } from '#web/parts/Tone.tsx'

export const ticketAddress = ({ id, org_id }: Pick<TicketRow, 'id' | 'org_id'>) =>
  `/support/ticket/${id}/${org_id}`

export const requestAddress = ({ id, org_id }: Pick<TicketRow, 'id' | 'org_id'>) =>
  `/support-requests/request/${id}/${org_id}`

/** Queries the same option lists as the list page, so that both share one request. */
const useTicketLists = () => useLists('ticket_statuses', 'ticket_categories')

/**
 * Endpoints that show tickets, to refetch after a ticket changes. The board's contract isn't imported here,
 * because it is loaded with the board.
 */
export const ticketQueries = [
  tickets.list,
  tickets.show,
  tickets.ofUser,
  { path: '/admin/support/board' },
  tickets.unread,
  desk.queues,
  ticketMerge.similar,
  requests.list,
]

/** A ticket's status, editable in place. */
export function TicketStatus({ ticket }: { ticket: Pick<TicketRow, 'id' | 'title' | 'status'> }) {
  const { ticket_statuses } = useTicketLists()
  const { announceAct } = useUndo(ticketQueries)
  const { send } = useSend(tickets.changeStatus, {
    refresh: ticketQueries,
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const may = useMay(tickets.changeStatus, { params: { ticket: ticket.id, status: 0 } })
  return (
    <ChoiceCell
      label={`Status of ${ticket.title}`}
      options={ticket_statuses}
      value={ticket.status}
      may={may}
      onChoose={(status) => void send({ params: { ticket: ticket.id, status } })}
    />
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

/** A mark on a ticket whose last reply was not delivered. */
export const EmailFailed = ({ ticket }: { ticket: Pick<TicketRow, 'email_failed'> }) =>
  ticket.email_failed && <Tone tone="red">Email failed</Tone>

/** A ticket's status, for reading. */
export function TicketState({ id }: { id: number }) {
  const { ticket_statuses } = useTicketLists()
  const found = ticket_statuses.find((one) => one.id === id)
  return <Tone tone={found?.tone ?? 'gray'}>{found?.name ?? `#${id}`}</Tone>
}
