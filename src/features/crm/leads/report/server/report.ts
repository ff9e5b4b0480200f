import { isAdminRole } from '#shared/access.ts'
import { addDays, daysBetween, monthOf, type PlainDate } from '#shared/dates.ts'
import { periodsBefore } from '#shared/report-period.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Days } from '#shared/trend.ts'
import type { SalesCohort, SalesReport, SalesReportFilters } from '#features/crm/leads/report/contract.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import { findActivities } from '#features/crm/leads/report/server/activities.queries.ts'
import {
  findDays,
  findOpen,
  findReached,
  findSums,
  findTimes,
  findWonByMonth,
  type Open,
  type Scope,
  type Sum,
  type WonInMonth,
} from '#features/crm/leads/report/server/report.queries.ts'
import type { Db } from '#server/db/db.ts'

const monthsBefore = 5
const monthsAfter = 3

const toCents = (amount: number) => Math.round(amount * 100) / 100
const sumBy = <Row>(rows: readonly Row[], valueOf: (row: Row) => number | null): number =>
  rows.reduce((sum, row) => sum + (valueOf(row) ?? 0), 0)

const scopeOf = ({ lead_for, assignee, source_filter }: SalesReportFilters, viewer: Viewer): Scope => ({
  products: lead_for === undefined ? viewer.products : [lead_for],
  assignee: assignee === 'me' ? viewer.id : assignee === 'none' ? 0 : assignee,
  source: source_filter === 'all' ? undefined : source_filter === 'none' ? null : source_filter,
  viewer,
})

/** Returns the sales report (docs/product.md, “Sales report”). */
export async function findSalesReport(
  db: Db,
  { from, to, compare = 'before', ...filters }: SalesReportFilters & Days,
  viewer: Viewer,
  today: PlainDate,
): Promise<SalesReport> {
  const period = { from, to }
  const earlier = periodsBefore[compare](period)
  const scope = scopeOf({ ...filters, compare }, viewer)
  const statuses = await findStatuses(db)
  const won = statuses.find(({ is_won }) => is_won)?.id ?? null
  const months = monthsAround(today)
  const [sums, ofDays, before, times, open, wonByMonth, activities] = await Promise.all([
    findSums(db, scope, period, { won }),
    findDays(db, scope, period, won),
    earlier && findSums(db, scope, earlier, { won, isTotal: true }),
    findTimes(db, scope, period),
    findOpen(db, scope),
    findWonByMonth(db, scope, { won, from: months[0]! }),
    findActivities(db, scope, period),
  ])
  const nameOf = await namesOf(db, sums, activities.people)
  const [events, eventsBefore] = [numbersOf(sums, won), before && numbersOf(before, won)]
  const counted = (event: CountedEvent) => ({
    count: events[event],
    before: eventsBefore ? eventsBefore[event] : null,
  })
  const total = (of: readonly Sum[], status: number) =>
    of.find((sum) => sum.by === 'total' && sum.status === status)?.count ?? 0
  return {
    ...period,
    before_from: earlier?.from ?? null,
    before_to: earlier?.to ?? null,
    received: counted('received'),
    contacted: counted('contacted'),
    contacted_in_a_day: sumBy(
      sums.filter(({ by }) => by === 'total'),
      ({ fast }) => fast,
    ),
    demos: counted('demos'),
    won: { ...counted('won'), status: won },
    lost: counted('lost'),
    currencies: currenciesOf(sums, before, { open, wonByMonth, months }),
    statuses: statuses.map(({ id, name, tone, probability }) => {
      const time = times.find(({ status }) => status === id)
      return {
        status: id,
        name,
        tone,
        probability,
        reached: total(sums, id),
        before: before ? total(before, id) : null,
        median: time?.median ?? null,
        p90: time?.p90 ?? null,
        now: sumBy(
          open.filter(({ status }) => status === id),
          ({ count }) => count,
        ),
      }
    }),
    days: daysOf(ofDays, period, won),
    people: peopleOf(sums, won, viewer, nameOf),
    sources: groupsOf(sums, 'source', won)
      .map(({ key, ...group }) => ({ name: key, ...group }))
      .toSorted((one, other) => other.received - one.received || other.won - one.won),
    products: await productsOf(db, sums, won, scope.products),
    activities: activitiesFor(viewer, activities, nameOf),
    reasons: await reasonsOf(db, sums),
  }
}

