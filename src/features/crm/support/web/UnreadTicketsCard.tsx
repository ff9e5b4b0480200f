import { useQuery } from '@tanstack/react-query'
import { mayOpen } from '#shared/access.ts'
import { mayReadType } from '#shared/records.ts'
import { tickets } from '#features/crm/support/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { CardItem, CardList, DashboardCard, firstOfCard } from '#web/dashboard/DashboardCard.tsx'
import { useChanged } from '#web/live.ts'
import { Moment } from '#web/Moment.tsx'
import { useViewer } from '#web/session.ts'

/** Unread customer messages, for support staff. */
export function UnreadTicketsCard() {
  const viewer = useViewer()
  const may = useMay(tickets.unread) && viewer !== undefined && mayOpen(viewer.role_id, '/support')
  const query = useQuery({ ...queryOptionsFor(tickets.unread), enabled: may })
  useChanged('ticket', may ? [tickets.unread] : [])
  if (!may || !query.data || query.data.ticket_count === 0) return null
  const { ticket_count, unread_tickets } = query.data
  return (
    <DashboardCard id="unread-tickets" title="Unread tickets" total={ticket_count} to="/support?unread=1">
      <CardList>
        {unread_tickets.slice(0, firstOfCard).map(({ id, title, st_id, organization_id, created_at }) => (
          <CardItem
            key={id}
            name={title}
            at={<Moment at={created_at} />}
            to={mayReadType('ticket', viewer) ? `/support/ticket/${st_id}/${organization_id}` : undefined}
          />
        ))}
      </CardList>
    </DashboardCard>
  )
}
