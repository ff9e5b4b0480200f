import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { compactCounts } from '#features/crm/leads/record/server/lead-counts.ts'
import { openDatabase, type OpenDatabase } from '#server/db/db.ts'
import { createTestDatabase, type TestDatabase } from '#server/db/testing.ts'

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

interface Count {
  lead_for: number
  lead_date: string
  status: number
  since_entered: boolean
  count: number
}
const kept = async () =>
  (
    await sql<Count>`select lead_for, lead_date, status, since_entered, sum(change) as count from lead_counts
      group by 1, 2, 3, 4 having sum(change) <> 0 order by 1, 2, 3, 4`.execute(open.db)
  ).rows
const counted = async () =>
  (
    await sql<Count>`select lead_for, lead_date, status, status_at is null as since_entered, count(*) as count
      from leads where deleted_at is null group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(open.db)
  ).rows

interface FollowUps {
  lead_for: number
  followup_date: string
  assign_to: number
  count: number
}
const keptFollowUps = async () =>
  (
    await sql<FollowUps>`select lead_for, followup_date, assign_to, sum(change) as count from follow_up_counts
      group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3`.execute(open.db)
  ).rows
const countedFollowUps = async () =>
  (
    await sql<FollowUps>`select lead_for, followup_date, coalesce(assign_to, 0) as assign_to, count(*) as count
      from leads where deleted_at is null and followup_date is not null and status not in (7, 8)
      group by 1, 2, 3 order by 1, 2, 3`.execute(open.db)
  ).rows

/** Yields a fixed pseudo-random sequence. */
function* disorder(count: number): Generator<number> {
  for (let index = 0, state = 7; index < count; index++) yield (state = (state * 48_271) % 2_147_483_647)
}
const days = ['2026-01-31', '2026-02-01', '2026-03-15']

test('the stored counts of each day and status, and those of follow-ups, match the leads, whatever happens to them', async () => {
  for (const number of disorder(200)) {
    const product = 1 + (number % 4)
    const day = days[number % 3]
    const some = sql`where lead_id % 5 = ${number % 5}`
    const trashed = sql`deleted_at = case when ${number % 2 === 0} then now() end, deleted_by = case when ${number % 2 === 0} then 1 end`
    const acts = [
      sql`insert into leads (company_name, lead_for, lead_date) select 'Aalto', ${product}, ${day}::date from generate_series(0, ${number % 4}::int)`,
      sql`insert into leads (company_name, lead_for, lead_date, deleted_at, deleted_by) values ('Brennan', ${product}, ${day}, now(), 1)`,
      sql`update leads set lead_for = ${product}, lead_date = ${day} ${some}`,
      sql`update leads set ${trashed} ${some}`,
      sql`update leads set ${trashed}, lead_date = ${day} ${some}`,
      sql`update leads set company_name = 'Castell', lead_date = lead_date ${some}`,
      sql`update leads set status = ${1 + (number % 8)} ${some}`,
      sql`update leads set followup_date = ${days[number % 4] ?? null}::date ${some}`,
      sql`update leads set assign_to = ${[null, 1, 2][number % 3] ?? null} ${some}`,
      sql`update leads set status = ${1 + (number % 7)}, lead_date = ${day}, ${trashed} ${some}`,
      sql`delete from leads where lead_id % 11 = ${number % 11}`,
    ]
    const act = acts[Math.floor(number / 60) % (acts.length + 1)]
    await (act ? act.execute(open.db) : compactCounts(open.db))
    expect(await kept()).toEqual(await counted())
    expect(await keptFollowUps()).toEqual(await countedFollowUps())
  }
  expect((await counted()).length).toBeGreaterThan(2)
  expect((await countedFollowUps()).length).toBeGreaterThan(2)
})

test('users who create leads at the same time wait for no one, and two concurrent compactions lose nothing', async () => {
  const enter = sql`insert into leads (company_name, lead_for, lead_date) select 'Castell', 1, '2026-05-05' from generate_series(1, 10)`
  await open.db.transaction().execute(async (one) => {
    await enter.execute(one)
    await enter.execute(open.db)
    const { rows } = await sql<{
      sum: number
    }>`select sum(change) as sum from lead_counts where lead_date = '2026-05-05'`.execute(open.db)
    expect(rows).toEqual([{ sum: 10 }])
  })
  await Promise.all([
    compactCounts(open.db),
    enter.execute(open.db),
    compactCounts(open.db),
    compactCounts(open.db),
  ])
  await compactCounts(open.db)
  expect(await kept()).toEqual(await counted())
  const { rows } =
    await sql`select lead_for, lead_date, change from lead_counts where lead_date = '2026-05-05'`.execute(
      open.db,
    )
  expect(rows).toEqual([{ lead_for: 1, lead_date: '2026-05-05', change: 30 }])
})

test('counts are compacted when the jobs start, and every night by one of the processes', async () => {
  const { app, db } = await startTestApp()
  for (const name of ['Aalto', 'Brennan'])
    await db
      .insertInto('leads')
      .values({ company_name: name, lead_for: 1, lead_date: '2026-03-10' })
      .execute()
  await app.jobs.start()
  const changes = async () =>
    (await db.selectFrom('lead_counts').select('change').execute()).map(({ change }) => change)
  await expect.poll(changes).toEqual([2])
  const { rows } = await app.pool.query("select cron from pgboss.schedule where name = 'lead-counts'")
  expect(rows).toEqual([{ cron: '23 3 * * *' }])
})

test('without its triggers the counts would be wrong, and the test above would notice', async () => {
  await sql`alter table leads disable trigger leads_entered`.execute(open.db)
  await sql`insert into leads (company_name, lead_for, lead_date) values ('Dufour', 2, '2026-06-06')`.execute(
    open.db,
  )
  expect(await kept()).not.toEqual(await counted())
})
