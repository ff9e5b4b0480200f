import { sql, type RawBuilder } from 'kysely'
import type { UndoDirection } from '#shared/operations.ts'
import type { Db } from '#server/db/db.ts'
import type { RecordKind } from '#server/record/rows.ts'

/* What undo and redo need to know about leads. */

export const keyTaken = 'Another lead now has the same external ID.'

/** Condition that an option list has no entry with this value; also true if the list is empty. */
const isMissing = (value: string, table: string, key: 'id' | 'name') =>
  `${value} is not null and not exists (select from ${table} e where e.${key}::text = ${value})`

/**
 * Builds SQL over `record_changes c` and the lead `r` for the reason why an unchanged lead can't be restored.
 * A type of goods that is no longer in any list doesn't prevent this, because leads can keep such a type. The
 * key of a lead that returns from the trash is checked when it is written, because the same undo may release
 * it.
 */
function blockedReason(way: UndoDirection): RawBuilder<string | null> {
  const values = way === 'undo' ? 'c.before' : 'c.after'
  const of = (field: string) => `${values} ->> '${field}'`
  return sql<string | null>`${sql.raw(`case
  when ${isMissing(of('services'), 'lead_services', 'name')} then 'The service “' || (${of('services')}) || '” was removed or renamed.'
  when ${isMissing(of('hear_about'), 'lead_sources', 'name')} then 'The source “' || (${of('hear_about')}) || '” was removed or renamed.'
  when ${isMissing(of('status'), 'lead_statuses', 'id')} then 'Its status was removed.'
  when ${isMissing(of('reject_reason_id'), 'lead_reject_reasons', 'id')} then 'Its reject reason was removed.'
  when ${isMissing(of('color'), 'lead_colors', 'id')} then 'Its priority was removed.'
  when ${values} ?| array['reference', 'lead_for'] and not ${values} ? 'deleted_at' and exists (
    select from leads o where o.deleted_at is null and o.lead_id <> r.lead_id and o.lead_for = coalesce((${values} ->> 'lead_for')::smallint, r.lead_for)
      and o.reference = case when ${values} ? 'reference' then ${values} ->> 'reference' else r.reference end
  ) then '${keyTaken}'
end`)}`
}

/** What hangs on leads alone, except sessions, which are a field of the lead. The contact that an import adds to a new lead is as old as the lead. */
const work: NonNullable<RecordKind['undo']>['work'] = [
  {
    what: 'a call',
    exists: sql`exists (select from lead_calls w where w.lead_id = r.lead_id and w.called_at > r.created_at)`,
  },
  {
    what: 'another contact',
    exists: sql`exists (select from lead_contacts w where w.lead_id = r.lead_id
      and (w.created_at > r.created_at or w.version > 1))`,
  },
  {
    what: 'an answer',
    exists: sql`exists (select from lead_prospection_answers w where w.lead_id = r.lead_id and w.answered_at > r.created_at)`,
  },
  {
    what: 'a reminder',
    exists: sql`exists (select from reminders w where w.lead_id = r.lead_id and w.created_at > r.created_at)`,
  },
]

const leadsOf = (count: number) => (count === 1 ? '1 lead' : `${count.toLocaleString('en-US')} leads`)

const doneTo = (way: UndoDirection, isCreated: boolean) =>
  isCreated
    ? way === 'undo'
      ? 'moved to the trash'
      : 'restored from the trash'
    : way === 'undo'
      ? 'restored'
      : 'changed'

/** Names the lead of an operation that changed only one, such as `Undone: Aalto Linen restored.` */
async function describe(db: Db, operation: number, way: UndoDirection): Promise<string | undefined> {
  const leads = await db
    .selectFrom('record_changes as c')
    .innerJoin('leads as r', 'r.lead_id', 'c.record_id')
    .select(['r.company_name', (eb) => eb('c.before', 'is', null).as('is_created')])
    .where('c.operation_id', '=', operation)
    .where('c.record_type', '=', 'lead')
    .limit(2)
    .execute()
  const [lead] = leads
  return lead && leads.length === 1
    ? `${way === 'undo' ? 'Undone' : 'Redone'}: ${lead.company_name} ${doneTo(way, Boolean(lead.is_created))}.`
    : undefined
}

/** Leads that the operation created are moved to the trash by its undo, and back by its redo. */
function message(
  way: UndoDirection,
  { turned, created, since, blocked }: { turned: number; created: number; since: number; blocked: number },
): string {
  const parts = [
    ...(created > 0 ? [`${leadsOf(created)} ${doneTo(way, true)}`] : []),
    ...(turned > created || created === 0 ? [`${leadsOf(turned - created)} ${doneTo(way, false)}`] : []),
  ]
  const done = `${way === 'undo' ? 'Undone' : 'Redone'}: ${parts.join(', ')}.`
  const left =
    since === 0
      ? ''
      : ` ${since === 1 ? 'One was skipped because it has' : `${since} were skipped because they have`} changed since then.`
  const stay = created > 0 ? (blocked === 1 ? 'stays as it is' : 'stay as they are') : 'can’t be restored'
  return `${done}${left}${blocked === 0 ? '' : ` ${blocked === 1 ? 'One' : blocked} ${stay}.`}`
}

export const leadUndoRules: NonNullable<RecordKind['undo']> = {
  // Entries that an undo restores must not leave their lists at the same time.
  sharedLock: 'lists',
  blockedReason,
  work,
  skipped: ({ name, who, why }) => `${name} (${why ?? who})`,
  message,
  describe,
}
