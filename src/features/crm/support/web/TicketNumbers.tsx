import { dayText } from '#shared/dates.ts'
import { agoText, periodText, weekFrom } from '#shared/trend.ts'
import { mostOverdue, ticketsCounted, type TicketNumbers } from '#features/crm/support/numbers.contract.ts'
import { durationText, roundToMinutes } from '#web/report/durations.ts'
import { ticketList, useTicketNumbers } from '#features/crm/support/web/useTicketNumbers.ts'
import { AreasChart, type ChartData } from '#web/charts/charts.tsx'
import { toneColor } from '#web/theme.ts'
import { changeOf, TileOf } from '#web/tile/Tile.tsx'

/** Tickets created in the period. */
export function NewTicketsTile() {
  const { may, query, period } = useTicketNumbers()
  if (!may) return null
  return (
    <TileOf name="New tickets" query={query}>
      {({ created: { total, before, parts } }) => ({
        value: total,
        detail: periodText(period.id),
        change: changeOf(total, before, 'before', 'less'),
        series: parts,
        to: ticketList(ticketsCounted.created(period)),
      })}
    </TileOf>
  )
}

/** Tickets that are neither resolved nor closed. */
export function OpenTicketsTile() {
  const { may, query, period } = useTicketNumbers()
  if (!may) return null
  return (
    <TileOf name="Open tickets" query={query}>
      {({ open: { total, before, parts }, overdue }) => ({
        value: total,
        detail: overdueText(overdue),
        detailTo: ticketList(ticketsCounted.overdue),
        change: changeOf(total, before, agoText(period), 'less'),
        series: parts,
        to: ticketList(ticketsCounted.open),
      })}
    </TileOf>
  )
}

/** How many open tickets missed their service target; most panels have no service targets. */
const overdueText = (overdue: number): string | undefined =>
  overdue === 0
    ? undefined
    : `${overdue.toLocaleString('en-US')}${overdue === mostOverdue ? ' or more' : ''} overdue`

const words = { more: 'slower', less: 'faster', amount: durationText }

/** Median time until the first answer, of the tickets that got it in the period. */
export function FirstResponseTile() {
  const { may, query, period } = useTicketNumbers()
  if (!may || query.data?.first_response.seconds === null) return null
  return (
    <TileOf name="First response" query={query}>
      {({ first_response: { answered, seconds, before, parts } }) => ({
        value: durationText(seconds ?? 0),
        detail: `median of ${answered.toLocaleString('en-US')}`,
        change:
          seconds === null || before === null
            ? undefined
            : changeOf(roundToMinutes(seconds), roundToMinutes(before), 'before', 'less', words),
        // A part without answers has no median, and so no point.
        series: parts.filter((part) => part !== null),
        to: ticketList(ticketsCounted.answered(period)),
      })}
    </TileOf>
  )
}

/** Tickets that were opened, and that were closed, in each of the last weeks. */
export function TicketsPerWeekCard() {
  const { may, query } = useTicketNumbers()
  if (!may) return null
  return (
    <AreasChart
      id="tickets-per-week"
      title="Tickets"
      about="opened and closed per week"
      query={query}
      chart={chartOf}
      empty={{
        title: 'No tickets in the last weeks',
        text: 'Tickets will appear here in the week they are opened.',
      }}
    />
  )
}

function chartOf({ weeks, opened, closed }: TicketNumbers): ChartData {
  const whole = { from: weeks[0]!, to: weekFrom(weeks.at(-1)!).to }
  const filters = [ticketsCounted.created, ticketsCounted.closed]
  return {
    unit: 'Week of',
    points: weeks.map((week, index) => ({
      name: dayText(week).slice(0, -5),
      fullName: dayText(week),
      values: [opened[index]!, closed[index]!],
    })),
    series: [
      { name: 'Opened', color: toneColor('blue'), to: ticketList(ticketsCounted.created(whole)) },
      // Without a link, because a ticket that was closed in two weeks is in the list once.
      { name: 'Closed', color: toneColor('green'), isDashed: true },
    ],
    addressOf: (point, series) => ticketList(filters[series]!(weekFrom(weeks[point]!))),
  }
}
