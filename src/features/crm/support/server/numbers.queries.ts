import { sql } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import {
  countsPerWeek,
  daysOf,
  levelOf,
  trendOf,
  weekFrom,
  weeksOf,
  type Days,
  type Period,
  type Trend,
} from '#shared/trend.ts'
import { ticketsCounted, type TicketNumbers } from '#features/crm/support/numbers.contract.ts'
import { settledStatuses } from '#features/crm/support/rules.ts'
import { matching } from '#features/crm/support/server/filters.ts'
import { isChange } from '#features/crm/support/server/ticket-events.ts'
import type { Db } from '#server/db/db.ts'
import { dayEnd, dayOf, dayStart } from '#server/record/list.ts'

interface CountOfDay {
  day: PlainDate
  count: number
}

/** Returns the statistics of the tickets that the viewer's list has. */
export async function findTicketNumbers(db: Db, viewer: Viewer, period: Period): Promise<TicketNumbers> {
  const weeks = weeksOf(period)
  const [opened, closed, open, first_response] = await Promise.all([
    findOpened(db, viewer, daysOf(period)),
    findClosed(db, viewer, { from: weeks[0]!, to: weekFrom(weeks.at(-1)!).to }),
    findOpen(db, viewer, period),
    findFirstResponse(db, viewer, period),
  ])
  return {
    created: trendOf(opened, period),
    open,
    first_response,
    weeks,
    opened: countsPerWeek(opened, weeks),
    closed: countsPerWeek(closed, weeks),
  }
}

/** Returns the number of new tickets by day. */
async function findOpened(db: Db, viewer: Viewer, days: Days): Promise<CountOfDay[]> {
  const { rows } =
    await sql<CountOfDay>`select ${dayOf(sql`t.created_at`, viewer)} as day, count(*)::int as count
    from tickets t where ${matching(ticketsCounted.created(days), viewer)} group by 1`.execute(db)
  return rows
}

/** Returns the number of tickets that were closed, by the Monday of the week. */
async function findClosed(db: Db, viewer: Viewer, { from, to }: Days): Promise<CountOfDay[]> {
  const week = sql`date_trunc('week', ${dayOf(sql`c.changed_at`, viewer)}::timestamp)::date`
  const { rows } = await sql<CountOfDay>`select ${week} as day, count(distinct t.id)::int as count
    from ticket_status_changes c join tickets t on t.id = c.ticket_id
    where ${isChange('solved')} and c.changed_at >= ${dayStart(from, viewer)} and c.changed_at < ${dayEnd(to, viewer)}
      and ${matching({}, viewer)} group by 1`.execute(db)
  return rows
}

/** Returns how many tickets are open, and from the changes since the beginning of the period, how many were open then. */
async function findOpen(db: Db, viewer: Viewer, period: Period): Promise<Trend> {
  const since = dayStart(period.from, viewer)
  const firstStatus = sql`coalesce((select c.from_status from ticket_status_changes c where c.ticket_id = t.id
    order by c.changed_at, c.id limit 1), t.status)`
  const [{ rows: now }, { rows: changes }] = await Promise.all([
    sql<{ total: number }>`select count(*)::int as total from tickets t
      where ${matching(ticketsCounted.open, viewer)}`.execute(db),
    sql<CountOfDay>`select ${dayOf(sql`e.at`, viewer)} as day, sum(e.more)::int as count from (
        select t.created_at as at, 1 as more from tickets t
          where t.created_at >= ${since} and ${matching({}, viewer)} and ${firstStatus} not in (${sql.join(settledStatuses)})
        union all select c.changed_at, case when ${isChange('solved')} then -1 else 1 end
          from ticket_status_changes c join tickets t on t.id = c.ticket_id
          where c.changed_at >= ${since} and (${isChange('solved')} or ${isChange('reopened')})
            and ${matching({}, viewer)}
      ) e group by 1`.execute(db),
  ])
  return levelOf(now[0]!.total, changes, period)
}

/** Returns the number of first answers, and the median time until them, in the period and before it. */
async function findFirstResponse(
  db: Db,
  viewer: Viewer,
  { from, to, before }: Period,
): Promise<TicketNumbers['first_response']> {
  const { rows } = await sql<{ is_before: boolean; answered: number; seconds: number }>`select
      t.first_answer_at < ${dayStart(from, viewer)} as is_before, count(*)::int as answered,
      round(percentile_cont(0.5) within group (order by extract(epoch from t.first_answer_at - t.created_at)))::int as seconds
    from tickets t where ${matching({}, viewer)} and t.first_answer_at >= ${dayStart(before.from, viewer)}
      and t.first_answer_at < ${dayEnd(to, viewer)} group by 1`.execute(db)
  const now = rows.find(({ is_before }) => !is_before)
  return {
    answered: now?.answered ?? 0,
    seconds: now?.seconds ?? null,
    before: rows.find(({ is_before }) => is_before)?.seconds ?? null,
  }
}
