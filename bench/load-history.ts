import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'

/**
 * Gives leads the statuses before the one that they have, at times of the day, a completed session to every eighth, and
 * an amount to every third. With a million leads, these are 3.6 million changes; about five minutes.
 */
export async function loadHistory(db: Db, today: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const run = (statement: ReturnType<typeof sql>) => statement.execute(trx)
    await run(sql`set local statement_timeout = 0`)
    await run(sql`set local work_mem = '256MB'`)
    await run(sql`update leads set amount = 100 + lead_id % 900, currency = (array['EUR', 'USD', 'GBP'])[1 + lead_id % 7 % 3],
      recurring = (array['once', 'monthly', 'yearly'])[1 + lead_id % 5 % 3], expected_close = ${today}::date + lead_id % 200 - 60
      where lead_id % 3 = 0`)
    await run(sql`alter table lead_status_changes disable trigger user`)
    await run(sql`alter table lead_demos disable trigger user`)
    await run(sql`truncate lead_status_changes, sales_facts, sales_counts, sales_times`)
    await run(sql`with path as (
        select l.lead_id, l.lead_date::timestamptz + (l.lead_id * 7 % 600 + 480) * interval '1 minute' as entered_at, l.assign_to,
          s.id as status, row_number() over (partition by l.lead_id order by s.id) - 1 as step
        from leads l join lead_statuses s on s.id = l.status or s.id < case l.status when 8 then 3 else l.status end
      ), timed as (
        select *, entered_at + step * (1 + lead_id % 12) * interval '1 day' + step * (lead_id * 13 % 480) * interval '1 minute' as at from path
      )
      insert into lead_status_changes (lead_id, step, from_status, to_status, is_first, assignee_id, reject_reason_id, since, changed_at)
      select lead_id, step, lag(status) over of_lead, status, true, assign_to, case when status = 8 then 1 + lead_id % 4 end,
        lag(at) over of_lead, at
      from timed window of_lead as (partition by lead_id order by step) order by at`)
    await run(sql`insert into lead_demos (lead_id, type, final_date, status)
      select lead_id, 'Demo', lead_date::timestamptz + interval '9 days 10 hours', 3 from leads where lead_id % 8 = 0`)
    await run(sql`alter table lead_status_changes enable trigger user`)
    await run(sql`alter table lead_demos enable trigger user`)
    await run(
      sql`insert into sales_facts select f.* from sales_facts_of(array(select lead_id from leads)) f order by f.happened_at`,
    )
  })
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum analyze`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}
