import { sql, type RawBuilder } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import { addDays, daysBetween, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { periodsBefore } from '#shared/report-period.ts'
import type { Days } from '#shared/trend.ts'
import {
  mostOrganizations,
  type ReportFilters,
  type SupportReport,
} from '#features/crm/support/report.contract.ts'
import { clockKindNames, waitingOnCustomer } from '#features/crm/support/rules.ts'
import { isOpen } from '#features/crm/support/server/conditions.ts'
import { matching } from '#features/crm/support/server/filters.ts'
import { findRatings } from '#features/crm/support/server/report/report-ratings.queries.ts'
import {
  firstAnswer,
  isChange,
  isTargetEvent,
  lastChange,
} from '#features/crm/support/server/ticket-events.ts'
import type { Db } from '#server/db/db.ts'
import { dayEnd, dayStart } from '#server/record/list.ts'

const events = ['received', 'answered', 'solved', 'reopened'] as const
type Event = (typeof events)[number]

/** A number of events, by one of the columns that are not null; by none of them, it is the total. */
interface Sum {
  /** Bits of `category`, `organization_id`, `person`, `day`, and `weekday`: 1 if not summed by the column. */
  by: number
  event: Event
  category: number | null
  organization_id: number | null
  person: number | null
  day: string | null
  weekday: number | null
  hour: number | null
  count: number
  median: number | null
  p90: number | null
}
const groupings = { category: 15, organization_id: 23, person: 27, day: 29, hour: 30, total: 31 } as const

/**
 * The events of a period, each ticket at most once per event. The time until a solution begins with the ticket, or when
 * it was last reopened, and leaves out the time in which the ticket waited for the customer.
 */
function eventsOf(scope: RawBuilder<unknown>, { from, to }: Days, viewer: Viewer): RawBuilder<unknown> {
  const [since, until] = [dayStart(from, viewer), dayEnd(to, viewer)]
  const ticket = sql`t.category, t.organization_id`
  const changed = (event: 'solved' | 'reopened', seconds: RawBuilder<unknown>) =>
    sql`select ${sql.lit(event)}, ${ticket}, e.person, e.at, ${seconds}
      from tickets t cross join lateral ${lastChange(event, since, until)} e
      where t.id in (select c.ticket_id from ticket_status_changes c where ${isChange(event)} and c.changed_at >= ${since} and c.changed_at < ${until})
        and ${scope}`
  return sql`select 'received' as event, ${ticket}, null::integer as person, t.created_at as at, null::double precision as seconds
      from tickets t where ${scope} and t.created_at >= ${since} and t.created_at < ${until}
    union all select 'answered', ${ticket}, e.person, e.at, extract(epoch from e.at - t.created_at)
      from tickets t cross join lateral ${firstAnswer} e
      where ${scope} and t.last_message_at >= ${since} and e.at >= ${since} and e.at < ${until}
    union all ${changed('solved', secondsToSolution)}
    union all ${changed('reopened', sql`null`)}`
}

/** SQL over a ticket `t` and the event `e` of its solution. */
const secondsToSolution = sql`(select extract(epoch from e.at - b.at) - coalesce((
    select sum(extract(epoch from least(w.ended, e.at) - w.changed_at)) from (
      select c.changed_at, c.to_status, coalesce(lead(c.changed_at) over (order by c.changed_at, c.id), e.at) as ended
      from ticket_status_changes c where c.ticket_id = t.id) w
    where w.to_status = ${waitingOnCustomer} and w.changed_at >= b.at and w.changed_at < e.at), 0)
  from (select coalesce(max(c.changed_at), t.created_at) as at from ticket_status_changes c
    where c.ticket_id = t.id and ${isChange('reopened')} and (c.changed_at, c.id) < (e.at, e.id)) b)`

async function sumsOf(db: Db, scope: RawBuilder<unknown>, period: Days, viewer: Viewer): Promise<Sum[]> {
  const zone = viewer.zone ?? 'UTC'
  const { rows } = await sql<Sum>`with e as materialized (
      select event, category, organization_id, person, (at at time zone ${zone})::date::text as day,
        extract(isodow from at at time zone ${zone})::integer as weekday, extract(hour from at at time zone ${zone})::integer as hour, seconds
      from (${eventsOf(scope, period, viewer)}) x)
    select grouping(category, organization_id, person, day, weekday) as by, event, category, organization_id, person, day, weekday, hour,
      count(*)::integer as count, round(percentile_cont(0.5) within group (order by seconds))::integer as median,
      round(percentile_cont(0.9) within group (order by seconds))::integer as p90
    from e group by grouping sets ((event), (event, category), (event, organization_id), (event, person), (event, day), (event, weekday, hour))`.execute(
    db,
  )
  return rows
}

/** Returns the report of the tickets that the viewer's list has with these filters. */
export async function findReport(
  db: Db,
  { from, to, compare = 'before', ...filters }: ReportFilters & Days,
  viewer: Viewer,
  today: PlainDate,
): Promise<SupportReport> {
  const period = { from, to }
  const earlier = periodsBefore[compare](period)
  const scope = matching(filters, viewer)
  const sums = await sumsOf(db, scope, period, viewer)
  const before = earlier && (await sumsOf(db, scope, earlier, viewer))
  const total = (of: readonly Sum[], event: Event) =>
    of.find((sum) => sum.by === groupings.total && sum.event === event)
  const numberOf = (event: Event) => ({
    count: total(sums, event)?.count ?? 0,
    before: before ? (total(before, event)?.count ?? 0) : null,
  })
  const durationOf = (event: Event) => ({
    median: total(sums, event)?.median ?? null,
    p90: total(sums, event)?.p90 ?? null,
    before: (before && total(before, event)?.median) ?? null,
  })
  const ages = await findAges(db, scope, viewer, today)
  return {
    ...period,
    before_from: earlier?.from ?? null,
    before_to: earlier?.to ?? null,
    received: numberOf('received'),
    answered: numberOf('answered'),
    solved: numberOf('solved'),
    reopened: numberOf('reopened'),
    open: ages.reduce((sum, { open }) => sum + open, 0),
    first_response: durationOf('answered'),
    resolution: durationOf('solved'),
    days: daysOf(sums, period),
    hours: sums.flatMap(({ by, event, weekday, hour, count }) =>
      by === groupings.hour && event === 'received'
        ? [{ weekday: weekday!, hour: hour!, received: count }]
        : [],
    ),
    categories: await withNames(db, groupsOf(sums, 'category'), 'ticket_categories'),
    organizations: await withNames(
      db,
      groupsOf(sums, 'organization_id').slice(0, mostOrganizations),
      'organizations',
    ),
    people: await peopleOf(db, sums, viewer),
    targets: await findTargets(db, scope, period, viewer),
    ratings: await findRatings(db, scope, period, earlier, viewer),
    ages,
  }
}

function daysOf(sums: readonly Sum[], { from, to }: Days): SupportReport['days'] {
  const days = Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => ({
    day: addDays(from, index),
    received: 0,
    answered: 0,
    solved: 0,
    reopened: 0,
  }))
  for (const { by, event, day, count } of sums)
    if (by === groupings.day) days[daysBetween(from, day as PlainDate)]![event] = count
  return days
}

