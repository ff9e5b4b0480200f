import { sql, type RawBuilder } from 'kysely'
import { addDays, daysBetween, monthOf, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Days } from '#shared/trend.ts'
import { instantAt } from '#shared/zones.ts'
import { isClosed } from '#features/crm/leads/record/server/lead-conditions.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import type { Db } from '#server/db/db.ts'
import { dayOf } from '#server/record/list.ts'

/*
 * The statements of the sales report; report.ts composes it. They read the facts of leads and their counts, which the
 * database keeps (decision 037): in both, 0 is no person, no reason, and the status of a demo, and an empty text is no
 * source and no currency.
 */

/** The leads that a report is about. */
export interface Scope {
  products: readonly number[]
  /** 0: no one. */
  assignee: number | undefined
  /** Null: none. */
  source: string | null | undefined
  viewer: Viewer
}

const person = sql.ref('person')

/** Condition on facts or counts. */
function inScope({ products, assignee, source }: Scope, who = person): RawBuilder<unknown> {
  const parts = [sql`lead_for = any(${[...products]}::int[])`]
  if (assignee !== undefined) parts.push(sql`${who} = ${assignee}::int`)
  if (source !== undefined) parts.push(sql`source = ${source ?? ''}`)
  return sql.join(parts, sql` and `)
}

const isContacted = sql`step = 1 and to_status <> ${sql.lit(rejectedStatus)}`
const isInADay = sql`seconds <= 86400`

/** A part of a period, from an instant up to another one; `isCreated`: of what counts on the lead date. */
interface Part {
  isCreated: boolean
  from: string
  until: string
}

const during = ({ from, until }: Omit<Part, 'isCreated'>) =>
  sql`happened_at >= ${from}::timestamptz and happened_at < ${until}::timestamptz`

/** Lead dates have no time zone; everything else happened on a day of the reader. */
const partsOf = ({ from, to }: Days, { zone = 'UTC' }: Viewer): Part[] =>
  [true, false].map((isCreated) => {
    const start = (day: PlainDate) => instantAt(day, '00:00', isCreated ? 'UTC' : zone)
    return { isCreated, from: start(from), until: start(addDays(to, 1)) }
  })

/** Returns the whole months of a part, and what is left at its beginning and end. */
function monthsIn({ isCreated, from, until }: Part): { months: Days | undefined; rest: Part[] } {
  const firstOf = (instant: string) => monthOf(instant.slice(0, 10)).first
  const at = (day: PlainDate) => `${day}T00:00:00.000Z`
  const before = firstOf(from)
  const first = at(before) === from ? before : addDays(monthOf(before).last, 1)
  const end = firstOf(until)
  if (first >= end) return { months: undefined, rest: [{ isCreated, from, until }] }
  const rest = [
    { isCreated, from, until: at(first) },
    { isCreated, from: at(end), until },
  ].filter((part) => part.from < part.until)
  return { months: { from: first, to: end }, rest }
}

const columns = sql`to_status, person, source, reject_reason_id, lead_for, currency`

/** What happened in a period, by all columns: from the counts of its whole months, and from the facts of other days. */
function grouped(scope: Scope, period: Days): RawBuilder<unknown> {
  const split = partsOf(period, scope.viewer).map((part) => ({ ...part, ...monthsIn(part) }))
  const ofMonths = split.flatMap(({ isCreated, months }) =>
    months
      ? [
          sql`select ${columns}, change, case when is_created then change else 0 end, contacted, contacted_in_a_day, amount
            from sales_counts where ${inScope(scope)} and is_created = ${sql.lit(isCreated)}
              and month >= ${months.from}::date and month < ${months.to}::date`,
        ]
      : [],
  )
  const ofDays = split.flatMap(({ rest }) =>
    rest.map(
      (
        part,
      ) => sql`select ${columns}, count(*), count(*) filter (where step = 0), count(*) filter (where ${isContacted}),
          count(*) filter (where ${isContacted} and ${isInADay}), sum(amount)
        from sales_facts where ${inScope(scope)} and is_first and ${part.isCreated ? sql`step = 0` : sql`step <> 0`} and ${during(part)}
        group by ${columns}`,
    ),
  )
  return sql.join([...ofMonths, ...ofDays], sql` union all `)
}

/** Numbers of one group: all with a status, or, without one, with a first demo. */
export interface Sum {
  by: 'total' | 'person' | 'source' | 'day' | 'reason' | 'product' | 'amount'
  status: number | null
  person: number | null
  source: string | null
  day: PlainDate | null
  reason: number | null
  product: number | null
  count: number
  received: number
  contacted: number
  fast: number
  /** Of won leads, by person, source, product, and currency. */
  currency: string | null
  amount: number | null
}

