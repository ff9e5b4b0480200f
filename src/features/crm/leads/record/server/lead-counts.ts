import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'

/**
 * Builds SQL that counts the leads matching a condition on `lead_for` and `lead_date` of `l`. The count is
 * exact, and as fast for a million leads as for none, because the database maintains the counts (migrations
 * 0007 and 0248).
 */
export const countByDay = (where: string) =>
  `(select coalesce(sum(l.change), 0) from lead_counts l where ${where})`

/**
 * Compacts the counts of each day and status in a single statement, so that concurrent readers see either the old or the new
 * state.
 */
export async function compactCounts(db: Db): Promise<void> {
  const group = sql`lead_for, lead_date, status, since_entered`
  await sql`with many as (select ${group} from lead_counts group by ${group} having count(*) > 1),
      gone as (delete from lead_counts c using many m where (c.lead_for, c.lead_date, c.status, c.since_entered)
        = (m.lead_for, m.lead_date, m.status, m.since_entered) returning c.*)
    insert into lead_counts (${group}, change) select ${group}, sum(change) from gone group by ${group}
      having sum(change) <> 0`.execute(db)
}
