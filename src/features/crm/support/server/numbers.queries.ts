import { sql } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import {
  countsPerWeek,
  daysOf,
  levelOf,
  partsIn,
  trendOf,
  weekFrom,
  weeksOf,
  type Days,
  type Period,
} from '#shared/trend.ts'
import { mostOverdue, ticketsCounted, type TicketNumbers } from '#features/crm/support/numbers.contract.ts'
import {
  seesAllOrganizations,
  type OrganizationReader,
} from '#features/crm/organizations/server/product-sets.queries.ts'
import { isOpen } from '#features/crm/support/server/conditions.ts'
import { matching } from '#features/crm/support/server/filters.ts'
import { countOpenTickets } from '#features/crm/support/server/open-ticket-counts.ts'
import { isChange } from '#features/crm/support/server/ticket-events.ts'
import type { Db } from '#server/db/db.ts'
import { dayEnd, dayOf, dayStart } from '#server/record/list.ts'

interface CountOfDay {
  day: PlainDate
  count: number
}

/** Returns the statistics of the tickets that the viewer's list has. */
export async function findTicketNumbers(db: Db, reader: Viewer, period: Period): Promise<TicketNumbers> {
  const viewer = { ...reader, seesAllOrganizations: await seesAllOrganizations(db, reader) }
  const weeks = weeksOf(period)
  const [opened, moved, open, overdue, first_response] = await Promise.all([
    findOpened(db, viewer, daysOf(period)),
    findMoved(db, viewer, period),
    countOpenTickets(db, viewer),
    countOverdue(db, viewer),
    findFirstResponse(db, viewer, period),
  ])
  const stillOpen = opened.map(({ day, open: count }) => ({ day, count }))
  return {
    created: trendOf(opened, period),
    open: {
      ...levelOf(open.total, [...stillOpen, ...moved.filter(({ is_closed }) => !is_closed)], period),
      by: open.by,
    },
    overdue,
    first_response,
    weeks,
    opened: countsPerWeek(opened, weeks),
    closed: countsPerWeek(
      moved.filter(({ is_closed }) => is_closed),
      weeks,
    ),
  }
}

/** Returns how many open tickets missed their service target, as far as they are counted. */
async function countOverdue(db: Db, viewer: OrganizationReader): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from (
      select from tickets t where ${matching(ticketsCounted.overdue, viewer, false, true)} limit ${mostOverdue}
    ) o`.execute(db)
  return rows[0]!.total
}

/** Returns the number of new tickets by day, and how many of them are open now. */
async function findOpened(
  db: Db,
  viewer: OrganizationReader,
  days: Days,
): Promise<(CountOfDay & { open: number })[]> {
  const { rows } = await sql<
    CountOfDay & { open: number }
  >`select ${dayOf(sql`t.created_at`, viewer)} as day, count(*)::int as count,
      count(*) filter (where ${isOpen})::int as open
    from tickets t where ${matching(ticketsCounted.created(days), viewer)} group by 1`.execute(db)
  return rows
}

/**
 * Returns the number of tickets that were closed, by the Monday of the week, and by how many the open ones became more, by
 * day. What became of a ticket of the period is taken off the day it was created, which `findOpened` counts as it is now.
 */
async function findMoved(
  db: Db,
  viewer: OrganizationReader,
  period: Period,
): Promise<(CountOfDay & { is_closed: boolean })[]> {
  const weeks = weeksOf(period)
  const since = dayStart(period.from, viewer)
  const { rows } = await sql<CountOfDay & { is_closed: boolean }>`with moved as materialized (
      select c.ticket_id, c.changed_at, t.created_at, ${isChange('solved')} as is_closed
      from ticket_status_changes c join tickets t on t.id = c.ticket_id
      where (${isChange('solved')} or ${isChange('reopened')}) and c.changed_at >= ${dayStart(weeks[0]!, viewer)}
        and c.changed_at < ${dayEnd(weekFrom(weeks.at(-1)!).to, viewer)} and ${matching({}, viewer)}
    )
    select date_trunc('week', ${dayOf(sql`changed_at`, viewer)}::timestamp)::date as day,
      count(distinct ticket_id)::int as count, true as is_closed
      from moved where is_closed group by 1
    union all select ${dayOf(sql`e.at`, viewer)}, sum(e.more)::int, false from (
      select changed_at as at, case when is_closed then -1 else 1 end as more from moved where changed_at >= ${since}
      union all select created_at, case when is_closed then 1 else -1 end from moved
        where changed_at >= ${since} and created_at >= ${since}
    ) e group by 1`.execute(db)
  return rows
}

/** Returns the number of first answers, and the median time until them, in the period, its parts, and before it. */
async function findFirstResponse(
  db: Db,
  viewer: OrganizationReader,
  period: Period,
): Promise<TicketNumbers['first_response']> {
  const { from, to, before, length } = period
  const parts = partsIn(period)
  const { rows } = await sql<{
    is_before: boolean
    /** Null for all parts together. */
    part: number | null
    answered: number
    seconds: number
  }>`select a.is_before, a.part, count(*)::int as answered,
      round(percentile_cont(0.5) within group (order by a.seconds))::int as seconds
    from (
      select t.first_answer_at < ${dayStart(from, viewer)} as is_before,
        (${dayOf(sql`t.first_answer_at`, viewer)} - ${from}::date) * ${parts}::int / ${length}::int as part,
        date_part('epoch', t.first_answer_at - t.created_at) as seconds
      from tickets t where ${matching({}, viewer)} and t.first_answer_at >= ${dayStart(before.from, viewer)}
        and t.first_answer_at < ${dayEnd(to, viewer)}
    ) a group by grouping sets ((a.is_before), (a.is_before, a.part))`.execute(db)
  const find = (isBefore: boolean, wanted: number | null) =>
    rows.find(({ is_before, part }) => is_before === isBefore && part === wanted)
  const now = find(false, null)
  return {
    answered: now?.answered ?? 0,
    seconds: now?.seconds ?? null,
    before: find(true, null)?.seconds ?? null,
    parts: Array.from({ length: parts }, (_, part) => find(false, part)?.seconds ?? null),
  }
}
