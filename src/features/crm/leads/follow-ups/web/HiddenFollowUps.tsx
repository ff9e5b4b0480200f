import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LeadFilters } from '#features/crm/leads/contract.ts'
import { followUps } from '#features/crm/leads/follow-ups/contract.ts'
import { mostHidden } from '#features/crm/leads/follow-ups/rules.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'

/**
 * Queries how many follow-ups are hidden by the period. Disabled if the period is all time, because then none
 * are hidden.
 */
export function hiddenFollowUpsQuery(filters: LeadFilters) {
  const asked = queryOptionsFor(followUps.hidden, { query: { ...filters, page: 1 } })
  return filters.fromDate === 'all' && filters.toDate === 'all' ? { ...asked, enabled: () => false } : asked
}

/** Notice that the period hides overdue follow-ups, with links to them. */
export function HiddenFollowUps({
  filters,
  onChange,
}: {
  filters: LeadFilters
  onChange: (change: Partial<LeadFilters>) => void
}) {
  const { data } = useQuery(hiddenFollowUpsQuery(filters))
  // Without the text, the line keeps its place above the list.
  if (!data?.count) return <div />
  const many = data.more ? `More than ${mostHidden}` : String(data.count)
  return (
    <div>
      {many} overdue {data.count === 1 ? 'follow-up is' : 'follow-ups are'} outside this period.{' '}
      <LinkButton onClick={() => onChange({ followup_filter: 1, fromDate: 'all', toDate: 'all' })}>
        Show all overdue follow-ups
      </LinkButton>{' '}
      <Link
        to="/demo-leads/follow-ups"
        search={{ tab: 'overdue', ...(filters.assigned_filter === 'mine' ? {} : { assigned_filter: 'all' }) }}
      >
        Go to follow-ups
      </Link>
    </div>
  )
}
