import { addDays, dayText, mondayOf } from '#shared/dates.ts'
import type { Days } from '#shared/trend.ts'
import { GroupedBarsChart, type ChartData } from '#web/charts/charts.tsx'
import { CsvButton } from '#web/report/csv.tsx'

interface Series<Name extends string> {
  of: Name
  name: string
  /** A CSS color. */
  color: string
  /** Returns the address of the records that are counted in some of the days. */
  addressOf: (days: Days) => string
}

interface Props<Name extends string> {
  id: string
  title: string
  period: Days
  days: readonly ({ day: string } & Record<Name, number>)[]
  series: readonly Series<Name>[]
  empty: { title: string; text: string }
}

/** More days than this are shown by week. */
const mostDays = 62

/** Numbers of a report by day or, for a long period, by week. */
export function DaysChart<Name extends string>({ id, title, period, days, series, empty }: Props<Name>) {
  const isByWeek = days.length > mostDays
  return (
    <GroupedBarsChart
      id={id}
      title={title}
      about={isByWeek ? 'by week' : 'by day'}
      action={<CsvButton table="days" title={title} />}
      query={{ data: days, error: null, isLoading: false, refetch: () => undefined }}
      chart={(shown) => chartOf(shown, series, period, isByWeek)}
      empty={empty}
    />
  )
}

interface Step extends Days {
  values: number[]
}

function chartOf<Name extends string>(
  days: Props<Name>['days'],
  series: readonly Series<Name>[],
  period: Days,
  isByWeek: boolean,
): ChartData {
  const steps: Step[] = []
  for (const one of days) {
    const { day } = one
    const values = series.map(({ of }) => one[of])
    const step = steps.at(-1)
    if (isByWeek && step && mondayOf(step.from) === mondayOf(day))
      step.values = step.values.map((value, index) => value + values[index]!)
    else {
      const sunday = addDays(mondayOf(day), 6)
      steps.push({ from: day, to: isByWeek ? (sunday < period.to ? sunday : period.to) : day, values })
    }
  }
  return {
    unit: isByWeek ? 'Week of' : 'Day',
    points: steps.map(({ from, values }) => ({
      name: dayText(from).slice(0, -5),
      fullName: dayText(from),
      values,
    })),
    series: series.map(({ of: _, addressOf, ...shown }) => ({ ...shown, to: addressOf(period) })),
    addressOf: (point, index) => {
      const step = steps[point]
      return step && series[index]?.addressOf(step)
    },
  }
}
