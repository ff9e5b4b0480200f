import { sql, type RawBuilder } from 'kysely'
import { addDays, daysBetween, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { periodsBefore } from '#shared/report-period.ts'
import type { Days } from '#shared/trend.ts'
import {
  mostOrganizations,
  type ReportFilters,
  type SupportReport,
} from '#features/crm/support/report.contract.ts'
import { clockKindNames } from '#features/crm/support/rules.ts'
import { seesAllOrganizations } from '#features/crm/organizations/server/product-sets.queries.ts'
import { isOpen } from '#features/crm/support/server/conditions.ts'
import { isOverdue, matching } from '#features/crm/support/server/filters.ts'
import { findPeople, findReplies } from '#features/crm/support/server/report/report-people.queries.ts'
import {
  findRatings,
  findRatingsOfPeople,
} from '#features/crm/support/server/report/report-ratings.queries.ts'
import { isTargetEvent, lastChanges } from '#features/crm/support/server/ticket-events.ts'
import type { Db } from '#server/db/db.ts'
import { dayEnd, dayStart } from '#server/record/list.ts'

const events = ['received', 'answered', 'solved', 'reopened'] as const
type Event = (typeof events)[number]

/** A number of events, by one of the columns that are not null. */
interface Count {
  /** Bits of `category`, `organization_id`, `person`, `day`, and `weekday`: 1 if not counted by the column. */
  by: number
  category: number | null
  organization_id: number | null
  person: number | null
  day: PlainDate | null
  weekday: number | null
  hour: number | null
  count: number
}
const groupings = { category: 15, organization_id: 23, person: 27, day: 29, hour: 30 } as const

/** The events of one kind in a period, each ticket at most once, from indexes alone (docs/decisions/035). */
function eventsOf(
  event: Event,
  scope: RawBuilder<unknown>,
  { from, to }: Days,
  viewer: Viewer,
): RawBuilder<unknown> {
  const [since, until] = [dayStart(from, viewer), dayEnd(to, viewer)]
  const ticket = sql`t.category, t.organization_id`
  if (event === 'received')
    return sql`select ${ticket}, null::integer as person, t.created_at as at, null::double precision as seconds
      from tickets t where ${scope} and t.created_at >= ${since} and t.created_at < ${until}`
  if (event === 'answered')
    return sql`select ${ticket}, t.first_answer_by as person, t.first_answer_at as at,
        date_part('epoch', t.first_answer_at - t.created_at) as seconds
      from tickets t where ${scope} and t.first_answer_at >= ${since} and t.first_answer_at < ${until}`
  return sql`select ${ticket}, e.person, e.at, e.seconds
    from ${lastChanges(event, since, until)} e join tickets t on t.id = e.ticket_id where ${scope}`
}

/** Counts events by all groups of the report; received tickets also by hour. */
async function countEvents(
  db: Db,
  event: Event,
  scope: RawBuilder<unknown>,
  period: Days,
  viewer: Viewer,
): Promise<Count[]> {
  const time =
    event === 'received'
      ? sql`date_part('isodow', at)::integer as weekday, date_part('hour', at)::integer as hour`
      : sql`null::integer as weekday, null::integer as hour`
  const { rows } = await sql<Count>`select grouping(category, organization_id, person, day, weekday) as by,
      category, organization_id, person, day, weekday, hour, count(*)::integer as count
    from (select category, organization_id, person, at::date as day, ${time}
      from (select category, organization_id, person, at at time zone ${viewer.zone ?? 'UTC'} as at
        from (${eventsOf(event, scope, period, viewer)}) x) local) e
    group by grouping sets ((category), (organization_id), (person), (day), (weekday, hour))`.execute(db)
  return rows
}

const durations = sql`round(percentile_cont(0.5) within group (order by e.seconds))::integer as median,
  round(percentile_cont(0.9) within group (order by e.seconds))::integer as p90`

interface Total {
  event: Event
  count: number
  median: number | null
  p90: number | null
}

/** Returns the number of events of each kind, and how long they took. */
async function findTotals<Kind extends Event>(
  db: Db,
  kinds: readonly Kind[],
  eventsIn: (event: Event) => RawBuilder<unknown>,
): Promise<Record<Kind, Total>> {
  const { rows } = await sql<Total>`${sql.join(
    kinds.map(
      (event) => sql`select ${sql.lit(event)} as event, count(*)::integer as count, ${durations}
        from (${eventsIn(event)}) e`,
    ),
    sql` union all `,
  )}`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.event, row])) as Record<Kind, Total>
}

type MedianBy = 'category' | 'person' | 'organization_id'

/** Returns the median time until the first answer of each group; null is the group without a value. */
async function findMedians(
  db: Db,
  by: MedianBy,
  answered: RawBuilder<unknown>,
): Promise<Map<number | null, number>> {
  const column = sql.ref(`e.${by}`)
  const { rows } = await sql<{ id: number | null; median: number }>`select ${column} as id, ${durations}
    from (${answered}) e group by ${column}`.execute(db)
  return new Map(rows.map(({ id, median }) => [id, median]))
}

interface Reader {
  viewer: Viewer
  today: PlainDate
  /** Whether all organizations and comments are needed, not only the first ones. */
  isWhole?: boolean
}

