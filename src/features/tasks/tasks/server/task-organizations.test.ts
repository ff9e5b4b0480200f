import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import type { Db } from '#server/db/db.ts'

/** Yields a fixed pseudo-random sequence. */
function* disorder(count: number): Generator<number> {
  for (let index = 0, state = 7; index < count; index++) yield (state = (state * 48_271) % 2_147_483_647)
}

const kept = async (db: Db) =>
  (await sql<{ id: number }>`select id from tasks where has_organization order by id`.execute(db)).rows
const found = async (db: Db) =>
  (await sql<{ id: number }>`select distinct task_id as id from task_organizations order by 1`.execute(db))
    .rows

test('a task knows whether it has organizations, whatever happens to them', async () => {
  const { db } = await startTestApp()
  const organizations = [await enterOrganization(db, {}, [1]), await enterOrganization(db, {}, [1])]
  await sql`insert into tasks (title, product_id, discipline) select 'Sort the racks', 1, 'development' from generate_series(1, 12)`.execute(
    db,
  )
  let most = 0
  for (const number of disorder(80)) {
    const organization = organizations[number % 2]
    const some = sql`task_id % 5 = ${number % 5}`
    const acts = [
      sql`insert into task_organizations (task_id, organization_id) select id, ${organization} from tasks where id % 3 = ${number % 3} on conflict do nothing`,
      sql`delete from task_organizations where ${some}`,
      sql`delete from task_organizations where ${some} and organization_id = ${organization}`,
      sql`update task_organizations set organization_id = ${organization} where ${some} and task_id not in
        (select task_id from task_organizations where organization_id = ${organization})`,
    ]
    await acts[Math.floor(number / 60) % acts.length]!.execute(db)
    const now = await found(db)
    expect(await kept(db)).toEqual(now)
    most = Math.max(most, now.length)
  }
  expect(most).toBeGreaterThan(4)
  await expect(sql`update task_organizations set task_id = task_id + 1`.execute(db)).rejects.toThrow(
    'Remove the organization',
  )
  await sql`insert into task_organizations select id, ${organizations[0]} from tasks on conflict do nothing`.execute(
    db,
  )
  await sql`delete from organizations where organization_id = ${organizations[0]}`.execute(db)
  expect(await kept(db)).toEqual(await found(db))
})

test('concurrent changes of the organizations of a task leave it right', async () => {
  const { db } = await startTestApp()
  const [first, second] = [await enterOrganization(db, {}, [1]), await enterOrganization(db, {}, [1])]
  const { id } = await db
    .insertInto('tasks')
    .values({ title: 'Sort the racks', product_id: 1, discipline: 'development' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('task_organizations').values({ task_id: id, organization_id: first }).execute()
  let removed: Promise<unknown> | undefined
  await db.transaction().execute(async (adding) => {
    await adding.insertInto('task_organizations').values({ task_id: id, organization_id: second }).execute()
    // It waits for the other transaction, and then finds what that added.
    removed = db.deleteFrom('task_organizations').where('organization_id', '=', first).execute()
    await expect
      .poll(async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(adding)
        return rows.length
      })
      .toBeGreaterThan(0)
  })
  await removed
  expect(await kept(db)).toEqual([{ id }])
})
