import { useQuery } from '@tanstack/react-query'
import type { LeadFilters } from '#features/crm/leads/contract.ts'
import classes from '#features/crm/leads/list/web/leadSummary.module.css'
import { leadSummary } from '#features/crm/leads/summary.contract.ts'
import { amountText } from '#shared/money.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useChanged } from '#web/live.ts'
import { countText } from '#web/time.ts'

interface Props {
  total: number
  filters: LeadFilters
}

/** The number of all leads that match the filters, and the sum of their amounts in each currency. */
export function LeadSummary({ total, filters }: Props) {
  const { page: _page, column: _column, direction: _direction, ...narrowing } = filters
  const { data } = useQuery(queryOptionsFor(leadSummary.show, { query: narrowing }))
  useChanged('leads', [leadSummary.show])
  return (
    <section className={classes.summary} aria-label="Summary">
      <b>{total === 1 ? '1 lead' : `${countText(total)} leads`}</b>
      {data && data.data.length > 0 && (
        <ul aria-label="Amounts in the first year">
          {data.data.map(({ currency, sum, leads }) => (
            <li key={currency} title={`${leads === 1 ? '1 lead' : `${countText(leads)} leads`}, first year`}>
              {amountText(sum, currency)}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