/** Returns the report of the tickets that the viewer's list has with these filters. */
export async function findReport(
  db: Db,
  { from, to, compare = 'before', ...filters }: ReportFilters & Days,
  { viewer: reader, today, isWhole = false }: Reader,
): Promise<SupportReport> {
  const period = { from, to }
  const earlier = periodsBefore[compare](period)
  const viewer = { ...reader, seesAllOrganizations: await seesAllOrganizations(db, reader) }
  const scope = matching(filters, viewer)
  const within = (days: Days) => (event: Event) => eventsOf(event, scope, days, viewer)
  const answered = within(period)('answered')
  const count = (event: Event) => countEvents(db, event, scope, period, viewer)
  // Four statements at a time: a report takes a part of the connections only. The replies take longest.
  const [replies, groups, parts, before] = await Promise.all([
    findReplies(db, scope, period, viewer),
    count('received').then(async (received) => ({
      received,
      solved: await count('solved'),
      ages: await findAges(db, scope, viewer, today),
    })),
    count('answered').then(async (answers) => ({
      answered: answers,
      reopened: await count('reopened'),
      categories: await findMedians(db, 'category', answered),
      people: await findMedians(db, 'person', answered),
    })),
    (async () => ({
      totals: await findTotals(db, ['answered', 'solved'], within(period)),
      all: earlier && (await findTotals(db, events, within(earlier))),
      targets: await findTargets(db, scope, period, viewer),
      ratings: await findRatings(db, scope, { period, earlier, isWhole }, viewer),
      rated: await findRatingsOfPeople(db, scope, period, viewer),
    }))(),
  ])
  const { ages, received, solved } = groups
  const counts: Counts = { received, solved, answered: parts.answered, reopened: parts.reopened }
  const days = daysOf(counts, period)
  const numberOf = (event: Event) => ({
    count: days.reduce((sum, day) => sum + day[event], 0),
    before: before.all?.[event].count ?? null,
  })
  const durationOf = (event: 'answered' | 'solved') => ({
    median: before.totals[event].median,
    p90: before.totals[event].p90,
    before: before.all?.[event].median ?? null,
  })
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
    days,
    hours: hoursOf(counts.received),
    categories: await withNames(db, groupsOf(counts, 'category', parts.categories), 'ticket_categories'),
    organizations: await findOrganizations(db, counts, answered, isWhole),
    replies: replies.all,
    people: await findPeople(
      db,
      {
        answered: byPerson(counts.answered),
        solved: byPerson(counts.solved),
        medians: parts.people,
        replies: replies.people,
        rated: before.rated,
      },
      viewer,
    ),
    targets: before.targets,
    ratings: before.ratings,
    ages,
  }
}

const hoursOf = (received: readonly Count[]): SupportReport['hours'] =>
  received
    .flatMap(({ by, weekday, hour, count }) =>
      by === groupings.hour ? [{ weekday: weekday!, hour: hour!, received: count }] : [],
    )
    .toSorted((one, two) => one.weekday - two.weekday || one.hour - two.hour)

type Counts = Record<Event, readonly Count[]>

const byPerson = (counts: readonly Count[]): Map<number | null, number> =>
  new Map(
    counts.flatMap(({ by, person, count }) => (by === groupings.person ? [[person, count] as const] : [])),
  )

function daysOf(counts: Counts, { from, to }: Days): SupportReport['days'] {
  const days = Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => ({
    day: addDays(from, index),
    received: 0,
    answered: 0,
    solved: 0,
    reopened: 0,
  }))
  for (const event of events)
    for (const { by, day, count } of counts[event])
      if (by === groupings.day) days[daysBetween(from, day!)]![event] = count
  return days
}

type Grouped = Omit<SupportReport['categories'][number], 'name'>

/** Returns the numbers by category or organization, those with the most received tickets first. */
function groupsOf(
  counts: Counts,
  column: 'category' | 'organization_id',
  medians: ReadonlyMap<number | null, number>,
): Grouped[] {
  const groups = new Map<number | null, Grouped>()
  for (const event of events)
    for (const { by, count, ...of } of counts[event]) {
      if (by !== groupings[column]) continue
      const id = of[column]
      const none = { received: 0, answered: 0, solved: 0, reopened: 0 }
      const group = groups.get(id) ?? { id, ...none, first_response: medians.get(id) ?? null }
      groups.set(id, { ...group, [event]: count })
    }
  return [...groups.values()].toSorted(
    (one, two) => two.received - one.received || two.solved - one.solved || (one.id ?? 0) - (two.id ?? 0),
  )
}

/** Returns the numbers of the organizations with the most tickets, or of all. Only their medians are computed. */
async function findOrganizations(
  db: Db,
  counts: Counts,
  answered: RawBuilder<unknown>,
  isWhole: boolean,
): Promise<SupportReport['organizations']> {
  const all = groupsOf(counts, 'organization_id', new Map())
  const groups = isWhole ? all : all.slice(0, mostOrganizations)
  const ids = groups.map(({ id }) => id ?? 0)
  const medians = await findMedians(
    db,
    'organization_id',
    sql`${answered} and coalesce(t.organization_id, 0) = any(${ids}::int[])`,
  )
  return withNames(
    db,
    groups.map((group) => ({ ...group, first_response: medians.get(group.id) ?? null })),
    'organizations',
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
  const count = async (which: RawBuilder<unknown>) => {
    const { rows } = await sql<{
      counts: number[]
    }>`select array[${sql.join(counts)}] as counts from tickets t where ${scope} and ${which}`.execute(db)
    return rows[0]!.counts
  }
  const open = await count(isOpen)
  const overdue = await count(isOverdue)
  return groups.map((group, index) => ({ ...group, open: open[index]!, overdue: overdue[index]! }))
}
