import { sql } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { instantAt } from '#shared/zones.ts'
import type { LeadForecast, Sums } from '#features/crm/leads/forecast/contract.ts'
import { firstYearAmount } from '#features/crm/leads/record/server/amounts.ts'
import { isClosed } from '#features/crm/leads/record/server/lead-conditions.ts'
import type { Db } from '#server/db/db.ts'

interface Row extends Sums {
  currency: string
  product: number
  month: string | null
  id: number | null
  name: string | null
}

const noSums: Sums = { count: 0, sum: 0, weighted: 0 }
const toCents = (amount: number) => Math.round(amount * 100) / 100
const add = (one: Sums, other: Sums): Sums => ({
  count: one.count + other.count,
  sum: toCents(one.sum + other.sum),
  weighted: toCents(one.weighted + other.weighted),
})

/** Adds rows that have the same key, in the order in which the keys first appear. */
function addBy<Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Sums> {
  const sums = new Map<Key, Sums>()
  for (const row of rows) sums.set(keyOf(row), add(sums.get(keyOf(row)) ?? noSums, row))
  return sums
}

/** Returns the forecast of the given products (docs/product.md, “Forecast”). */
export async function findForecast(
  db: Db,
  { products, viewer, today }: { products: readonly number[]; viewer: Viewer; today: PlainDate },
): Promise<LeadForecast> {
  const month = `${today.slice(0, 7)}-01`
  const ofProducts = sql`l.deleted_at is null and l.lead_for = any(${[...products]}::int[])`
  const amount = sql.raw(firstYearAmount)
  const isOpen = sql`not ${sql.raw(isClosed)}`
  // Rounded for each lead's status, as in the lanes of the board.
  const { rows } =
    await sql<Row>`select l.currency, l.lead_for as product, to_char(date_trunc('month', l.expected_close), 'YYYY-MM-DD') as month,
      l.assign_to as id, f.name, count(*)::int as count, sum(${amount})::float8 as sum,
      sum(${amount} * s.probability / 100)::float8 as weighted
    from leads l join lead_statuses s on s.id = l.status left join staff f on f.id = l.assign_to
    where ${ofProducts} and l.currency is not null and ${isOpen}
    group by 1, 2, 3, 4, 5 order by 3 nulls last, 1, 2, 4`.execute(db)
  const since = instantAt(month, '00:00', viewer.zone ?? 'UTC')
  const { rows: won } = await sql<
    Sums & { currency: string; product: number }
  >`select l.currency, l.lead_for as product, count(*)::int as count,
      sum(${amount})::float8 as sum, sum(${amount})::float8 as weighted
    from leads l where ${ofProducts} and l.currency is not null
      and l.status in (select id from lead_statuses where is_won)
      and (l.status_at >= ${since} or l.status_at is null and l.lead_date >= ${month})
    group by 1, 2 order by 1, 2`.execute(db)
  const wonStatus = await db
    .selectFrom('lead_statuses')
    .select('id')
    .where('is_won', '=', true)
    .executeTakeFirst()
  const names = await db
    .selectFrom('products')
    .select(['id', 'name'])
    .where('id', 'in', [0, ...products])
    .orderBy('id')
    .execute()
  const { rows: without } = await sql<{ count: number }>`select count(*)::int as count from leads l
    where ${ofProducts} and l.amount is null and ${isOpen}`.execute(db)
  const currencies = [...new Set([...rows, ...won].map(({ currency }) => currency))].map((currency) => {
    const own = rows.filter((row) => row.currency === currency)
    const ownWon = won.filter((row) => row.currency === currency)
    const isOf =
      (id: number) =>
      ({ product }: { product: number }) =>
        product === id
    return {
      currency,
      open: own.reduce<Sums>(add, noSums),
      won: ownWon.reduce<Sums>(add, noSums),
      products: names.map(({ id, name }) => ({
        id,
        name,
        open: own.filter(isOf(id)).reduce<Sums>(add, noSums),
        won: ownWon.filter(isOf(id)).reduce<Sums>(add, noSums),
      })),
      months: [...addBy(own, (row) => row.month)].map(([of, sums]) => ({ month: of, ...sums })),
      people: peopleOf(own, viewer),
    }
  })
  return {
    month,
    currencies: currencies.toSorted((one, other) => other.open.sum - one.open.sum),
    won_status: wonStatus?.id ?? null,
    without_amount: without[0]!.count,
  }
}

function peopleOf(rows: readonly Row[], viewer: Viewer) {
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return [...addBy(rows, ({ id }) => id)]
    .filter(([id]) => isAdminRole(viewer.role_id) || id === viewer.id)
    .map(([id, sums]) => ({ id, name: names.get(id) ?? null, ...sums }))
    .toSorted((one, other) => other.weighted - one.weighted)
}
