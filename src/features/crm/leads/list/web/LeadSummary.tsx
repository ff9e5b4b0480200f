import { useQuery } from '@tanstack/react-query'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import type { LeadPageFilters } from '#features/crm/leads/list/web/leadList.tsx'
import classes from '#features/crm/leads/list/web/leadSummary.module.css'
import { leadSummary } from '#features/crm/leads/summary.contract.ts'
import { amountText } from '#shared/money.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { narrowingOf, type List } from '#web/list/useList.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { countText, totalText } from '#web/time.ts'

interface Props {
  list: Pick<List<LeadRow, typeof LeadPageFilters>, 'total' | 'isCapped' | 'requestQuery'>
}

/** The number of all leads that match the filters, and the sum of their amounts in each currency. */
export function LeadSummary({ list: { total = 0, isCapped, requestQuery } }: Props) {
  const { data, isError, refetch } = useQuery(
    queryOptionsFor(leadSummary.show, { query: narrowingOf(requestQuery) }),
  )
  return (
    <section className={classes.summary} aria-label="Summary">
      <b>{total === 1 ? '1 lead' : `${totalText(total, isCapped)} leads`}</b>
      {isCapped && isError && <LinkButton onClick={() => void refetch()}>Count them again</LinkButton>}
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