/**
 * Returns the numbers of a period, by all groups but days, or only the totals and amounts. The order is fixed, so that
 * groups with the same numbers stay where they are.
 */
export async function findSums(
  db: Db,
  scope: Scope,
  period: Days,
  { won, isTotal = false }: { won: number | null; isTotal?: boolean },
): Promise<Sum[]> {
  // Which of the columns a row is grouped by.
  const by = sql`case grouping(person, source, reason, product)
    when 7 then 'person' when 11 then 'source' when 13 then 'reason' when 14 then 'product' else 'total' end`
  const [groups, sets] = isTotal
    ? [sql`'total', status, null::int, null::text, null::int, null::int`, sql`(status)`]
    : [
        sql`${by}, status, nullif(person, 0), nullif(source, ''), nullif(reason, 0), product`,
        sql`(status), (status, person), (status, source), (status, reason), (status, product)`,
      ]
  const { rows } =
    await sql<Sum>`with grouped (status, person, source, reason, product, currency, count, received, contacted, fast, amount) as materialized (
      select nullif(to_status, 0), person, source, reject_reason_id, lead_for, currency, sum(count)::int, sum(received)::int, sum(contacted)::int,
        sum(contacted_in_a_day)::int, sum(amount)
      from (${grouped(scope, period)}) parts (${columns}, count, received, contacted, contacted_in_a_day, amount) group by ${columns} having sum(count) <> 0 or sum(contacted) <> 0)
    select s.*, null::date as day from (
      select ${groups}, sum(count)::int, sum(received)::int, sum(contacted)::int, sum(fast)::int, null::text, null::float8
      from grouped group by grouping sets (${sets})
      union all select 'amount', status, nullif(person, 0), nullif(source, ''), null, product, sum(count)::int, 0, 0, 0, currency, sum(amount)::float8
      from grouped where currency <> '' and status = ${won}::int group by status, person, source, product, currency
    ) s (by, status, person, source, reason, product, count, received, contacted, fast, currency, amount)
    order by by, status, person, source collate "C", reason, product, currency collate "C"`.execute(db)
  return rows
}

/** Returns the numbers of each day for the chart, each counted by a separate index. */
export async function findDays(db: Db, scope: Scope, { from, to }: Days, won: number | null): Promise<Sum[]> {
  const days = Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index))
  const startsIn = (zone: string) => [...days, addDays(to, 1)].map((day) => instantAt(day, '00:00', zone))
  const starts = (zone: string) => {
    const instants = startsIn(zone)
    return sql`unnest(${days}::date[], ${instants.slice(0, -1)}::timestamptz[], ${instants.slice(1)}::timestamptz[]) as d (day, since, until)`
  }
  const counted = (zone: string, what: RawBuilder<unknown>) => sql`${starts(zone)}, lateral (
    select count(*)::int as count from sales_facts
    where ${inScope(scope)} and ${what} and happened_at >= d.since and happened_at < d.until) f where f.count > 0`
  const zone = scope.viewer.zone ?? 'UTC'
  const reached = (of: string, isCreated: RawBuilder<unknown>) =>
    counted(of, sql`is_first and to_status = s.status and ${isCreated}`)
  const ofStatus = sql`select 'day' as by, nullif(s.status, 0) as status, d.day, f.count, 0 as received, 0 as contacted, 0 as fast
    from (select * from (values (0), (${sql.lit(rejectedStatus)}), (${sql.lit(won)})) s (status) where status is not null) s, `
  const { rows } = await sql<Sum>`${ofStatus}${reached(zone, sql`step <> 0`)}
    union all ${ofStatus}${reached('UTC', sql`step = 0`)}
    union all select 'day', -1, d.day, 0, f.count, 0, 0 from ${counted('UTC', sql`step = 0`)}
    union all select 'day', -1, d.day, 0, 0, f.count, 0 from ${counted(zone, isContacted)}`.execute(db)
  return rows
}

export interface Times {
  status: number
  median: number
  p90: number
}

