import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactCounts } from '#features/crm/leads/record/server/lead-counts.ts'
import { openDatabase, type OpenDatabase } from '#server/db/db.ts'
import { createTestDatabase, type TestDatabase } from '#server/db/testing.ts'

/* The kept facts and counts of the sales report equal what the leads and their histories say. */

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

const rowsOf = async (query: ReturnType<typeof sql>) => (await query.execute(open.db)).rows

const facts = () => rowsOf(sql`select * from sales_facts order by lead_id, step`)
/** Written in another way than the function that the triggers use. */
const expectedFacts = () =>
  rowsOf(sql`select case when c.step = 0 then (l.lead_date || 'T00:00:00Z')::timestamptz else c.changed_at end as happened_at,
      case when c.step > 0 then greatest(extract(epoch from c.changed_at)::float8 - extract(epoch from c.since)::float8, 0) end as seconds,
      l.lead_id, case when c.step = 0 then coalesce(l.assign_to, 0) else coalesce(c.assignee_id, 0) end as person,
      coalesce(c.reject_reason_id, 0) as reject_reason_id, l.lead_for, c.step, c.from_status, c.to_status, c.is_first,
      coalesce(l.hear_about, '') as source, case when c.to_status = 7 and l.currency is not null then l.currency else '' end as currency,
      case when c.to_status = 7 then coalesce(l.amount, 0) * (case when l.recurring = 'monthly' then 12 else 1 end) else 0 end as amount
    from lead_status_changes c, leads l where l.lead_id = c.lead_id and l.deleted_at is null
    union all
    select d.at, null, l.lead_id, coalesce(l.assign_to, 0), 0, l.lead_for, -1, null, 0, true, coalesce(l.hear_about, ''), '', 0
    from leads l, lateral (select coalesce(final_date, requested_date, created_at) as at from lead_demos d
      where d.lead_id = l.lead_id and d.status = 3 and d.onboarding_id is null order by 1 limit 1) d
    where l.deleted_at is null order by lead_id, step`)

const sums = sql`sum(change) as change, sum(contacted) as contacted, sum(contacted_in_a_day) as fast, sum(amount) as amount`
const columns = sql`lead_for, month, is_created, to_status, person, source, reject_reason_id, currency`
const counts = () =>
  rowsOf(sql`select ${columns}, ${sums} from sales_counts group by ${columns}
    having sum(change) <> 0 or sum(contacted) <> 0 or sum(contacted_in_a_day) <> 0 or sum(amount) <> 0 order by ${columns}`)
const expectedCounts = () =>
  rowsOf(sql`select ${columns}, ${sums} from (
      select *, to_char(happened_at at time zone 'UTC', 'YYYY-MM-01')::date as month, step = 0 as is_created, 1 as change,
        (step = 1 and to_status <> 8)::int as contacted, (step = 1 and to_status <> 8 and seconds <= 86400)::int as contacted_in_a_day
      from sales_facts where is_first
    ) f group by ${columns} order by ${columns}`)

const times = () =>
  rowsOf(sql`select lead_for, month, from_status, range, sum(change) as change from sales_times
    group by 1, 2, 3, 4 having sum(change) <> 0 order by 1, 2, 3, 4`)
const expectedTimes = () =>
  rowsOf(sql`select lead_for, to_char(happened_at at time zone 'UTC', 'YYYY-MM-01')::date as month, from_status,
      floor(ln(seconds + 1) * 32)::int as range, count(*) as change
    from sales_facts where step > 0 group by 1, 2, 3, 4 order by 1, 2, 3, 4`)

const now = sql`lead_for, status, assign_to, source, currency, close_month`
const pipeline = () =>
  rowsOf(sql`select ${now}, sum(change) as change, sum(amount) as amount from lead_pipeline_counts group by ${now}
    having sum(change) <> 0 or sum(amount) <> 0 order by ${now}`)
const expectedPipeline = () =>
  rowsOf(sql`select ${now}, count(*) as change, sum(first_year) as amount from (
      select lead_for, status, coalesce(l.assign_to, 0) as assign_to, coalesce(hear_about, '') as source, coalesce(currency, '') as currency,
        case when expected_close is null then '-infinity' else to_char(expected_close, 'YYYY-MM-01')::date end as close_month,
        coalesce(amount, 0) * (case when recurring = 'monthly' then 12 else 1 end) as first_year
      from leads l where deleted_at is null
    ) l group by ${now} order by ${now}`)

const expectKept = async () => {
  expect(await facts()).toEqual(await expectedFacts())
  expect(await counts()).toEqual(await expectedCounts())
  expect(await times()).toEqual(await expectedTimes())
  expect(await pipeline()).toEqual(await expectedPipeline())
}

/** Yields a fixed pseudo-random sequence. */
function* disorder(count: number): Generator<number> {
  for (let index = 0, state = 7; index < count; index++) yield (state = (state * 48_271) % 2_147_483_647)
}

