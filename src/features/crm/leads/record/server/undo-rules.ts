import { sql, type RawBuilder } from 'kysely'
import type { UndoDirection } from '#shared/operations.ts'
import type { RecordKind } from '#server/record/rows.ts'

/* What undo and redo need to know about leads. */

export const keyTaken = 'Another lead now has the same external ID.'

const missingEntryCase = (values: string, what: string, field: string, table: string) =>
  `when ${values} ->> '${field}' <> all (select name from ${table}) then '${what} “' || (${values} ->> '${field}') || '” was removed or renamed.'`

/**
 * Builds SQL over `record_changes c` and the lead `r` for the reason why an unchanged lead can't be restored.
 * A type of goods that is no longer in any list doesn't prevent this, because leads can keep such a type. The
 * key of a lead that returns from the trash is checked when it is written, because the same undo may release
 * it.
 */
function blockedReason(way: UndoDirection): RawBuilder<string | null> {
  const values = way === 'undo' ? 'c.before' : 'c.after'
  return sql<string | null>`${sql.raw(`case
  ${missingEntryCase(values, 'The service', 'services', 'lead_services')}
  ${missingEntryCase(values, 'The source', 'hear_about', 'lead_sources')}
  when (${values} ->> 'status')::smallint <> all (select id from lead_statuses) then 'Its status was removed.'
  when ${values} ->> 'reject_reason_id' is not null and (${values} ->> 'reject_reason_id')::int <> all (select id from lead_reject_reasons) then 'Its reject reason was removed.'
  when (${values} ->> 'color')::smallint <> all (select id from lead_colors) then 'Its priority was removed.'
  when ${values} ?| array['reference', 'lead_for'] and not ${values} ? 'deleted_at' and exists (
    select from leads o where o.deleted_at is null and o.lead_id <> r.lead_id and o.lead_for = coalesce((${values} ->> 'lead_for')::smallint, r.lead_for)
      and o.reference = case when ${values} ? 'reference' then ${values} ->> 'reference' else r.reference end
  ) then '${keyTaken}'
end`)}`
}

function message(
  way: UndoDirection,
  { turned, since, blocked }: { turned: number; since: number; blocked: number },
): string {
  const leads = turned === 1 ? '1 lead' : `${turned.toLocaleString('en-US')} leads`
  const done = way === 'undo' ? `Undone: ${leads} restored.` : `Redone: ${leads} changed.`
  const left =
    since === 0
      ? ''
      : ` ${since === 1 ? 'One was skipped because it has' : `${since} were skipped because they have`} changed since then.`
  return `${done}${left}${blocked === 0 ? '' : ` ${blocked === 1 ? 'One' : blocked} can’t be restored.`}`
}

export const leadUndoRules: NonNullable<RecordKind['undo']> = {
  // Entries that an undo restores must not leave their lists at the same time.
  sharedLock: 'lists',
  blockedReason,
  skipped: ({ name, who, why }) => `${name} (${why ?? who})`,
  message,
}