/** Returns how long leads had each status that they left in the period. */
export async function findTimes(db: Db, scope: Scope, period: Days): Promise<Times[]> {
  const left = partsOf(period, scope.viewer)[1]!
  const isLeft = sql`${inScope(scope)} and step > 0 and ${during(left)}`
  // The ranges are counted for all people and sources.
  if (scope.assignee !== undefined || scope.source !== undefined) {
    const at = (part: number) =>
      sql`round(percentile_cont(${sql.lit(part)}) within group (order by seconds))::int`
    const { rows } = await sql<Times>`select from_status as status, ${at(0.5)} as median, ${at(0.9)} as p90
      from sales_facts where ${isLeft} group by 1`.execute(db)
    return rows
  }
  const { months, rest } = monthsIn(left)
  const counted = sql.join(
    [
      ...(months
        ? [
            sql`select from_status, range, change as count from sales_times
              where ${inScope(scope)} and month >= ${months.from}::date and month < ${months.to}::date`,
          ]
        : []),
      ...rest.map(
        (part) => sql`select from_status, time_range(seconds), count(*) from sales_facts
          where ${inScope(scope)} and step > 0 and ${during(part)} group by 1, 2`,
      ),
    ],
    sql` union all `,
  )
  // The counts say in which range a value is, and at which place of it; only the values of these ranges are sorted.
  // Between two values, the result is interpolated, as by percentile_cont.
  const { rows } = await sql<Times>`with ranges as (
      select from_status, range, sum(count) as count, sum(sum(count)) over (partition by from_status order by range) - sum(count) as before,
        sum(sum(count)) over (partition by from_status) as total
      from (${counted}) c (from_status, range, count) group by from_status, range having sum(count) > 0
    ), wanted as (
      select distinct from_status, part, place, part * (total - 1) - floor(part * (total - 1)) as beyond
      from ranges, (values (0.5), (0.9)) p (part), lateral (values (floor(part * (total - 1))), (ceil(part * (total - 1)))) k (place)
    ), found as (
      select w.from_status, part, beyond, (
        select seconds from sales_facts where ${isLeft} and from_status = w.from_status
          and seconds >= exp(range / 32.0::float8) * 0.999 - 1.001 and seconds <= exp((range + 1) / 32.0::float8) * 1.001 and time_range(seconds) = range
        order by seconds offset place - before limit 1) as seconds
      from wanted w join ranges r on r.from_status = w.from_status and place >= before and place < before + count
    )
    select from_status as status,
      round(max(value) filter (where part = 0.5))::int as median, round(max(value) filter (where part = 0.9))::int as p90
    from (select from_status, part, min(seconds) + (max(seconds) - min(seconds)) * max(beyond)::float8 as value from found group by 1, 2) f
    group by 1`.execute(db)
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
  const { rows } =
    await sql<Open>`select l.status, not ${sql.raw(isClosed)} as is_open, nullif(l.currency, '') as currency,
      case when isfinite(l.close_month) then l.close_month end as month, sum(l.change)::int as count,
      sum(l.amount)::float8 as sum, sum(l.amount * s.probability / 100)::float8 as weighted
    from lead_pipeline_counts l join lead_statuses s on s.id = l.status
    where ${inScope(scope, sql.ref('assign_to'))} group by 1, 2, 3, 4 having sum(l.change) <> 0 order by 3, 1, 2, 4`.execute(
      db,
    )
  return rows
}

/** Returns how many of the leads that came in during a period have had each status until now. */
export async function findReached(
  db: Db,
  scope: Scope,
  period: Days,
): Promise<{ received: number; statuses: { status: number; reached: number }[] }> {
  const [part] = partsOf(period, scope.viewer)
  const { rows } = await sql<{ status: number | null; reached: number }>`with cohort as materialized (
      select lead_id from sales_facts where ${inScope(scope)} and step = 0 and ${during(part!)}
    )
    select null as status, count(*)::int as reached from cohort
    union all select f.to_status, count(*)::int from cohort join sales_facts f using (lead_id)
    where f.is_first and f.step >= 0 group by f.to_status`.execute(db)
  return {
    received: rows.find(({ status }) => status === null)!.reached,
    statuses: rows.flatMap(({ status, reached }) => (status === null ? [] : [{ status, reached }])),
  }
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
  const { rows } =
    await sql<WonInMonth>`select date_trunc('month', day)::date as month, currency, sum(amount)::float8 as sum from (
      select case step when 0 then (happened_at at time zone 'UTC')::date else ${dayOf(sql`happened_at`, viewer)} end as day, currency, amount
      from sales_facts where ${inScope(scope)} and currency <> '' and to_status = ${won}::int and is_first
        and happened_at >= least(${`${from}T00:00:00Z`}::timestamptz, ${instantAt(from, '00:00', viewer.zone ?? 'UTC')}::timestamptz)
    ) e where day >= ${from}::date group by 1, 2 order by 2, 1`.execute(db)
  return rows
}
