import { Link } from '@tanstack/react-router'
import type { LeadNumbers } from '#features/crm/leads/numbers/contract.ts'
import classes from '#features/crm/leads/numbers/web/numbers.module.css'
import { DashboardCard } from '#web/dashboard/DashboardCard.tsx'
import { EmptyState } from '#web/list/states.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { toneColor } from '#web/theme.ts'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'

type Rows = LeadNumbers['by_status']

/** Number of leads by status, as a table with a bar in each row, so that no text alternative is needed. */
export function LeadsByStatus({ rows, product }: { rows: Rows; product: string | undefined }) {
  const most = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <DashboardCard id="by-status" title="Leads by status" total={product}>
      {rows.every(({ count }) => count === 0) ? (
        <EmptyState title="No leads yet">Lead counts by status will appear here.</EmptyState>
      ) : (
        <table className={classes.bars}>
          <VisuallyHidden as="thead">
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Leads</th>
              <th scope="col">Share</th>
            </tr>
          </VisuallyHidden>
          <tbody>
            {rows.map(({ status, name, tone, count }) => (
              <tr key={status}>
                <th scope="row">
                  <Link
                    to="/demo-leads"
                    search={{ status, fromDate: 'all', toDate: 'all' }}
                    className={classes.barLink}
                  >
                    <Tone tone={tone}>{name}</Tone>
                  </Link>
                </th>
                <td className={classes.number}>{count.toLocaleString()}</td>
                <td className={classes.barCell}>
                  <span
                    className={classes.bar}
                    style={{ width: `${(count / most) * 100}%`, background: toneColor(tone) }}
                    aria-hidden
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </DashboardCard>
  )
}
