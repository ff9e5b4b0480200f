import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import classes from '#features/crm/support/web/support.module.css'
import { TargetClock } from '#features/crm/support/web/TargetClock.tsx'
import { useAssignToMe } from '#features/crm/support/web/TicketAssignee.tsx'
import { TicketMore } from '#features/crm/support/web/TicketMore.tsx'
import { ticketParents } from '#features/crm/support/web/ticketWords.tsx'
import { WaitingTime } from '#features/crm/support/web/WaitingTime.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { useBackToList } from '#web/record/useBackToList.ts'

/** Loads a ticket without marking it as read. */
const prefetchTicket = (id: number) => void prefetch(queryOptionsFor(tickets.show, { params: { id } }))

/** Opens the title among the facts, if the viewer can change it. */
const editTitle = () =>
  document.querySelector<HTMLElement>(`[data-changes="${ticketFields.title.label}"]`)?.click()

/** Heading of a ticket, with the way through its list and its rare actions. */
export function TicketHead({ ticket }: { ticket: Ticket }) {
  const { id } = ticket
  const backToList = useBackToList('/support')
  const assignToMe = useAssignToMe()
  usePageKeys({ a: () => assignToMe(ticket), e: editTitle })
  return (
    <RecordHeader
      type="ticket"
      id={id}
      number={id}
      title={ticket.title}
      parents={ticketParents}
      prefetch={prefetchTicket}
    >
      <span className={classes.clockInHead}>
        <TargetClock ticket={ticket} isNamed />
      </span>
      <WaitingTime ticket={ticket} />
      <TicketMore ticket={ticket} onRemoved={backToList} />
    </RecordHeader>
  )
}
