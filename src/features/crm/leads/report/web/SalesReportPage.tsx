import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { isAdminRole } from '#shared/access.ts'
import { addDays, monthText } from '#shared/dates.ts'
import { comparisons, reportFilters, usualDays } from '#shared/report-period.ts'
import { currencyCode } from '#shared/schemas.ts'
import { salesReport, SalesReportFilters, type SalesReport } from '#features/crm/leads/report/contract.ts'
import { Funnel, GroupsCard, ReasonsCard } from '#features/crm/leads/report/web/SalesTables.tsx'
import { SalesTiles } from '#features/crm/leads/report/web/SalesTiles.tsx'
import { salesLinks, type SalesScope } from '#features/crm/leads/report/web/salesLinks.ts'
import { askOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useDownload } from '#web/api/useDownload.ts'
import { useMay } from '#web/api/useSend.ts'
import { BarsChart } from '#web/charts/charts.tsx'
import { choice, days, type Filter } from '#web/filter/filters.tsx'
import { asPairs } from '#web/filter/useOptions.ts'
import { useAddress } from '#web/list/address/useAddress.ts'
import { Loaded } from '#web/list/states.tsx'
import { Beside, ReportFrame } from '#web/report/ReportFrame.tsx'
import { DaysChart } from '#web/report/DaysChart.tsx'
import { useViewer } from '#web/session.ts'
import { useScope } from '#web/shell/useScope.ts'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { toneColor } from '#web/theme.ts'
import { useToday } from '#web/time.ts'

const Address = reportFilters({ ...SalesReportFilters.shape, currency: currencyCode.optional() })
type Address = SalesReportFilters & { currency?: string | undefined }
const parents = [['/demo-leads', 'Leads']] as const

/** Which leads came in, how far they got, and what was won, in a period that the user chooses. */
export function SalesReportPage() {
  const [asked, filterBy] = useAddress(Address)
  const { currency, lead_for: _, ...chosen } = asked as Address
  const today = useToday()
  const scope = useScope()
  // The address has a period only if it isn't the last 30 days.
  const period = chosen.from || chosen.to ? {} : { from: addDays(today, 1 - usualDays), to: today }
  const filters: SalesReportFilters = {
    ...chosen,
    ...period,
    ...(scope === undefined ? {} : { lead_for: scope }),
  }
  const may = useMay(salesReport.show, { query: filters })
  const query = useQuery({
    ...queryOptionsFor(salesReport.show, { query: filters }),
    enabled: may,
    placeholderData: keepPreviousData,
  })
  const controls = useSalesFilters(query.data?.data)
  const { download, loading } = useDownload()
  if (!may) return <NoAccessPage parents={parents} />
  return (
    <ReportFrame<Address>
      parents={parents}
      controls={controls}
      filters={{ ...filters, currency }}
      onChange={(changed) => void filterBy(changed)}
      onExport={() => void download('sales report.csv', salesReport.export, { query: filters })}
      isExporting={loading}
    >
      <Loaded query={query} what="The report">
        {({ data }) => <Report report={data} filters={filters} chosen={currency} />}
      </Loaded>
    </ReportFrame>
  )
}

function useSalesFilters(report: SalesReport | undefined): Filter<Address>[] {
  const { data: options } = useQuery(askOptions())
  const viewer = useViewer()
  const staff = viewer && isAdminRole(viewer.role_id) ? (options?.staff ?? []) : []
  const currencies = report?.currencies.map(({ currency }) => currency) ?? []
  return [
    days<Address>('from', 'to', 'Period'),
    choice<Address>('compare', 'Compare with', comparisons.before, [
      ['year', comparisons.year],
      ['none', comparisons.none],
    ]),
    choice<Address>('assignee', 'Assignee', 'Everyone', [
      ['me', 'Me'],
      ['none', 'Unassigned'],
      ...asPairs(staff),
    ]),
    choice<Address>(
      'source_filter',
      'Source',
      'All sources',
      [['none', 'No source'], ...(options?.sources ?? []).map((name) => [name, name] as const)],
      { none: 'all' },
    ),
    ...(currencies.length > 1
      ? [
          choice<Address>(
            'currency',
            'Amounts in',
            currencies[0]!,
            currencies.slice(1).map((code) => [code, code]),
          ),
        ]
      : []),
  ]
}

interface Props {
  report: SalesReport
  filters: SalesReportFilters
  chosen: string | undefined
}

function Report({ report, filters, chosen }: Props) {
  const viewer = useViewer()
  const { lead_for, source_filter, assignee } = filters
  const person = assignee === 'me' ? viewer?.id : assignee
  const scope: SalesScope = { lead_for, source_filter, person }
  const links = salesLinks(scope)
  const shown = report.currencies.find(({ currency }) => currency === chosen) ?? report.currencies[0]
  const currency = shown?.currency
  return (
    <>
      <SalesTiles report={report} currency={currency} compare={filters.compare ?? 'before'} links={links} />
      <Funnel report={report} links={links} />
      <Beside>
        {shown && <MonthsChart shown={shown} />}
        <DaysChart
          id="came-in-and-won"
          title="Came in and won"
          period={report}
          days={report.days}
          series={[
            { of: 'received', name: 'Came in', color: toneColor('blue'), addressOf: links.received },
            {
              of: 'won',
              name: 'Won',
              color: toneColor('green'),
              isDashed: true,
              addressOf: (of) => links.event('reached', of, { status: report.won.status }),
            },
          ]}
          empty={{ title: 'No leads in this period', text: 'Choose a longer period or other filters.' }}
        />
        <ReasonsCard report={report} links={links} />
        <GroupsCard
          id="by-assignee"
          title="By assignee"
          about="admins see everyone"
          report={report}
          links={links}
          currency={currency}
          rows={report.people.map(({ id, ...one }) => ({
            ...one,
            key: id ?? 'none',
            links: salesLinks({ ...scope, person: id ?? 'none' }),
          }))}
        />
        <GroupsCard
          id="by-source"
          title="By source"
          report={report}
          links={links}
          currency={currency}
          rows={report.sources.map(({ name, ...one }) => ({
            ...one,
            name: name ?? 'No source',
            key: name ?? '',
            links: salesLinks({ ...scope, source_filter: name ?? 'none' }),
          }))}
        />
      </Beside>
    </>
  )
}

/** Amounts that were won, and weighted ones that are still open, by month. */
const MonthsChart = ({ shown }: { shown: SalesReport['currencies'][number] }) => (
  <BarsChart
    id="forecast-and-won"
    title="Forecast and won"
    about={`by month, ${shown.currency}`}
    query={{ data: shown.months, error: null, isLoading: false, refetch: () => undefined }}
    chart={(months) => ({
      unit: 'Month',
      points: months.map(({ month, won, weighted }) => ({
        name: monthText(month).slice(0, 3),
        fullName: monthText(month),
        values: [won, weighted],
      })),
      series: [
        { name: 'Won', color: toneColor('green') },
        { name: 'Weighted, still open', color: toneColor('blue') },
      ],
    })}
    empty={{ title: 'No amounts', text: 'Enter the amounts of your leads.' }}
  />
)
