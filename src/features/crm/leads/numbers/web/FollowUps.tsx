import { dayText } from '#shared/dates.ts'
import { leadsCounted, type LeadNumbers } from '#features/crm/leads/numbers/contract.ts'
import classes from '#features/crm/leads/numbers/web/numbers.module.css'
import { toQueryString } from '#web/api/query-string.ts'
import { CardItem, CardList, DashboardCard, NothingHere, SeeAllLink } from '#web/dashboard/DashboardCard.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'

const queue = '/demo-leads/follow-ups'

type Items = LeadNumbers['today']

interface Props {
  title: string
  /** The queue tab that contains the same leads. */
  tab: 'overdue' | 'today' | 'next'
  items: Items
  /** How many of them each assignee has. */
  by?: LeadNumbers['overdue']['by']
  none: string
  /** The leads' product. */
  product: string | undefined
}

/**
 * List of leads with a follow-up date. The title and "See all" link to the complete list in the queue, and
 * each item links to its lead.
 */
export function FollowUps({ title, tab, items: { total, first }, by = [], none, product }: Props) {
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
      {by.length > 1 && <ByAssignee by={by} />}
      {total > first.length && <SeeAllLink title={title} to={queue} search={ofEveryone} />}
    </DashboardCard>
  )
}

/** How many each assignee has, each with a link to them in the queue. */
const ByAssignee = ({ by }: { by: LeadNumbers['overdue']['by'] }) => (
  <ul className={classes.people} aria-label="By assignee">
    {by.map(({ id, name, total }) => (
      <li key={id}>
        <PageLink to={`${queue}?${toQueryString(leadsCounted.overdueOf(id))}`}>{name}</PageLink>{' '}
        {total.toLocaleString('en-US')}
      </li>
    ))}
  </ul>
)
