import { sql, type RawBuilder } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Days } from '#shared/trend.ts'
import { firstYearAmount } from '#features/crm/leads/record/server/amounts.ts'
import { isClosed } from '#features/crm/leads/record/server/lead-conditions.ts'
import { demoAt, isDemo, isEvent } from '#features/crm/leads/record/server/status-changes.ts'
import type { Db } from '#server/db/db.ts'
import { dayEnd, dayOf, dayStart } from '#server/record/list.ts'

/* The statements of the sales report; report.ts composes it. */

/** The leads that a report is about. */
export interface Scope {
  products: readonly number[]
  /** 0: no one. */
  assignee: number | undefined
  /** Null: none. */
  source: string | null | undefined
  viewer: Viewer
}

const amount = sql.raw(firstYearAmount)

/** Condition on leads `l`, and on the person who had them. */
function inScope({ products, assignee, source }: Scope, person: RawBuilder<unknown>): RawBuilder<unknown> {
  const parts = [sql`l.deleted_at is null and l.lead_for = any(${[...products]}::int[])`]
  if (assignee !== undefined)
    parts.push(assignee === 0 ? sql`${person} is null` : sql`${person} = ${assignee}::int`)
  if (source !== undefined)
    parts.push(source === null ? sql`l.hear_about is null` : sql`l.hear_about = ${source}`)
  return sql.join(parts, sql` and `)
}

const [now, then] = [sql`l.assign_to`, sql`c.assignee_id`]
const changesOf = sql`lead_status_changes c join leads l on l.lead_id = c.lead_id`
const isCreation = sql`c.step = 0 and c.lead_id = l.lead_id`

/** What happened in a period: a row per lead and status that it got for the first time, and per first demo (no status). */
function eventsOf(scope: Scope, { from, to }: Days, won: number | null): RawBuilder<unknown> {
  const { viewer } = scope
  const during = (at: RawBuilder<unknown>) =>
    sql`${at} >= ${dayStart(from, viewer)} and ${at} < ${dayEnd(to, viewer)}`
  // Only the amounts of won leads are added; all others would cost time.
  const lead = sql`l.hear_about as source, case when c.to_status = ${won}::int then l.currency end as currency,
    case when c.to_status = ${won}::int then ${amount} end as amount`
  return sql`select c.to_status as status, true as is_received, false as is_contacted, false as is_fast,
        l.assign_to as person, l.lead_date as day, c.reject_reason_id as reason, ${lead}
      from leads l join lead_status_changes c on ${isCreation}
      where ${inScope(scope, now)} and l.lead_date >= ${from}::date and l.lead_date <= ${to}::date
    union all select c.to_status, false, ${sql.raw(isEvent.contacted)}, ${sql.raw(isEvent.contacted_in_a_day)},
        c.assignee_id, ${dayOf(sql`c.changed_at`, viewer)}, c.reject_reason_id, ${lead}
      from ${changesOf} where ${inScope(scope, then)} and c.step > 0 and c.is_first and ${during(sql`c.changed_at`)}
    union all select null, false, false, false, l.assign_to, ${dayOf(sql`e.at`, viewer)}, null, l.hear_about, null, null
      from leads l join (select d.lead_id, ${sql.raw(demoAt)} as at from lead_demos d where ${sql.raw(isDemo)} group by 1) e on e.lead_id = l.lead_id
      where ${inScope(scope, now)} and ${during(sql`e.at`)}`
}

/** Numbers of one group: all with a status, or, without one, with a first demo. */
export interface Sum {
  by: 'total' | 'person' | 'source' | 'day' | 'reason' | 'amount'
  status: number | null
  person: number | null
  source: string | null
  day: PlainDate | null
  reason: number | null
  count: number
  received: number
  contacted: number
  fast: number
  /** Of won leads, by person, source, and currency. */
  currency: string | null
  amount: number | null
}

const counts = sql`count(*)::int as count, (count(*) filter (where is_received))::int as received,
  (count(*) filter (where is_contacted))::int as contacted, (count(*) filter (where is_fast))::int as fast`

