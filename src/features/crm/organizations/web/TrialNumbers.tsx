import { useQuery } from '@tanstack/react-query'
import { mayOpen } from '#shared/access.ts'
import { dayText } from '#shared/dates.ts'
import { weekFrom } from '#shared/trend.ts'
import {
  organizationNumbers,
  organizationsCounted,
  type OrganizationNumbers,
} from '#features/crm/organizations/numbers.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { useMay } from '#web/api/useSend.ts'
import { BarsChart, type ChartData } from '#web/charts/charts.tsx'
import { useChanged } from '#web/live.ts'
import { useViewer } from '#web/session.ts'
import { toneColor } from '#web/theme.ts'
import { TileOf } from '#web/tile/Tile.tsx'
import { useToday } from '#web/time.ts'

const page = '/organizations/all-organizations'
const addressOf = (filters: object) => `${page}?${toQueryString({ ...filters })}`

/** Fetches the statistics of organizations, for viewers who can list them. */
function useOrganizationNumbers() {
  const viewer = useViewer()
  const asked = { query: { today: useToday() } }
  const may = useMay(organizationNumbers.show, asked)
  const query = useQuery(queryOptionsFor(organizationNumbers.show, asked))
  useChanged('organization', may ? [organizationNumbers.show] : [])
  return { may, query, hasList: viewer !== undefined && mayOpen(viewer.role_id, page) }
}

/** Organizations that are on trial. */
export function TrialsTile() {
  const { may, query, hasList } = useOrganizationNumbers()
  if (!may) return null
  return (
    <TileOf name="On trial" query={query}>
      {({ on_trial, ends_soon }) => ({
        value: on_trial,
        detail: `${ends_soon.toLocaleString('en-US')} ending within 7 days`,
        to: hasList ? addressOf(organizationsCounted.on_trial) : undefined,
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