type Grouped = Omit<SupportReport['categories'][number], 'name'>

/** Returns the numbers by category or organization, those with the most received tickets first. */
function groupsOf(sums: readonly Sum[], column: 'category' | 'organization_id'): Grouped[] {
  const groups = new Map<number | null, Grouped>()
  for (const { by, event, count, median, ...sum } of sums) {
    if (by !== groupings[column]) continue
    const id = sum[column]
    const group = groups.get(id) ?? {
      id,
      received: 0,
      answered: 0,
      solved: 0,
      reopened: 0,
      first_response: null,
    }
    groups.set(id, { ...group, [event]: count, ...(event === 'answered' ? { first_response: median } : {}) })
  }
  return [...groups.values()].toSorted(
    (one, two) => two.received - one.received || two.solved - one.solved || (one.id ?? 0) - (two.id ?? 0),
  )
}

async function withNames(
  db: Db,
  groups: readonly Grouped[],
  table: 'ticket_categories' | 'organizations',
): Promise<SupportReport['categories']> {
  const key = table === 'organizations' ? 'organization_id' : 'id'
  const ids = groups.map(({ id }) => id)
  const { rows } = await sql<{
    id: number
    name: string
  }>`select ${sql.ref(key)} as id, name from ${sql.table(table)}
    where ${sql.ref(key)} = any(${ids}::int[])`.execute(db)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return groups.map((group) => ({
    ...group,
    name: group.id === null ? 'No organization' : (names.get(group.id) ?? `#${group.id}`),
  }))
}

