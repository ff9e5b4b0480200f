import { addDays, dayText, mondayOf } from '#shared/dates.ts'
import type { SupportReport } from '#features/crm/support/report.contract.ts'
import type { ReportLinks } from '#features/crm/support/web/report/reportLinks.ts'
import { AreasChart, type ChartData } from '#web/charts/charts.tsx'
import { toneColor } from '#web/theme.ts'

interface Props {
  report: SupportReport
  links: ReportLinks
}

/** More days than this are shown by week. */
const mostDays = 62

/** Received and solved tickets by day or, for a long period, by week. */
export function DaysChart({ report, links }: Props) {
  const isByWeek = report.days.length > mostDays
  return (
    <AreasChart
      id="received-and-solved"
      title="Received and solved"
      about={isByWeek ? 'by week' : 'by day'}
      query={{ data: report, error: null, isLoading: false, refetch: () => undefined }}
      chart={(shown) => chartOf(shown, links, isByWeek)}
      empty={{ title: 'No tickets in this period', text: 'Choose a longer period or other filters.' }}
    />
  )
}

interface Step {
  from: string
  to: string
  received: number
  solved: number
}

function stepsOf({ days, to: last }: SupportReport, isByWeek: boolean): Step[] {
  const steps: Step[] = []
  for (const { day, received, solved } of days) {
    const step = steps.at(-1)
    if (isByWeek && step && mondayOf(step.from) === mondayOf(day)) {
      step.received += received
      step.solved += solved
    } else {
      const sunday = addDays(mondayOf(day), 6)
      steps.push({ from: day, to: isByWeek ? (sunday < last ? sunday : last) : day, received, solved })
    }
  }
  return steps
}

function chartOf(report: SupportReport, links: ReportLinks, isByWeek: boolean): ChartData {
  const steps = stepsOf(report, isByWeek)
  return {
    unit: isByWeek ? 'Week of' : 'Day',
    points: steps.map(({ from, received, solved }) => ({
      name: dayText(from).slice(0, -5),
      fullName: dayText(from),
      values: [received, solved],
    })),
    series: [
      { name: 'Received', color: toneColor('blue'), to: links.received(report) },
      { name: 'Solved', color: toneColor('green'), isDashed: true, to: links.event('solved', report) },
    ],
    addressOf: (point, series) => {
      const step = steps[point]
      if (!step) return undefined
      return series === 0 ? links.received(step) : links.event('solved', step)
    },
  }
}
