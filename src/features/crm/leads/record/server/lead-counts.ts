import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'

/**
 * Builds SQL that counts the leads matching a condition on `lead_for` and `lead_date` of `l`. The count is
 * exact, and as fast for a million leads as for none, because the database maintains the counts (migration
 * 0007).
 */
export const countByDay = (where: string) =>
  `(select coalesce(sum(l.change), 0) from lead_counts l where ${where})`

/**
 * Compacts each day's counts in a single statement, so that concurrent readers see either the old or the new
 * state.
 */
export async function compactCounts(db: Db): Promise<void> {
  await sql`with many as (select lead_for, lead_date from lead_counts group by lead_for, lead_date having count(*) > 1),
      gone as (delete from lead_counts c using many m where (c.lead_for, c.lead_date) = (m.lead_for, m.lead_date) returning c.*)
    insert into lead_counts select lead_for, lead_date, sum(change) from gone group by lead_for, lead_date having sum(change) <> 0`.execute(
    db,
  )
}