test('facts and counts match the leads, whatever happens to them', async () => {
  const seen = new Set<string>()
  for (const number of disorder(260)) {
    const pick = <T>(list: readonly T[]): T => list[number % list.length]!
    const product = 1 + (number % 4)
    const day = pick(['2026-01-31', '2026-02-01', '2026-03-15'])
    const at = `${pick(['2026-01-31', '2026-02-28', '2026-03-01'])}T${10 + (number % 13)}:15:00Z`
    const source = pick([null, 'Trade show', 'Referral'])
    const some = sql`where lead_id % 5 = ${number % 5}`
    const trashed = sql`deleted_at = case when ${number % 2 === 0} then now() end, deleted_by = case when ${number % 2 === 0} then 1 end`
    const money = sql`amount = ${pick([null, 100, 250.5])}::numeric, currency = case when ${pick([null, 100, 250.5])}::numeric is null then null else 'EUR' end`
    const acts = [
      sql`insert into leads (company_name, lead_for, lead_date, hear_about, status, created_at)
        select 'Aalto', ${product}, ${day}::date, ${source}, 1 + ${number}::int % 8, ${day}::date + interval '9 hours' from generate_series(0, ${number % 4}::int)`,
      sql`update leads set status = 1 + ${number}::int % 8, status_at = ${at}, reject_reason_id = case when ${number}::int % 8 = 7 then 1 end ${some}`,
      sql`update leads set status = 7, status_at = ${at}, ${money} ${some}`,
      sql`update leads set lead_for = ${product}, lead_date = ${day} ${some}`,
      sql`update leads set ${trashed} ${some}`,
      sql`update leads set hear_about = ${source}, assign_to = ${pick([null, 1, 2])} ${some}`,
      sql`update leads set recurring = ${pick(['once', 'monthly', 'yearly'])}, expected_close = ${pick([null, '2026-05-31', '2026-06-01'])}::date ${some}`,
      sql`insert into lead_demos (lead_id, type, final_date, status) select lead_id, 'Demo', ${at}, ${1 + (number % 3)} from leads ${some}`,
      sql`update lead_demos set status = ${pick([0, 2, 3])}, final_date = ${at} ${some}`,
      sql`update lead_demos set lead_id = (select min(lead_id) from leads) ${some}`,
      sql`delete from lead_demos where id % 3 = ${number % 3}`,
      sql`delete from lead_status_changes c using (select lead_id, max(step) as step from lead_status_changes group by 1) m
        where c.lead_id = m.lead_id and c.step = m.step and c.step > 1 and c.lead_id % 5 = ${number % 5}`,
      sql`delete from leads where lead_id % 17 = ${number % 17}`,
    ]
    const act = acts[Math.floor(number / 60) % (acts.length + 1)]
    await (act ? act.execute(open.db) : compactCounts(open.db))
    await expectKept()
    for (const { step, currency } of (await facts()) as { step: number; currency: string }[]) {
      seen.add(step < 0 ? 'demo' : step > 1 ? 'later' : 'first')
      if (currency !== '') seen.add('amount')
    }
  }
  // Facts that are always empty would match, too.
  expect([...seen].toSorted()).toEqual(['amount', 'demo', 'first', 'later'])
}, 60_000)

test('a reject reason that is deleted leaves the facts', async () => {
  const { id } = await open.db
    .insertInto('lead_reject_reasons')
    .values({ name: 'Moved away' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into leads (company_name, lead_for, status, reject_reason_id, reject_msg) values ('Aalto', 1, 8, ${id}, 'Away')`.execute(
    open.db,
  )
  await sql`update leads set reject_reason_id = null where reject_reason_id = ${id}`.execute(open.db)
  await open.db.deleteFrom('lead_reject_reasons').where('id', '=', id).execute()
  await expectKept()
})

test('a demo is counted for the source that its lead gets at the same time', async () => {
  const { lead_id } = await open.db
    .insertInto('leads')
    .values({ company_name: 'Castell', lead_for: 1, hear_about: 'Referral' })
    .returning('lead_id')
    .executeTakeFirstOrThrow()
  let added: Promise<unknown> = Promise.resolve()
  await open.db.transaction().execute(async (one) => {
    await one.updateTable('leads').set({ hear_about: 'Trade show' }).where('lead_id', '=', lead_id).execute()
    added = open.db.insertInto('lead_demos').values({ lead_id, type: 'Demo', status: 3 }).execute()
    await new Promise((done) => setTimeout(done, 100))
  })
  await added
  await expectKept()
})

test('without a trigger they would be wrong, and the first test would notice', async () => {
  await sql`alter table leads disable trigger leads_sales_facts`.execute(open.db)
  await sql`update leads set hear_about = case hear_about when 'Referral' then 'Trade show' else 'Referral' end`.execute(
    open.db,
  )
  expect(await facts()).not.toEqual(await expectedFacts())
})
