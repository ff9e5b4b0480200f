import type { SupportReport } from '#features/crm/support/report.contract.ts'
import type { ReportLinks } from '#features/crm/support/web/report/reportLinks.ts'
import { DaysChart } from '#web/report/DaysChart.tsx'
import { toneColor } from '#web/theme.ts'

interface Props {
  report: SupportReport
  links: ReportLinks
}

/** Received and solved tickets by day or, for a long period, by week. */
export const TicketsChart = ({ report, links }: Props) => (
  <DaysChart
    id="received-and-solved"
    title="Received and solved"
    period={report}
    days={report.days}
    series={[
      { of: 'received', name: 'Received', color: toneColor('blue'), addressOf: links.received },
      {
        of: 'solved',
        name: 'Solved',
        color: toneColor('green'),
        addressOf: (days) => links.event('solved', days),
      },
    ]}
    empty={{ title: 'No tickets in this period', text: 'Choose a longer period or other filters.' }}
  />
)
