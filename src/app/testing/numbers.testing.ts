import { expect } from 'vitest'
import { roleIds } from '#shared/access.ts'
import { addDays, type PlainDate } from '#shared/dates.ts'
import { productIds } from '#shared/products.ts'
import { periodIds, periodOf, type Period, type PeriodId } from '#shared/trend.ts'
import { testNow, type Reply, type TestApp, type TestClient } from '#app/testing/start.testing.ts'
import type { Db } from '#server/db/db.ts'

export const today = testNow.slice(0, 10)

interface Asking {
  client: TestClient
  period: Period
}

/** A number of the dashboard, and the list that a click on it opens. */
export interface Counted {
  /** Path of the numbers, and of the list; a `POST` before a path is the method that the list has. */
  numbers: string
  list: string
  /** Name of the parameter that scopes both to one product; absent if they are about all products of the viewer. */
  product?: string
  value: (numbers: Reply) => number
  filters: (asking: Asking, numbers: Reply) => object
}

const queryOf = (values: object): string =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]: [string, unknown]): [string, string][] =>
      Array.isArray(value) ? value.map((one) => [`${name}[]`, String(one)]) : [[name, String(value)]],
    ),
  ).toString()

/** Half of the roles read in a time zone in which the day of the records near midnight is another one. */
const zoneOf = (role: number) => (role % 2 ? 'Pacific/Auckland' : 'UTC')

/**
 * Expects that each number equals the total of its list for all roles and products, and that users who can't see
 * the list can't see the number; each role and product is read with another period. Returns the sum of each number, so that
 * a test can show that it had something to count.
 */
export async function expectNumbersEqualLists(
  { as, db }: TestApp,
  counted: Readonly<Record<string, Counted>>,
): Promise<Record<string, number>> {
  const sums = Object.fromEntries(Object.keys(counted).map((name) => [name, 0]))
  // In the last turn everyone has all products, and so sees all organizations.
  const turns = [...productIds.map((id) => [id]), [...productIds]]
  for (const [index, products] of turns.entries()) {
    await giveOnly(db, products)
    const product = products[0]!
    for (const role of roleIds) {
      const period = periodIds[(index + role) % periodIds.length]!
      for (const [name, one] of Object.entries(counted)) {
        const [number, total] = await bothOf(as(role), role, one, product, period)
        expect([name, role, product, number]).toEqual([name, role, product, total])
        if (typeof number === 'number') sums[name]! += number
      }
    }
  }
  return sums
}

/** Returns the number and the total of its list, or the status of those that are refused. */
async function bothOf(client: TestClient, role: number, one: Counted, product: number, period: PeriodId) {
  const sent = { headers: { 'x-time-zone': zoneOf(role) } }
  const scope = one.product === undefined ? {} : { [one.product]: product }
  const numbers = await client.get(`${one.numbers}?${queryOf({ ...scope, today, period })}`, sent)
  const asking = { client, period: periodOf(period, today) }
  const [method, path] = one.list.startsWith('POST ') ? ['POST', one.list.slice(5)] : ['GET', one.list]
  const filters = numbers.status === 200 ? one.filters(asking, numbers) : {}
  const list = await client.send(method, `${path}?${queryOf({ ...scope, ...filters })}`, undefined, sent)
  return [
    numbers.status === 200 ? one.value(numbers) : `refused: ${numbers.status}`,
    list.status === 200 ? list['total'] : `refused: ${list.status}`,
  ]
}

/** Assigns everyone to these products only. */
async function giveOnly(db: Db, products: readonly number[]): Promise<void> {
  const people = await db.selectFrom('staff').select('id').execute()
  await db.deleteFrom('staff_products').execute()
  await db
    .insertInto('staff_products')
    .values(people.flatMap(({ id }) => products.map((product_id) => ({ staff_id: id, product_id }))))
    .execute()
}

/** Days around the ends of all periods and weeks, with an instant on each near midnight of half of the readers. */
export const days: readonly PlainDate[] = [
  -1, 0, 1, 5, 6, 7, 13, 14, 15, 29, 30, 59, 60, 74, 75, 89, 90, 150,
].map((back) => addDays(today, -back))
export const instantOn = (day: PlainDate): string => `${day}T11:30:00Z`
