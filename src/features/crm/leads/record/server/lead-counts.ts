import type { Db } from '#server/db/db.ts'
import { compactKeptCounts } from '#server/db/kept-counts.ts'

/**
 * Builds SQL that counts the leads matching a condition on `lead_for` and `lead_date` of `l`. The count is
 * exact, and as fast for a million leads as for none, because the database maintains the counts (migrations
 * 0007 and 0248).
 */
export const countByDay = (where: string) =>
  `(select coalesce(sum(l.change), 0) from lead_counts l where ${where})`

/** Compacts the counts of leads and of their follow-ups. */
export async function compactCounts(db: Db): Promise<void> {
  await compactKeptCounts(db, 'lead_counts', ['lead_for', 'lead_date', 'status', 'since_entered'])
  await compactKeptCounts(db, 'follow_up_counts', ['lead_for', 'followup_date', 'assign_to'])
}
