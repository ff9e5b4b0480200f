import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { compactOpenTickets } from '#features/crm/support/server/open-ticket-counts.ts'
import type { Db } from '#server/db/db.ts'

interface Count {
  id: number
  count: number
}
const kept = async (db: Db) =>
  (
    await sql<Count>`select assignee_id as id, sum(change) as count from assigned_ticket_counts
      group by 1 having sum(change) <> 0 order by 1`.execute(db)
  ).rows
const counted = async (db: Db) =>
  (
    await sql<Count>`select coalesce(assignee_id, 0) as id, count(*) as count from tickets
      where deleted_at is null and merged_into is null and status not in (4, 5) group by 1 order by 1`.execute(
      db,
    )
  ).rows

/** Yields a fixed pseudo-random sequence. */
function* disorder(count: number): Generator<number> {
  for (let index = 0, state = 7; index < count; index++) yield (state = (state * 48_271) % 2_147_483_647)
}

test('the kept counts of open tickets match the tickets, whatever happens to them', async () => {
  const { as, db } = await startTestApp()
  const organizations = [await enterOrganization(db, {}, [1]), await enterOrganization(db, {}, [2, 3])]
  const gone = await enterOrganization(db, {}, [4])
  let most = 0
  for (const number of disorder(135)) {
    const organization = [null, ...organizations, gone][number % 4]!
    const some = sql`where id % 5 = ${number % 5}`
    const trashed = number % 2 === 0
    const acts = [
      sql`insert into tickets (title, organization_id, status) select 'The scanner stopped', ${organization}, i % 6 from generate_series(1, ${1 + (number % 5)}::int) i`,
      sql`insert into tickets (title, organization_id, deleted_at, deleted_by) values ('It blinks', ${organization}, now(), 1)`,
      sql`update tickets set status = ${number % 6} ${some}`,
      sql`update tickets set organization_id = ${organization} ${some}`,
      sql`update tickets set assignee_id = ${[null, as('support').id, as('crm').id][number % 3]} ${some}`,
      sql`update tickets set deleted_at = case when ${trashed} then now() end, deleted_by = case when ${trashed} then 1 end ${some}`,
      sql`update tickets set merged_into = case when ${trashed} then (select min(id) from tickets) end ${some} and id > (select min(id) from tickets)`,
      sql`update tickets set title = 'The scanner hums', status = status ${some}`,
      sql`delete from tickets t where id % 11 = ${number % 11} and not exists (select from tickets m where m.merged_into = t.id)`,
    ]
    const act = acts[Math.floor(number / 60) % (acts.length + 1)]
    await (act ? act.execute(db) : compactOpenTickets(db))
    const now = await counted(db)
    expect(await kept(db)).toEqual(now)
    most = Math.max(most, now.length)
  }
  expect(most).toBe(3)
  await db.deleteFrom('organizations').where('organization_id', '=', gone).execute()
  expect(await kept(db)).toEqual(await counted(db))
  // Without its trigger the counts would be wrong, and this test would notice.
  await sql`alter table tickets disable trigger tickets_open_counted`.execute(db)
  await sql`insert into tickets (title) values ('It blinks')`.execute(db)
  expect(await kept(db)).not.toEqual(await counted(db))
})

test('a status that is undone is undone in the count, and own tickets of other products count as in the list', async () => {
  const { as, db } = await startTestApp()
  const visible = await enterOrganization(db, {}, [1])
  const hidden = await enterOrganization(db, {}, [4])
  const support = as('support')
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', support.id)
    .where('product_id', '=', 4)
    .execute()
  await db
    .insertInto('tickets')
    .values([
      { title: 'The scanner stopped' },
      { title: 'It blinks', organization_id: visible },
      { title: 'It hums', organization_id: hidden },
      { title: 'My own', organization_id: hidden, staff_id: support.id },
      { title: 'My own, with them', organization_id: visible, staff_id: support.id },
    ])
    .execute()
  await db
    .updateTable('tickets')
    .set({ assignee_id: as('crm').id })
    .where('title', 'in', ['It hums', 'My own', 'It blinks'])
    .execute()
  const totalOf = async (filters: string) =>
    (await support.get(`/admin/support/ticket?search=is%3Aopen&${filters}`)).total
  const open = async () => {
    const { total, by } = (await support.get('/admin/support/ticket-numbers')).open
    expect(total).toBe(await totalOf(''))
    const people = by as { id: number; total: number }[]
    for (const { id, total: own } of people)
      expect([id, own]).toEqual([id, await totalOf(`assignee=${id === 0 ? 'none' : id}`)])
    expect(people.reduce((sum, one) => sum + one.total, 0)).toBe(total)
    return total
  }
  expect(await open()).toBe(4)
  const { id } = await db
    .selectFrom('tickets')
    .select('id')
    .where('title', '=', 'It blinks')
    .executeTakeFirstOrThrow()
  const { operation } = await support.post(`/admin/support/change-ticket-status/${id}/4`)
  expect(await open()).toBe(3)
  expect((await support.post(`/admin/operations/${(operation as { id: number }).id}/undo`)).status).toBe(200)
  expect(await open()).toBe(4)
})