const findStatuses = (db: Db) =>
  db
    .selectFrom('lead_statuses')
    .select(['id', 'name', 'tone', 'probability', 'is_won'])
    .orderBy('position')
    .orderBy('id')
    .execute()

/** Returns how far the leads that came in during a period got until now (docs/product.md, “Sales report”). */
export async function findSalesCohort(
  db: Db,
  { from, to, ...filters }: SalesReportFilters & Days,
  viewer: Viewer,
): Promise<SalesCohort> {
  const [statuses, { received, statuses: reached }] = await Promise.all([
    findStatuses(db),
    findReached(db, scopeOf(filters, viewer), { from, to }),
  ])
  return {
    from,
    to,
    received,
    statuses: statuses.map(({ id, name, tone }) => ({
      status: id,
      name,
      tone,
      reached: reached.find(({ status }) => status === id)?.reached ?? 0,
    })),
  }
}

type CountedEvent = 'received' | 'contacted' | 'demos' | 'won' | 'lost'

/** Adds sums of the same group. */
function eventsOf(sums: readonly Sum[], won: number | null): Record<CountedEvent, number> {
  const ofStatus = (status: number | null) =>
    sumBy(
      sums.filter((sum) => sum.status === status),
      ({ count }) => count,
    )
  return {
    received: sumBy(sums, ({ received }) => received),
    contacted: sumBy(sums, ({ contacted }) => contacted),
    demos: ofStatus(null),
    won: won === null ? 0 : ofStatus(won),
    lost: ofStatus(rejectedStatus),
  }
}

const numbersOf = (sums: readonly Sum[], won: number | null) =>
  eventsOf(
    sums.filter(({ by }) => by === 'total'),
    won,
  )

const amountsIn = (sums: readonly Sum[]) => sums.filter(({ by }) => by === 'amount')

/** Returns the amounts by currency, the largest first. */
const amountsOf = (sums: readonly Sum[]) =>
  [...Map.groupBy(amountsIn(sums), ({ currency }) => currency!)]
    .map(([currency, of]) => ({
      currency,
      count: sumBy(of, ({ count }) => count),
      sum: toCents(sumBy(of, ({ amount }) => amount)),
    }))
    .toSorted((one, other) => other.sum - one.sum)

/** Returns the first days of the months that the report shows. */
function monthsAround(today: PlainDate): PlainDate[] {
  let month = monthOf(today).first
  for (let back = 0; back < monthsBefore; back += 1) month = monthOf(addDays(month, -1)).first
  return Array.from({ length: monthsBefore + 1 + monthsAfter }, () => {
    const first = month
    month = addDays(monthOf(first).last, 1)
    return first
  })
}

interface Pipeline {
  open: readonly Open[]
  wonByMonth: readonly WonInMonth[]
  months: readonly PlainDate[]
}

function currenciesOf(
  sums: readonly Sum[],
  before: readonly Sum[] | undefined,
  { open, wonByMonth, months }: Pipeline,
): SalesReport['currencies'] {
  const [won, wonBefore] = [amountsOf(sums), amountsOf(before ?? [])]
  const openNow = open.filter(({ is_open, currency }) => is_open && currency !== null)
  const names = new Set([...won, ...wonBefore, ...openNow, ...wonByMonth].map(({ currency }) => currency!))
  return [...names]
    .map((currency) => {
      const isThis = (one: { currency: string | null }) => one.currency === currency
      const of = openNow.filter(isThis)
      const { count, sum } = won.find(isThis) ?? { count: 0, sum: 0 }
      return {
        currency,
        won: { count, sum, before: before ? (wonBefore.find(isThis)?.sum ?? 0) : null },
        open: {
          count: sumBy(of, (one) => one.count),
          sum: toCents(sumBy(of, (one) => one.sum)),
          weighted: toCents(sumBy(of, ({ weighted }) => weighted)),
        },
        months: months.map((month) => {
          const inMonth = (one: { month: string | null }) => one.month === month
          return {
            month,
            won: toCents(sumBy(wonByMonth.filter(isThis).filter(inMonth), (one) => one.sum)),
            weighted: toCents(sumBy(of.filter(inMonth), ({ weighted }) => weighted)),
          }
        }),
      }
    })
    .toSorted((one, other) => other.won.sum + other.open.sum - (one.won.sum + one.open.sum))
}