/** Returns the numbers of a period, by all groups, or only the totals and amounts. */
export async function findSums(
  db: Db,
  scope: Scope,
  period: Days,
  { won, isTotal = false }: { won: number | null; isTotal?: boolean },
): Promise<Sum[]> {
  // Which of the columns a row is grouped by.
  const by = sql`case grouping(person, source, reason) when 3 then 'person' when 5 then 'source' when 6 then 'reason' else 'total' end`
  const [groups, sets] = isTotal
    ? [sql`'total', status, null::int, null::text, null::int`, sql`(status)`]
    : [
        sql`${by}, status, person, source, reason`,
        sql`(status), (status, person), (status, source), (status, reason)`,
      ]
  const days = sql`union all select 'day', status, null, null, null, ${counts}, null, null, day from e group by status, day`
  // The events are first counted by all columns but the day: there are few such groups, so the sets take no time.
  const { rows } = await sql<Sum>`with e as materialized (${eventsOf(scope, period, won)}),
    grouped as materialized (
      select status, person, source, reason, currency, sum(amount) as amount, ${counts} from e group by 1, 2, 3, 4, 5)
    select * from (
      select ${groups}, sum(count)::int, sum(received)::int, sum(contacted)::int, sum(fast)::int,
        null::text, null::float8, null::date from grouped group by grouping sets (${sets})
      union all select 'amount', status, person, source, null, sum(count)::int, 0, 0, 0, currency, sum(amount)::float8, null
        from grouped where currency is not null group by status, person, source, currency
      ${isTotal ? sql`` : days}
    ) s (by, status, person, source, reason, count, received, contacted, fast, currency, amount, day)`.execute(
    db,
  )
  return rows
}

export interface Times {
  status: number
  median: number
  p90: number
}

/** Returns how long leads had each status that they left in the period. */
export async function findTimes(db: Db, scope: Scope, { from, to }: Days): Promise<Times[]> {
  const { viewer } = scope
  const seconds = sql`greatest(0, extract(epoch from c.changed_at - c.since)::float8)`
  const at = (part: number) =>
    sql`round(percentile_cont(${sql.lit(part)}) within group (order by ${seconds}))::int`
  const { rows } = await sql<Times>`select c.from_status as status, ${at(0.5)} as median, ${at(0.9)} as p90
    from ${changesOf} where ${inScope(scope, then)} and c.step > 0
      and c.changed_at >= ${dayStart(from, viewer)} and c.changed_at < ${dayEnd(to, viewer)} group by 1`.execute(
    db,
  )
  return rows
}

export interface Open {
  status: number
  is_open: boolean
  currency: string | null
  /** The first day of the month of the expected close. */
  month: PlainDate | null
  count: number
  sum: number | null
  weighted: number | null
}

/** Returns the leads as they are now. */
export async function findOpen(db: Db, scope: Scope): Promise<Open[]> {
  const { rows } = await sql<Open>`select l.status, not ${sql.raw(isClosed)} as is_open, l.currency,
      to_char(date_trunc('month', l.expected_close), 'YYYY-MM-DD') as month, count(*)::int as count,
      sum(${amount})::float8 as sum, sum(${amount} * s.probability / 100)::float8 as weighted
    from leads l join lead_statuses s on s.id = l.status where ${inScope(scope, now)} group by 1, 2, 3, 4`.execute(
    db,
  )
  return rows
}

export interface WonInMonth {
  month: PlainDate
  currency: string
  sum: number
}

/** Returns what was won in each month since a day, which is the first of one. */
export async function findWonByMonth(
  db: Db,
  scope: Scope,
  { won, from }: { won: number | null; from: PlainDate },
): Promise<WonInMonth[]> {
  const { viewer } = scope
  const isWon = sql`c.to_status = ${won}::int and l.currency is not null`
  const { rows } =
    await sql<WonInMonth>`select to_char(date_trunc('month', day::timestamp), 'YYYY-MM-DD') as month, currency, sum(amount)::float8 as sum from (
      select l.lead_date as day, l.currency, ${amount} as amount
      from leads l join lead_status_changes c on ${isCreation}
      where ${inScope(scope, now)} and ${isWon} and l.lead_date >= ${from}::date
      union all select ${dayOf(sql`c.changed_at`, viewer)}, l.currency, ${amount} from ${changesOf}
      where ${inScope(scope, then)} and ${isWon} and c.is_first and c.step > 0 and c.changed_at >= ${dayStart(from, viewer)}
    ) e group by 1, 2`.execute(db)
  return rows
}
