import type { Db } from '#server/db/db.ts'
import { compactKeptCounts } from '#server/db/kept-counts.ts'

/**
 * Builds SQL that counts the leads matching a condition on `lead_for` and `lead_date` of `l`. The count is
 * exact, and as fast for a million leads as for none, because the database maintains the counts (migrations
 * 0007 and 0248).
 */
export const countByDay = (where: string) =>
  `(select coalesce(sum(l.change), 0) from lead_counts l where ${where})`

/** Compacts the counts of leads, of their follow-ups, and of the sales report. */
export async function compactCounts(db: Db): Promise<void> {
  await compactKeptCounts(db, 'lead_counts', ['lead_for', 'lead_date', 'status', 'since_entered'])
  await compactKeptCounts(db, 'follow_up_counts', ['lead_for', 'followup_date', 'assign_to'])
  await compactKeptCounts(
    db,
    'sales_counts',
    ['lead_for', 'month', 'is_created', 'to_status', 'person', 'source', 'reject_reason_id', 'currency'],
    ['change', 'contacted', 'contacted_in_a_day', 'amount'],
  )
  await compactKeptCounts(db, 'sales_times', ['lead_for', 'month', 'from_status', 'range'])
  await compactKeptCounts(
    db,
    'lead_pipeline_counts',
    ['lead_for', 'status', 'assign_to', 'source', 'currency', 'close_month'],
    ['change', 'amount'],
  )
}
