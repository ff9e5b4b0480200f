import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'

const notes = [
  'Has the proposal. Is comparing us with one other vendor; decides by the end of the month.',
  'Asked for the price list and for two references from hotels.',
  'Wants to talk again once the budget is approved.',
]

/**
 * Seeds one or two calls with every fourth lead that has an assignee, in the days after it was created; does
 * nothing if there are any calls.
 */
export async function seedCalls(db: Db): Promise<void> {
  if (await db.selectFrom('lead_calls').select('id').limit(1).executeTakeFirst()) return
  await sql`
    insert into lead_calls (lead_id, called_at, called_by, direction, outcome, minutes, note, followup_date)
    select lead_id, created_at + make_interval(hours => attempt * 20), assign_to,
      case when lead_id % 20 = 0 then 'in' else 'out' end,
      case when attempt = 2 then 1 else 2 + lead_id % 3 end,
      case when attempt = 2 then 4 + lead_id % 15 end,
      case when attempt = 2 then (${notes}::text[])[1 + lead_id % 3] else '' end,
      case when attempt = 2 then followup_date end
    from leads cross join generate_series(1, 2) as attempt
    where created_at < now() - interval '2 days' and lead_id % 4 = 0 and assign_to is not null and (attempt = 1 or lead_id % 8 = 0)
    order by 2, lead_id`.execute(db)
}
