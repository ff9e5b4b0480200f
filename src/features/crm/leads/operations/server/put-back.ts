import { sql } from 'kysely'
import type { UndoDirection } from '#shared/operations.ts'
import type { Db } from '#server/db/db.ts'

/**
 * Blocks changes to the lists until the transaction ends. The lock is shared, and must be acquired before any
 * lead is locked.
 */
export async function lockListsShared(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('lists'))`.execute(db)
}

export const keyTaken = 'Another lead now has the same external ID.'

const missingEntryCase = (values: string, what: string, field: string, table: string) =>
  `when ${values} ->> '${field}' <> all (select name from ${table}) then '${what} “' || (${values} ->> '${field}') || '” was removed or renamed.'`

/**
 * Builds SQL over `record_changes c join leads l` that returns why a lead cannot be restored to its state
 * before an operation (for a redo, after it) even though no one has changed it since; null if nothing
 * prevents this. A type of goods that is no longer in any list doesn't prevent this, because leads can keep
 * such a type. Keys of leads restored from the trash are checked separately (findTakenKeys), because the same
 * undo may release them.
 */
export function undoBlockedReason(way: UndoDirection) {
  const values = way === 'undo' ? 'c.before' : 'c.after'
  return sql<string | null>`${sql.raw(`case
  ${missingEntryCase(values, 'The service', 'services', 'lead_services')}
  ${missingEntryCase(values, 'The source', 'hear_about', 'lead_sources')}
  when (${values} ->> 'status')::smallint <> all (select id from lead_statuses) then 'Its status was removed.'
  when (${values} ->> 'color')::smallint <> all (select id from lead_colors) then 'Its priority was removed.'
  when ${values} ?| array['reference', 'lead_for'] and not ${values} ? 'deleted_at' and exists (
    select from leads o where o.deleted_at is null and o.lead_id <> l.lead_id and o.lead_for = coalesce((${values} ->> 'lead_for')::smallint, l.lead_for)
      and o.reference = case when ${values} ? 'reference' then ${values} ->> 'reference' else l.reference end
  ) then '${keyTaken}'
end`)}`
}
