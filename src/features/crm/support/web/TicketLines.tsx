import type { ReactNode } from 'react'
import { type TicketRow, tickets } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { ticketAddress, TicketState } from '#features/crm/support/web/ticketWords.tsx'
import { useMay } from '#web/api/useSend.ts'
import { Moment } from '#web/Moment.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/** A list in a narrow column, whose lines have a second row. */
export const Lines = ({ children }: { children: ReactNode }) => <ul className={classes.lines}>{children}</ul>

/** The end of a line's second row, such as a status. */
export const LineEnd = ({ children }: { children: ReactNode }) => (
  <span className={classes.marks}>{children}</span>
)

/** Tickets in a narrow column: title, number, age, and status; links for viewers who can open them. */
export function TicketLines({ data }: { data: readonly TicketRow[] }) {
  const mayOpen = useMay(tickets.show, { params: { id: 1 } })
  return (
    <Lines>
      {data.map((ticket) => (
        <li key={ticket.id}>
          {mayOpen ? <PageLink to={ticketAddress(ticket)}>{ticket.title}</PageLink> : ticket.title}
          <Soft as="div" small>
            <span>
              #{ticket.id} · <Moment at={ticket.last_message_at} />
            </span>
            <TicketState id={ticket.status} />
          </Soft>
        </li>
      ))}
    </Lines>
  )
}
