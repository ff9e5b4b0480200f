import { dayText } from '#shared/dates.ts'
import { agoText, weekFrom } from '#shared/trend.ts'
import {
  organizationsCounted,
  type OrganizationNumbers,
} from '#features/crm/organizations/numbers.contract.ts'
import {
  organizationList,
  useOrganizationNumbers,
} from '#features/crm/organizations/web/useOrganizationNumbers.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { BarsChart, type ChartData } from '#web/charts/charts.tsx'
import { toneColor } from '#web/theme.ts'
import { changeOf, TileOf } from '#web/tile/Tile.tsx'

const addressOf = (filters: object) => `${organizationList}?${toQueryString({ ...filters })}`

/** Organizations that are on trial. */
export function TrialsTile() {
  const { may, query, period, hasList } = useOrganizationNumbers()
  if (!may) return null
  return (
    <TileOf name="On trial" query={query}>
      {({ on_trial: { total, before, parts }, ends_soon }) => ({
        value: total,
        change: changeOf(total, before, agoText(period), 'more'),
        series: parts,
        detail: `${ends_soon.toLocaleString('en-US')} ending within 7 days`,
        to: hasList ? addressOf(organizationsCounted.on_trial) : undefined,
        detailTo: hasList && ends_soon > 0 ? addressOf(organizationsCounted.ends_soon) : undefined,
      })}
    </TileOf>
  )
}

/** Trials that end in each of the next weeks. */
export function TrialsEndingCard() {
  const { may, query, hasList } = useOrganizationNumbers()
  if (!may) return null
  return (
    <BarsChart
      id="trials-ending"
      title="Trials ending"
      about="by week"
      query={query}
      chart={(numbers) => chartOf(numbers, hasList)}
      empty={{
        title: 'No trials end in the next weeks',
        text: 'Trials will appear here in the week they end.',
      }}
    />
  )
}

function chartOf({ weeks, ending }: OrganizationNumbers, hasList: boolean): ChartData {
  const whole = { from: weeks[0]!, to: weekFrom(weeks.at(-1)!).to }
  const endingIn = (days: typeof whole) => addressOf(organizationsCounted.ending(days))
  return {
    unit: 'Week of',
    points: weeks.map((week, index) => ({
      name: dayText(week).slice(0, -5),
      fullName: dayText(week),
      values: [ending[index]!],
    })),
    series: [
      { name: 'Trials ending', color: toneColor('orange'), ...(hasList ? { to: endingIn(whole) } : {}) },
    ],
    ...(hasList ? { addressOf: (point) => endingIn(weekFrom(weeks[point]!)) } : {}),
  }
}
