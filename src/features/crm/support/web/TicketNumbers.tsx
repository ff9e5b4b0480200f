import { useQuery } from '@tanstack/react-query'
import { mayOpen } from '#shared/access.ts'
import { addDays, dayText } from '#shared/dates.ts'
import { firstOfTrend } from '#shared/trend.ts'
import { ticketNumbers, type TicketNumbers } from '#features/crm/support/numbers.contract.ts'
import { durationText, roundToMinutes } from '#features/crm/support/web/durations.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { AreasChart, type ChartData } from '#web/charts/charts.tsx'
import { useChanged } from '#web/live.ts'
import { useViewer } from '#web/session.ts'
import { toneColor } from '#web/theme.ts'
import { changeOf, TileOf } from '#web/tile/Tile.tsx'
import { useToday } from '#web/time.ts'

const createdBetween = (from: string, to: string) => `/support?created_from=${from}&created_to=${to}`

/** Fetches the ticket statistics, for viewers who can open the list of tickets. */
function useTicketNumbers() {
  const viewer = useViewer()
  const today = useToday()
  const asked = { query: { today } }
  const may = useMay(ticketNumbers.show, asked) && viewer !== undefined && mayOpen(viewer.role_id, '/support')
  const query = useQuery({ ...queryOptionsFor(ticketNumbers.show, asked), enabled: may })
  useChanged('ticket', may ? [ticketNumbers.show] : [])
  return { may, query, today }
}

/** Tickets created in the last 30 days. */
export function NewTicketsTile() {
  const { may, query, today } = useTicketNumbers()
  if (!may) return null
  return (
    <TileOf name="New tickets" query={query}>
      {({ created: { total, before, parts } }) => ({
        value: total,
        detail: 'in 30 days',
        change: changeOf(total, before, 'in the 30 days before', 'less'),
        series: parts,
        to: createdBetween(firstOfTrend(today), today),
      })}
    </TileOf>
  )
}

const words = { more: 'slower', less: 'faster', amount: durationText }

/** Median time until the first answer to the tickets of the last 30 days. */
export function FirstResponseTile() {
  const { may, query } = useTicketNumbers()
  if (!may || query.data?.first_response.seconds === null) return null
  return (
    <TileOf name="First response" query={query}>
      {({ first_response: { seconds, before } }) => ({
        value: durationText(seconds ?? 0),
        detail: 'median in 30 days',
        change:
          seconds === null || before === null
            ? undefined
            : changeOf(
                roundToMinutes(seconds),
                roundToMinutes(before),
                'in the 30 days before',
                'less',
                words,
              ),
      })}
    </TileOf>
  )
}

/** Tickets that were created and that were first answered in each of the last weeks. */
export function TicketsPerWeekCard() {
  const { may, query } = useTicketNumbers()
  if (!may) return null
  return (
    <AreasChart
      id="tickets-per-week"
      title="Tickets"
      about="opened and first answered per week"
      query={query}
      chart={chartOf}
      empty={{
        title: 'No tickets in the last weeks',
        text: 'Tickets will appear here in the week they are opened.',
      }}
    />
  )
}

const chartOf = ({ weeks, opened, answered }: TicketNumbers): ChartData => ({
  unit: 'Week of',
  points: weeks.map((week, index) => ({
    name: dayText(week).slice(0, -5),
    fullName: dayText(week),
    values: [opened[index]!, answered[index]!],
  })),
  series: [
    {
      name: 'Opened',
      color: toneColor('blue'),
      to: createdBetween(weeks[0]!, addDays(weeks.at(-1)!, 6)),
    },
    { name: 'Answered', color: toneColor('green'), isDashed: true },
  ],
  // The list of tickets has no filter for the day of the first answer.
  addressOf: (point, series) =>
    series === 0 ? createdBetween(weeks[point]!, addDays(weeks[point]!, 6)) : undefined,
})
