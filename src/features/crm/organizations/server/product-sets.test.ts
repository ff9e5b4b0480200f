import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  compactProductSets,
  seesAllOrganizations,
} from '#features/crm/organizations/server/product-sets.queries.ts'
import { openDatabase, type OpenDatabase } from '#server/db/db.ts'
import { createTestDatabase, type TestDatabase } from '#server/db/testing.ts'
import type { Viewer } from '#shared/endpoint.ts'

let database: TestDatabase
let open: OpenDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  open = openDatabase(database.connection)
})
afterAll(async () => {
  await open.close()
  await database.drop()
})

const kept = async () =>
  (
    await sql`select products, sum(change)::int as count from organization_product_sets
      group by 1 having sum(change) <> 0 order by 1`.execute(open.db)
  ).rows
const counted = async () =>
  (
    await sql`select array(select p.product_id::integer from organization_products p
        where p.organization_id = o.organization_id order by 1) as products, count(*)::int as count
      from organizations o group by 1 order by 1`.execute(open.db)
  ).rows

const isSeenBy = async (products: number[]) => {
  const { rows } = await sql<{
    all: boolean
  }>`select not exists (select from organizations o where not exists (
      select from organization_products p where p.organization_id = o.organization_id
        and p.product_id = any(${products}::int[]))) as all`.execute(open.db)
  return rows[0]!.all
}

/** Yields a fixed pseudo-random sequence. */
function* disorder(count: number): Generator<number> {
  for (let index = 0, state = 7; index < count; index++) yield (state = (state * 48_271) % 2_147_483_647)
}

test('the stored counts match the organizations, whatever happens to them and their products', async () => {
  const seen = new Set<boolean>()
  for (const number of disorder(160)) {
    const product = 1 + (number % 4)
    const some = sql`where organization_id % 3 = ${number % 3}`
    const acts = [
      sql`with added as (insert into organizations (name) select 'Aalto' from generate_series(0, ${number % 3}::int)
        returning organization_id) insert into organization_products select organization_id, ${product} from added`,
      sql`insert into organizations (name) values ('Brennan')`,
      sql`insert into organization_products select organization_id, ${product} from organizations ${some}
        on conflict do nothing`,
      sql`insert into organization_products select organization_id, p from organizations, unnest('{1,2}'::int[]) p
        ${some} on conflict do nothing`,
      sql`delete from organization_products ${some} and product_id = ${product}`,
      sql`delete from organization_products ${some}`,
      sql`delete from organizations where organization_id % 7 = ${number % 7}`,
      sql`update organizations set deleted_at = now(), deleted_by = 1 ${some}`,
    ]
    const act = acts[Math.floor(number / 60) % (acts.length + 1)]
    await (act ? act.execute(open.db) : compactProductSets(open.db))
    expect(await kept()).toEqual(await counted())
    for (const products of [[], [1], [product], [1, 2], [1, 2, 3, 4]]) {
      const sees = await seesAllOrganizations(open.db, { products } as unknown as Viewer)
      expect([products, sees]).toEqual([products, await isSeenBy(products)])
      seen.add(sees)
    }
  }
  expect(seen.size).toBe(2)
  expect((await counted()).length).toBeGreaterThan(2)
})

test('products that are added to one organization at the same time are both counted', async () => {
  const { rows } = await sql<{
    organization_id: number
  }>`insert into organizations (name) values ('Castell') returning organization_id`.execute(open.db)
  const { organization_id } = rows[0]!
  const add = (product_id: number) =>
    sql`insert into organization_products (organization_id, product_id) values (${organization_id}, ${product_id})`
  const second = await open.db.transaction().execute(async (one) => {
    await add(1).execute(one)
    const waits = add(2).execute(open.db)
    await sql`select pg_sleep(0.2)`.execute(one)
    return { waits }
  })
  await second.waits
  expect(await kept()).toEqual(await counted())
})

test('without its triggers the counts would be wrong, and the test above would notice', async () => {
  await sql`alter table organizations disable trigger organizations_counted`.execute(open.db)
  await sql`insert into organizations (name) values ('Dufour')`.execute(open.db)
  expect(await kept()).not.toEqual(await counted())
})
