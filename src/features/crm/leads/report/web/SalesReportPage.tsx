import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { isAdminRole } from '#shared/access.ts'
import { addDays, monthText } from '#shared/dates.ts'
import { reportFilters, usualDays } from '#shared/report-period.ts'
import { currencyCode } from '#shared/schemas.ts'
import { salesReport, SalesReportFilters, type SalesReport } from '#features/crm/leads/report/contract.ts'
import { ActivitiesCard } from '#features/crm/leads/report/web/ActivitiesCard.tsx'
import { CohortCard } from '#features/crm/leads/report/web/CohortCard.tsx'
import { AmountsCard, Funnel, GroupsCard, ReasonsCard } from '#features/crm/leads/report/web/SalesTables.tsx'
import { SalesTiles } from '#features/crm/leads/report/web/SalesTiles.tsx'
import { salesLinks, type SalesScope } from '#features/crm/leads/report/web/salesLinks.ts'
import { askOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { BarsChart } from '#web/charts/charts.tsx'
import { choice, type Filter } from '#web/filter/filters.tsx'
import { asPairs } from '#web/filter/useOptions.ts'
import { useAddress } from '#web/list/address/useAddress.ts'
import { Loaded } from '#web/list/states.tsx'
import { Beside, periodFilters, ReportFrame } from '#web/report/ReportFrame.tsx'
import { DaysChart } from '#web/report/DaysChart.tsx'
import { CsvButton, useReportExport } from '#web/report/csv.tsx'
import { useViewer } from '#web/session.ts'
import { useScopeOrAll } from '#web/shell/useScope.ts'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { toneColor } from '#web/theme.ts'
import { useToday } from '#web/time.ts'

const Address = reportFilters({
  ...SalesReportFilters.shape,
  currency: currencyCode.optional(),
  product_scope: z.enum(['all']).optional(),
})
type Address = SalesReportFilters & { currency?: string | undefined; product_scope?: 'all' | undefined }
const parents = [['/demo-leads', 'Leads']] as const

/** Which leads came in, how far they got, and what was won, in a period that the user chooses. */
export function SalesReportPage() {
  const [asked, filterBy] = useAddress(Address)
  const { currency, lead_for: _, product_scope: _scope, ...chosen } = asked as Address
  const today = useToday()
  const scope = useScopeOrAll()
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
  const exported = useReportExport('sales report', salesReport.export, filters)
  if (!may) return <NoAccessPage parents={parents} />
  return (
    <ReportFrame<Address>
      parents={parents}
      controls={controls}
      filters={{ ...filters, currency }}
      onChange={(changed) => void filterBy(changed)}
      report={exported}
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
    ...periodFilters<Address>(),
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
      <SalesTiles report={report} currency={currency} links={links} />
      <Funnel report={report} links={links} />
      <Beside>
        <CohortCard filters={filters} links={links} />
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
              addressOf: (of) => links.event('reached', of, { status: report.won.status }),
            },
          ]}
          empty={{ title: 'No leads in this period', text: 'Choose a longer period or other filters.' }}
        />
        <ReasonsCard report={report} links={links} />
        <Groups report={report} scope={scope} currency={currency} />
        <AmountsCard report={report} links={links} />
      </Beside>
      <ActivitiesCard report={report} scope={scope} />
    </>
  )
}

interface GroupsProps {
  report: SalesReport
  scope: SalesScope
  currency: string | undefined
}

/** The numbers by assignee and source, and with all products by product. */
function Groups({ report, scope, currency }: GroupsProps) {
  const of = { report, links: salesLinks(scope), currency }
  return (
    <>
      <GroupsCard
        id="by-assignee"
        title="By assignee"
        about="admins see everyone"
        table="assignees"
        {...of}
        rows={report.people.map(({ id, ...one }) => ({
          ...one,
          key: id ?? 'none',
          links: salesLinks({ ...scope, person: id ?? 'none' }),
        }))}
      />
      <GroupsCard
        id="by-source"
        title="By source"
        table="sources"
        {...of}
        rows={report.sources.map(({ name, ...one }) => ({
          ...one,
          name: name ?? 'No source',
          key: name ?? '',
          links: salesLinks({ ...scope, source_filter: name ?? 'none' }),
        }))}
      />
      {scope.lead_for === undefined && (
        <GroupsCard
          id="by-product"
          title="By product"
          table="products"
          {...of}
          rows={report.products.map(({ id, ...one }) => ({
            ...one,
            key: id,
            links: salesLinks({ ...scope, lead_for: id, isOfChosen: false }),
          }))}
        />
      )}
    </>
  )
}

/** Amounts that were won, and weighted ones that are still open, by month. */
const MonthsChart = ({ shown }: { shown: SalesReport['currencies'][number] }) => (
  <BarsChart
    id="forecast-and-won"
    title="Forecast and won"
    about={`by month, ${shown.currency}`}
    action={<CsvButton table="months" title="Forecast and won" />}
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
