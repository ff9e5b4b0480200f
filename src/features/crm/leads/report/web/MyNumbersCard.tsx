import { useQuery } from '@tanstack/react-query'
import { periodOf, periodText } from '#shared/trend.ts'
import { salesReport, type SalesReport } from '#features/crm/leads/report/contract.ts'
import { SalesTiles } from '#features/crm/leads/report/web/SalesTiles.tsx'
import { salesLinks } from '#features/crm/leads/report/web/salesLinks.ts'
import { queryTogether } from '#web/api/together.ts'
import { useMay } from '#web/api/useSend.ts'
import { DashboardCard, NothingHere } from '#web/dashboard/DashboardCard.tsx'
import { useAskedNumbers, usePeriod, type AskedNumbers } from '#web/dashboard/dashboardAddress.ts'
import { Loaded, LoadingState } from '#web/list/states.tsx'
import { useViewer } from '#web/session.ts'

const isEmpty = ({ received, contacted, demos, won, lost, currencies }: SalesReport) =>
  [received, contacted, demos, won, lost].every(({ count, before }) => count === 0 && !before) &&
  currencies.every(({ open }) => open.count === 0)

/** The viewer's own numbers of the dashboard's period. */
export const askMyNumbers = ({ product: lead_for, today, period }: AskedNumbers) => {
  const { from, to } = periodOf(period, today)
  const query = { assignee: 'me', from, to, ...(lead_for === undefined ? {} : { lead_for }) } as const
  return queryTogether(salesReport.show, { query })
}

/** Dashboard card with the viewer's own numbers of the sales report, for viewers who are allowed to list leads. */
export function MyNumbersCard() {
  const viewer = useViewer()
  const asked = useAskedNumbers()
  const { product: lead_for } = asked
  const { id: period, from, to } = usePeriod()
  const may = useMay(salesReport.show, { query: { lead_for } })
  const query = useQuery(askMyNumbers(asked))
  if (!may) return null
  return (
    <DashboardCard
      id="my-numbers"
      title="My numbers"
      about={periodText(period)}
      to="/demo-leads/report"
      search={{ assignee: 'me', from, to }}
    >
      <Loaded query={query} what="Your numbers" skeleton={<LoadingState rows={2} />}>
        {({ data }) =>
          isEmpty(data) ? (
            <NothingHere>You had no leads in this period.</NothingHere>
          ) : (
            <SalesTiles
              report={data}
              currency={data.currencies[0]?.currency}
              than={`in the ${data.days.length} days before`}
              links={salesLinks({ lead_for, source_filter: 'all', person: viewer?.id })}
            />
          )
        }
      </Loaded>
    </DashboardCard>
  )
}
