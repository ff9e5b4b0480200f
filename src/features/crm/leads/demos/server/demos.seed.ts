import { sql } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Db } from '#server/db/db.ts'

/**
 * Seeds a demo for each lead whose demo status requires one, around a given day, in several time zones; does
 * nothing if there are any demos.
 */
export async function seedDemos(db: Db, today: PlainDate): Promise<void> {
  if (await db.selectFrom('lead_demos').select('id').limit(1).executeTakeFirst()) return
  await sql`update leads set timezone = (array['US/Eastern', 'US/Central', 'US/Pacific', 'Europe/Berlin', 'Europe/London'])[lead_id % 5 + 1] where demo_status > 0`.execute(
    db,
  )
  await sql`
    insert into lead_demos (lead_id, type, requested_date, final_date, received_date, status, schedule_comment, created_by)
    select lead_id, case when lead_id % 6 = 0 then 'Second demo' else 'Demo' end, at, case when demo_status >= 2 then at end,
      ${today}::date - (lead_id % 9), demo_status, case when lead_id % 4 = 0 then 'Mornings work best.' else '' end, assign_to
    from (
      select *, (${today}::date + case when demo_status = 3 then - (lead_id % 25) - 1 else lead_id % 19 end)::timestamp at time zone 'UTC'
        + make_interval(hours => 13 + lead_id % 8, mins => (lead_id % 4) * 15) as at
      from leads where demo_status > 0
    ) as timed`.execute(db)
}
