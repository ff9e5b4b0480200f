import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { salesReport, type SalesReportFilters } from '#features/crm/leads/report/contract.ts'
import { rateOf } from '#features/crm/leads/report/rules.ts'
import classes from '#features/crm/leads/report/web/sales.module.css'
import type { SalesLinks } from '#features/crm/leads/report/web/salesLinks.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { DashboardCard } from '#web/dashboard/DashboardCard.tsx'
import { Loaded, LoadingState } from '#web/list/states.tsx'
import { Count, TableCard } from '#web/report/TableCard.tsx'
import { toneColor } from '#web/theme.ts'

interface Props {
  filters: SalesReportFilters
  links: SalesLinks
}

const heading = {
  id: 'cohort',
  title: 'Funnel of new leads',
  about: 'how far the leads that came in during this period got until now',
}

/** How far the leads of the period got, whenever that was. It is requested apart from the report, which is shown first. */
export function CohortCard({ filters: { compare: _, ...filters }, links }: Props) {
  const query = useQuery({
    ...queryOptionsFor(salesReport.cohort, { query: filters }),
    placeholderData: keepPreviousData,
  })
  const cohort = query.data?.data
  if (!cohort)
    return (
      <DashboardCard {...heading}>
        <Loaded query={query} what="The funnel of new leads" skeleton={<LoadingState rows={5} />}>
          {() => null}
        </Loaded>
      </DashboardCard>
    )
  const { received, statuses } = cohort
  return (
    <TableCard
      {...heading}
      table="cohort"
      empty="No leads in this period."
      heads={['Status', 'Reached until now', 'Of all']}
      rows={(received === 0 ? [] : statuses).map(({ status, name, tone, reached }) => ({
        key: status,
        name,
        cells: [
          <span key="reached" className={classes.reached}>
            <span
              className={classes.bar}
              style={{ width: `${(reached / received) * 100}%`, background: toneColor(tone) }}
            />
            <Count count={reached} to={links.cohort(cohort, status)} label={`Reached until now, ${name}`} />
          </span>,
          percentText(rateOf(reached, received)),
        ],
      }))}
      total={[
        <Count key="all" count={received} to={links.received(cohort)} label="Came in, all" />,
        percentText(rateOf(received, received)),
      ]}
    />
  )
}

const percentText = (rate: number | undefined) => (rate === undefined ? '' : `${rate}%`)
