import { isAdminRole } from '#shared/access.ts'
import { addDays, daysBetween, monthOf, type PlainDate } from '#shared/dates.ts'
import { periodsBefore } from '#shared/report-period.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Days } from '#shared/trend.ts'
import type { SalesReport, SalesReportFilters } from '#features/crm/leads/report/contract.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import {
  findDays,
  findOpen,
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
  const statuses = await db
    .selectFrom('lead_statuses')
    .select(['id', 'name', 'tone', 'probability', 'is_won'])
    .orderBy('position')
    .orderBy('id')
    .execute()
  const won = statuses.find(({ is_won }) => is_won)?.id ?? null
  const months = monthsAround(today)
  const [sums, ofDays, before, times, open, wonByMonth] = await Promise.all([
    findSums(db, scope, period, { won }),
    findDays(db, scope, period, won),
    earlier && findSums(db, scope, earlier, { won, isTotal: true }),
    findTimes(db, scope, period),
    findOpen(db, scope),
    findWonByMonth(db, scope, { won, from: months[0]! }),
  ])
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
    people: await peopleOf(db, sums, won, viewer),
    sources: groupsOf(sums, 'source', won)
      .map(({ key, ...group }) => ({ name: key, ...group }))
      .toSorted((one, other) => other.received - one.received || other.won - one.won),
    reasons: await reasonsOf(db, sums),
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

type GroupColumn = 'person' | 'source'

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

/** Returns the numbers of each person, and of no one but the viewer unless they are an admin. */
async function peopleOf(
  db: Db,
  sums: readonly Sum[],
  won: number | null,
  viewer: Viewer,
): Promise<SalesReport['people']> {
  const groups = groupsOf(sums, 'person', won).filter(
    ({ key }) => isAdminRole(viewer.role_id) || key === viewer.id,
  )
  const ids = groups.flatMap(({ key }) => key ?? [])
  const people = ids.length
    ? await db.selectFrom('staff').select(['id', 'name']).where('id', 'in', ids).execute()
    : []
  return groups
    .map(({ key: id, ...group }) => ({
      id,
      name: people.find((person) => person.id === id)?.name ?? 'Unassigned',
      ...group,
    }))
    .toSorted((one, other) => other.won - one.won || other.received - one.received)
}

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
