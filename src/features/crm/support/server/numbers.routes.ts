import { sql } from 'kysely'
import { addDays, plainDate, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { countsPerWeek, firstOfTrend, trendDays, trendOf, weeksUntil } from '#shared/trend.ts'
import { ticketNumbers, type TicketNumbers } from '#features/crm/support/numbers.contract.ts'
import { matching } from '#features/crm/support/server/filters.ts'
import { firstAnswer } from '#features/crm/support/server/ticket-events.ts'
import type { Db } from '#server/db/db.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

interface Day {
  day: PlainDate
  opened: number
  answered: number
}

/** Returns the statistics of the tickets that the viewer's list has. */
async function findTicketNumbers(db: Db, viewer: Viewer, today: PlainDate): Promise<TicketNumbers> {
  const weeks = weeksUntil(today)
  const first = firstOfTrend(today)
  const [{ rows: days }, { rows: medians }] = await Promise.all([
    sql<Day>`${tickets(viewer, weeks[0]!)}
      select day, sum(opened)::int as opened, sum(answered)::int as answered from (
        select created_at::date as day, 1 as opened, 0 as answered from of_viewer
        union all select answered_at::date, 0, 1 from answers
      ) d where day between ${weeks[0]!}::date and ${today}::date group by day`.execute(db),
    sql<{ is_before: boolean; seconds: number }>`${tickets(viewer, weeks[0]!)}
      select t.created_at < ${first}::date as is_before,
        round(percentile_cont(0.5) within group (order by extract(epoch from a.answered_at - t.created_at)))::int as seconds
      from of_viewer t join answers a on a.ticket_id = t.id
      where t.created_at >= ${addDays(first, -trendDays)}::date and t.created_at < ${today}::date + 1 group by 1`.execute(
      db,
    ),
  ])
  const opened = days.map(({ day, opened: count }) => ({ day, count }))
  const secondsOf = (isBefore: boolean) =>
    medians.find(({ is_before }) => is_before === isBefore)?.seconds ?? null
  return {
    created: trendOf(opened, today),
    first_response: { seconds: secondsOf(false), before: secondsOf(true) },
    weeks,
    opened: countsPerWeek(opened, weeks),
    answered: countsPerWeek(
      days.map(({ day, answered: count }) => ({ day, count })),
      weeks,
    ),
  }
}

/** The tickets of the viewer's list with messages since a day, and the time of the first answer to each. */
const tickets = (viewer: Viewer, from: PlainDate) => sql`with of_viewer as (
    select t.id, t.created_at from tickets t where ${matching({}, viewer)} and t.last_message_at >= ${from}::date
  ), answers as (
    select t.id as ticket_id, e.at as answered_at from of_viewer t cross join lateral ${firstAnswer} e
  )`

export function ticketNumberRoutes(app: App): void {
  implement(app, ticketNumbers.show, ({ query }, { db, viewer, clock }) =>
    findTicketNumbers(db, viewer, query.today ?? plainDate(clock.now())),
  )
}
