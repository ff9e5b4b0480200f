import { ticketsCounted } from '#features/crm/support/numbers.contract.ts'
import { ticketList, useTicketNumbers } from '#features/crm/support/web/useTicketNumbers.ts'
import { DashboardCard } from '#web/dashboard/DashboardCard.tsx'
import { PeopleBars } from '#web/dashboard/PeopleBars.tsx'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { toneColor } from '#web/theme.ts'
import { countText } from '#web/time.ts'

const color = toneColor('blue')

/** How many open tickets each assignee has, each with a link to exactly these. */
export function OpenTicketsCard() {
  const { may, query } = useTicketNumbers()
  if (!may) return null
  return (
    <DashboardCard id="open-tickets-by-assignee" title="Open tickets" about="by assignee">
      <Loaded query={query} what="Open tickets by assignee">
        {({ open: { by } }) =>
          by.length === 0 ? (
            <EmptyState title="No open tickets">Everyone’s open tickets will appear here.</EmptyState>
          ) : (
            <PeopleBars
              people={by.map(({ id, name, total }) => {
                const to = ticketList(ticketsCounted.openOf(id))
                return { id, name, to, parts: [{ amount: total, color, to }], count: countText(total) }
              })}
            />
          )
        }
      </Loaded>
    </DashboardCard>
  )
}
