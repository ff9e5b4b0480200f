import { Link } from '@tanstack/react-router'
import { dayText } from '#shared/dates.ts'
import type { LeadNumbers } from '#features/crm/leads/numbers/contract.ts'
import classes from '#web/dashboard/cards.module.css'
import { RecordLink } from '#web/record/RecordLink.tsx'

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
  const everybodys = { tab, assigned_filter: 'all' }
  return (
    <section className={classes.card} aria-label={title}>
      <h2 className={classes.cardTitle}>
        <Link to={queue} search={everybodys} className={classes.titleLink}>
          {title}
        </Link>
        <span className={classes.total}>
          {product && `${product} · `}
          {total.toLocaleString()}
        </span>
      </h2>
      {first.length === 0 ? (
        <p className={classes.none}>{none}</p>
      ) : (
        <ul className={classes.list}>
          {first.map((lead) => (
            <li key={lead.lead_id}>
              <RecordLink type="lead" id={lead.lead_id} name={lead.companyName} className={classes.item}>
                <span className={classes.itemName}>{lead.companyName}</span>
                <span className={classes.itemDetail}>{lead.assigned_name ?? 'Unassigned'}</span>
                <time className={classes.itemDay} dateTime={lead.followup_date}>
                  {dayText(lead.followup_date)}
                </time>
              </RecordLink>
            </li>
          ))}
        </ul>
      )}
      {total > first.length && (
        <Link to={queue} search={everybodys} className={classes.seeAll} aria-label={`See all: ${title}`}>
          See all
        </Link>
      )}
    </section>
  )
}
