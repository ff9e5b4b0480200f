import { dayText } from '#shared/dates.ts'
import type { LeadNumbers } from '#features/crm/leads/numbers/contract.ts'
import { CardItem, CardList, DashboardCard, NothingHere, SeeAllLink } from '#web/dashboard/DashboardCard.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'

const queue = '/demo-leads/follow-ups'

type Items = LeadNumbers['overdue']

interface Props {
  title: string
  /** The queue tab that contains the same leads. */
  tab: 'overdue' | 'today' | 'next'
  items: Items
  none: string
  /** The leads' product. */
  product: string | undefined
}

/**
 * List of leads with a follow-up date. The title and "See all" link to the complete list in the queue, and
 * each item links to its lead.
 */
export function FollowUps({ title, tab, items: { total, first }, none, product }: Props) {
  const viewer = useViewer()
  const ofEveryone = { tab, assigned_filter: 'all' }
  return (
    <DashboardCard
      id={`follow-ups-${tab}`}
      title={title}
      to={queue}
      search={ofEveryone}
      total={`${product ? `${product} · ` : ''}${total.toLocaleString()}`}
    >
      {first.length === 0 ? (
        <NothingHere>{none}</NothingHere>
      ) : (
        <CardList>
          {first.map(({ lead_id, companyName, assigned_name, followup_date }) => (
            <CardItem
              key={lead_id}
              name={companyName}
              detail={assigned_name ?? 'Unassigned'}
              at={<time dateTime={followup_date}>{dayText(followup_date)}</time>}
              shortDay
              to={recordAddress('lead', lead_id, viewer, companyName)}
            />
          ))}
        </CardList>
      )}
      {total > first.length && <SeeAllLink title={title} to={queue} search={ofEveryone} />}
    </DashboardCard>
  )
}
