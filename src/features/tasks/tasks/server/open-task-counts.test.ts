import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { delivered } from '#features/tasks/tasks/rules.ts'
import { compactOpenTasks } from '#features/tasks/tasks/server/workload.queries.ts'
import type { Db } from '#server/db/db.ts'

const kept = async (db: Db) =>
  (
    await sql`select date_field, product_id, assigned_to, day::text, sum(change) as count from open_task_counts
      group by 1, 2, 3, 4 having sum(change) <> 0 order by 1, 2, 3, 4`.execute(db)
  ).rows
const counted = async (db: Db) =>
  (
    await sql`select d.date_field, product_id, coalesce(assigned_to, 0) as assigned_to, coalesce(d.day, 'infinity')::text as day, count(*) as count
      from tasks t, lateral (values ('due_date', t.due_date), ('dev_due_date', t.dev_due_date)) d (date_field, day)
      where deleted_at is null and discipline = 'development' and status <> ${delivered}
      group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db)
  ).rows

/** Yields a fixed pseudo-random sequence. */
function* disorder(count: number): Generator<number> {
  for (let index = 0, state = 7; index < count; index++) yield (state = (state * 48_271) % 2_147_483_647)
}

test('the kept counts of open tasks match the tasks, whatever happens to them', async () => {
  const { db, as } = await startTestApp()
  const people = [null, as('developer').id, as('qa').id]
  const days = [null, '2026-03-15', '2026-03-16', '2026-04-02']
  let most = 0
  for (const number of disorder(120)) {
    const some = sql`where id % 5 = ${number % 5}`
    const person = people[number % 3]!
    const day = days[number % 4]!
    const trashed = number % 2 === 0
    const acts = [
      sql`insert into tasks (discipline, product_id, title, status, assigned_to, due_date, dev_due_date)
        select (array['development', 'designer'])[1 + i / 5], 1 + i % 4, 'Count racks', i % 8, ${person}::int, ${day}::date,
          ${days[(number + 1) % 4]}::date from generate_series(1, ${1 + (number % 7)}::int) i`,
      sql`insert into tasks (discipline, product_id, title, assigned_to, deleted_at, deleted_by)
        values ('development', 1, 'Mend it', ${person}, now(), 1)`,
      sql`update tasks set status = ${number % 8} ${some}`,
      sql`update tasks set assigned_to = ${person} ${some}`,
      sql`update tasks set due_date = ${day} ${some}`,
      sql`update tasks set dev_due_date = ${day}, product_id = ${1 + (number % 4)} ${some}`,
      sql`update tasks set deleted_at = case when ${trashed} then now() end, deleted_by = case when ${trashed} then 1 end ${some}`,
      sql`update tasks set title = 'Count them', status = status ${some}`,
      sql`delete from tasks where id % 11 = ${number % 11}`,
    ]
    const act = acts[Math.floor(number / 60) % (acts.length + 1)]
    await (act ? act.execute(db) : compactOpenTasks(db))
    const now = await counted(db)
    expect(await kept(db)).toEqual(now)
    most = Math.max(most, now.length)
  }
  expect(most).toBeGreaterThan(10)
  await compactOpenTasks(db)
  expect(await kept(db)).toEqual(await counted(db))
  // Without its trigger the counts would be wrong, and this test would notice.
  await sql`alter table tasks disable trigger tasks_entered`.execute(db)
  await sql`insert into tasks (discipline, product_id, title, assigned_to) values ('development', 1, 'Mend it', ${as('qa').id})`.execute(
    db,
  )
  expect(await kept(db)).not.toEqual(await counted(db))
})
