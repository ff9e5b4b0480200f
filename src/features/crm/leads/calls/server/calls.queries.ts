import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { LeadCall, LeadCallInTimeline } from '#features/crm/leads/calls/contract.ts'
import { leadKind, withMerged } from '#features/crm/leads/record/server/leads.queries.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import type { AccessOf } from '#server/record/operations.ts'
import type { Parts } from '#server/record/parts.ts'
import { findReversible } from '#server/record/reversible.ts'

const shown = sql`c.id, c.lead_id, c.called_at, c.called_by, c.direction, c.outcome, c.minutes, c.note, c.followup_date,
  (select s.name from staff s where s.id = c.called_by) as who`
const mostShown = 500

/** A lead's calls, declared as parts of the lead so that operations include them. */
export const partsOfCalls = (lead_id: number): Parts => ({
  table: 'lead_calls',
  where: sql`t.lead_id = ${lead_id}`,
})

/** Returns the calls with a lead and with the leads merged into it, newest first. */
export async function findCalls(
  db: Db,
  lead_id: number,
  reader: { viewer: Viewer; accessOf: AccessOf },
): Promise<LeadCallInTimeline[]> {
  const family = withMerged(lead_id)
  const { rows } = await sql<LeadCall & { operation_id: number | null }>`select ${shown},
      (select max(p.operation_id) from part_changes p where p.table_name = 'lead_calls' and p.row_id = c.id
        and p.record_type = 'lead' and p.record_id = c.lead_id) as operation_id
    from lead_calls c where c.lead_id in (${family}) order by c.called_at desc, c.id desc limit ${mostShown}`.execute(
    db,
  )
  const ids = rows.flatMap(({ operation_id }) => operation_id ?? [])
  const operations = await findReversible(db, leadKind, family, reader, ids)
  return rows.map(({ operation_id, ...call }) => ({
    ...call,
    operation: (operation_id === null ? undefined : operations.get(operation_id)) ?? null,
  }))
}

/** @throws HttpError 404 */
export async function getCall(db: Db, id: number): Promise<LeadCall> {
  const { rows } = await sql<LeadCall>`select ${shown} from lead_calls c where c.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound('Call not found.')
  return rows[0]
}

/** A call's writable fields. */
type CallValues = Partial<Pick<LeadCall, 'direction' | 'outcome' | 'minutes' | 'note'>>

export async function insertCall(
  db: Db,
  values: CallValues &
    Pick<LeadCall, 'lead_id' | 'called_by' | 'outcome'> & { followup_date?: string | undefined },
): Promise<LeadCall> {
  const { id } = await db.insertInto('lead_calls').values(values).returning('id').executeTakeFirstOrThrow()
  return getCall(db, id)
}

export async function updateCall(db: Db, id: number, values: CallValues): Promise<LeadCall> {
  if (Object.keys(values).length > 0)
    await db.updateTable('lead_calls').set(values).where('id', '=', id).execute()
  return getCall(db, id)
}

export async function deleteCall(db: Db, id: number): Promise<void> {
  await db.deleteFrom('lead_calls').where('id', '=', id).execute()
}