/** Returns the numbers of each person, and of no one but the viewer unless they are an admin. */
async function peopleOf(db: Db, sums: readonly Sum[], viewer: Viewer): Promise<SupportReport['people']> {
  const of = (event: Event) => sums.filter((sum) => sum.by === groupings.person && sum.event === event)
  const [answered, solved] = [of('answered'), of('solved')]
  const ids = [...new Set([...answered, ...solved].flatMap(({ person }) => person ?? []))].filter(
    (id) => isAdminRole(viewer.role_id) || id === viewer.id,
  )
  if (ids.length === 0) return []
  const people = await db.selectFrom('staff').select(['id', 'name']).where('id', 'in', ids).execute()
  return people
    .map(({ id, name }) => {
      const answers = answered.find(({ person }) => person === id)
      return {
        id,
        name,
        answered: answers?.count ?? 0,
        solved: solved.find(({ person }) => person === id)?.count ?? 0,
        first_response: answers?.median ?? null,
      }
    })
    .toSorted((one, two) => two.answered - one.answered || two.solved - one.solved || one.id - two.id)
}

/** Returns in how many tickets a service target of each kind was met, and missed. */
async function findTargets(
  db: Db,
  scope: RawBuilder<unknown>,
  { from, to }: Days,
  viewer: Viewer,
): Promise<SupportReport['targets']> {
  const [since, until] = [dayStart(from, viewer), dayEnd(to, viewer)]
  const [met, missed] = [
    isTargetEvent('target_met', since, until),
    isTargetEvent('target_missed', since, until),
  ]
  const { rows } = await sql<SupportReport['targets'][number]>`select c.kind,
      count(distinct t.id) filter (where ${met})::integer as met,
      count(distinct t.id) filter (where ${missed})::integer as missed
    from ticket_clocks c join tickets t on t.id = c.ticket_id
    where (${met} or ${missed}) and ${scope} group by c.kind`.execute(db)
  return clockKindNames.flatMap((kind) => rows.filter((row) => row.kind === kind))
}

/** First and last day of each group, in days before today. */
const ageGroups = [
  [0, 0],
  [3, 1],
  [7, 4],
  [28, 8],
  [undefined, 29],
] as const

async function findAges(
  db: Db,
  scope: RawBuilder<unknown>,
  viewer: Viewer,
  today: PlainDate,
): Promise<SupportReport['ages']> {
  const groups = ageGroups.map(([oldest, newest]) => ({
    from: oldest === undefined ? null : addDays(today, -oldest),
    // A ticket is never from tomorrow, unless the reader's day differs from the server's.
    to: newest === 0 ? null : addDays(today, -newest),
  }))
  const counts = groups.map(({ from, to }) => {
    const since = from === null ? sql`` : sql` and t.created_at >= ${dayStart(from, viewer)}`
    const until = to === null ? sql`` : sql` and t.created_at < ${dayEnd(to, viewer)}`
    return sql`count(*) filter (where true${since}${until})::integer`
  })
  const { rows } = await sql<{
    counts: number[]
  }>`select array[${sql.join(counts)}] as counts from tickets t where ${scope} and ${isOpen}`.execute(db)
  return groups.map((group, index) => ({ ...group, open: rows[0]!.counts[index]! }))
}