function daysOf(sums: readonly Sum[], { from, to }: Days, won: number | null): SalesReport['days'] {
  const byDay = Map.groupBy(sums, ({ day }) => day!)
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => {
    const day = addDays(from, index)
    return { day, ...eventsOf(byDay.get(day) ?? [], won) }
  })
}

type GroupColumn = 'person' | 'source' | 'product'

function groupsOf<Column extends GroupColumn>(sums: readonly Sum[], column: Column, won: number | null) {
  const groups = Map.groupBy(
    sums.filter(({ by }) => by === column || by === 'amount'),
    (sum): Sum[Column] => sum[column],
  )
  return [...groups].map(([key, of]) => {
    const { contacted: _, ...numbers } = eventsOf(
      of.filter(({ by }) => by === column),
      won,
    )
    return { key, ...numbers, amounts: amountsOf(of) }
  })
}

/** Reports which numbers of people a viewer sees: those of everyone, or only their own. */
const isShownTo =
  (viewer: Viewer) =>
  ({ id }: { id: number | null }) =>
    isAdminRole(viewer.role_id) || id === viewer.id

type NameOf = (id: number | null) => string

/** Returns the names of the people whose numbers these are. */
async function namesOf(
  db: Db,
  sums: readonly Sum[],
  others: readonly { id: number | null }[],
): Promise<NameOf> {
  const ids = [...sums.map(({ person }) => person), ...others.map(({ id }) => id)]
  const people = await db
    .selectFrom('staff')
    .select(['id', 'name'])
    .where('id', 'in', [0, ...new Set(ids.flatMap((id) => id ?? []))])
    .execute()
  return (id) => people.find((person) => person.id === id)?.name ?? 'Unassigned'
}

/** Returns the numbers of each person, and of no one but the viewer unless they are an admin. */
const peopleOf = (
  sums: readonly Sum[],
  won: number | null,
  viewer: Viewer,
  nameOf: NameOf,
): SalesReport['people'] =>
  groupsOf(sums, 'person', won)
    .map(({ key: id, ...group }) => ({ id, name: nameOf(id), ...group }))
    .filter(isShownTo(viewer))
    .toSorted((one, other) => other.won - one.won || other.received - one.received)

/** Returns the activities of all, and of each person whose numbers the viewer sees, most calls first. */
const activitiesFor = (
  viewer: Viewer,
  { all, people }: Awaited<ReturnType<typeof findActivities>>,
  nameOf: NameOf,
): SalesReport['activities'] => ({
  all,
  people: people
    .filter(isShownTo(viewer))
    .map(({ id, done }) => ({ id, name: nameOf(id), done }))
    .toSorted((one, other) => other.done.call.count - one.done.call.count || (one.id ?? 0) - (other.id ?? 0)),
})

/** Returns the numbers of each product, also of those without any. */
async function productsOf(
  db: Db,
  sums: readonly Sum[],
  won: number | null,
  ids: readonly number[],
): Promise<SalesReport['products']> {
  const products = await db.selectFrom('products').select(['id', 'name']).orderBy('id').execute()
  const groups = groupsOf(sums, 'product', won)
  return products
    .filter(({ id }) => ids.includes(id))
    .map(({ id, name }) => {
      const { key: _, ...group } = groups.find(({ key }) => key === id) ?? { key: id, ...noNumbers }
      return { id, name, ...group }
    })
}

const noNumbers = { received: 0, demos: 0, won: 0, lost: 0, amounts: [] }

async function reasonsOf(db: Db, sums: readonly Sum[]): Promise<SalesReport['reasons']> {
  const lost = sums.filter(({ by, status }) => by === 'reason' && status === rejectedStatus)
  if (lost.length === 0) return []
  const names = await db.selectFrom('lead_reject_reasons').select(['id', 'name']).execute()
  return lost
    .map(({ reason: id, count }) => ({
      id,
      name: names.find((one) => one.id === id)?.name ?? 'No reason',
      lost: count,
    }))
    .toSorted((one, other) => other.lost - one.lost)
}
