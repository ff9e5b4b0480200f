import { addDays, dayText } from '#shared/dates.ts'
import type { LeadNumbers } from '#features/crm/leads/numbers/contract.ts'
import { BarsChart, type ChartData } from '#web/charts/charts.tsx'
import { toneColor } from '#web/theme.ts'

interface Props {
  query: { data: LeadNumbers | undefined; error: unknown; isLoading: boolean; refetch: () => unknown }
  product: string | undefined
}

/** The leads of the last weeks by status; each number links to its leads. */
export const LeadsByWeek = ({ query, product }: Props) => (
  <BarsChart
    id="by-status"
    title="Leads by status"
    about="by week created"
    scope={product}
    query={query}
    chart={chartOf}
    empty={{
      title: 'No leads in the last weeks',
      text: 'Leads will appear here in the week they come in.',
    }}
  />
)

function chartOf({ weeks, by_status: all }: LeadNumbers): ChartData {
  const by_status = all.filter(({ counts }) => counts.some((count) => count > 0))
  const leadsOf = (status: number, from: string, to: string) =>
    `/demo-leads?status=${status}&fromDate=${from}&toDate=${to}`
  return {
    unit: 'Week of',
    points: weeks.map((week, index) => ({
      name: dayText(week).slice(0, -5),
      fullName: dayText(week),
      values: by_status.map(({ counts }) => counts[index]!),
    })),
    series: by_status.map(({ status, name, tone }) => ({
      name,
      color: toneColor(tone),
      to: leadsOf(status, weeks[0]!, addDays(weeks.at(-1)!, 6)),
    })),
    addressOf: (point, series) =>
      leadsOf(by_status[series]!.status, weeks[point]!, addDays(weeks[point]!, 6)),
  }
}
