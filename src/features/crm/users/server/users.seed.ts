import { sql } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Db } from '#server/db/db.ts'

const reasons = ['Offensive messages', 'Shared their login', 'Requested no further contact']

/**
 * Seeds bans for a few customer users and two weeks of sign-ins; skips the bans or the sign-ins if any
 * already exist.
 */
export async function seedPeople(db: Db, today: PlainDate): Promise<void> {
  if (
    !(await db
      .selectFrom('customer_users')
      .select('id')
      .where('banned_at', 'is not', null)
      .limit(1)
      .executeTakeFirst())
  )
    await sql`update customer_users u set banned_at = ${today}::date - (u.id % 20) - 1, ban_reason = (${reasons}::text[])[1 + u.id % 3],
        banned_until = case when u.id % 2 = 0 then ${today}::date + 30 end, banned_by = (select id from staff where user_name = 'support')
      where u.id % 29 = 0 and not u.is_master`.execute(db)
  if (!(await db.selectFrom('sign_ins').select('id').limit(1).executeTakeFirst()))
    await sql`insert into sign_ins (staff_id, user_name, outcome, address, device, at)
      select s.id, s.user_name, case when (s.id + d) % 11 = 0 then 'refused' else 'signed_in' end, '192.0.2.' || (10 + s.id % 200),
        (array['Firefox on Linux', 'Chrome on Windows', 'Safari on macOS'])[1 + s.id % 3], ${today}::date - d + time '07:30' + make_interval(mins => (s.id * 7) % 90)
      from staff s, generate_series(1, 14) d where (s.id + d) % 3 <> 0 order by d desc, s.id`.execute(db)
}
