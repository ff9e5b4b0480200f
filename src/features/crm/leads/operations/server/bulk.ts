import { CompiledQuery, sql } from 'kysely'
import { dayText, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { BulkChange, LeadSelection } from '#features/crm/leads/operations.contract.ts'
import { whyNotSet } from '#features/crm/leads/rules.ts'
import { findChoices, findUnknown } from '#features/crm/leads/record/server/choices.queries.ts'
import { matching } from '#features/crm/leads/record/server/list.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, HttpError, invalid } from '#server/http/errors.ts'

/**
 * Returns the IDs of the selected leads, in order. IDs that were sent are not checked: some may be unknown,
 * out of scope, or in the trash.
 * @throws HttpError 409 with the current count if the number of leads that match the filters differs from the
 * number that the caller saw.
 */
export async function findChosen(
  db: Db,
  { ids, filters, total }: LeadSelection,
  viewer: Viewer,
  today: PlainDate,
): Promise<number[]> {
  if (ids) return [...new Set(ids)].toSorted((a, b) => a - b)
  const { where, values } = matching(filters!, viewer, filters!.today ?? today)
  // Counting a million leads takes a bit longer than loading a page.
  await sql`set local statement_timeout = '30s'`.execute(db)
  const { rows } = await db.executeQuery<{ lead_id: number }>(
    CompiledQuery.raw(`select l.lead_id from leads l where ${where} order by l.lead_id`, values),
  )
  if (rows.length !== total)
    throw conflict(
      `${rows.length.toLocaleString('en-US')} leads match these filters now, not ${total!.toLocaleString('en-US')}. Review the list and try again.`,
      {
        total: rows.length,
      },
    )
  return rows.map(({ lead_id }) => lead_id)
}

/**
 * Validates a change and returns its summary.
 * @throws HttpError 422 for values that are not in their list, and for setting Rejected as a plain status.
 */
export async function describeChange(db: Db, change: BulkChange): Promise<string> {
  const choices = await findChoices(db)
  const why = change.kind === 'status' ? whyNotSet(change.status) : undefined
  if (why) throw invalid('change.status', why)
  const [unknown] = Object.entries(findUnknown(choices, valuesOf(change)))
  if (unknown)
    throw new HttpError(422, unknown[1][0]!, {
      errors: { [`change.${change.kind === 'tags' ? 'tag_id' : unknown[0]}`]: unknown[1] },
    })
  const name = async (table: 'lead_colors' | 'lead_tags', id: number) =>
    (await db.selectFrom(table).select('name').where('id', '=', id).executeTakeFirstOrThrow()).name
  switch (change.kind) {
    case 'status':
      return `Status set to ${choices.statuses.find(({ id }) => id === change.status)!.name}`
    case 'reject':
      return 'Rejected'
    case 'color':
      return `Priority set to ${await name('lead_colors', change.color)}`
    case 'assign':
      return change.assign_to === null
        ? 'Unassigned'
        : `Assigned to ${await nameOfStaff(db, change.assign_to)}`
    case 'followup':
      return change.followup_date === null
        ? 'Follow-up date cleared'
        : `Follow-up date set to ${dayText(change.followup_date)}`
    case 'tags':
      return `Tag ${await name('lead_tags', change.tag_id)} ${change.add ? 'added' : 'removed'}`
    case 'delete':
      return 'Moved to trash'
  }
}

const nameOfStaff = async (db: Db, id: number) =>
  (await db.selectFrom('staff').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name

function valuesOf(change: BulkChange) {
  switch (change.kind) {
    case 'status':
      return { status: change.status }
    case 'color':
      return { color: change.color }
    case 'assign':
      return { assign_to: change.assign_to }
    case 'tags':
      return { tag_ids: [change.tag_id] }
    case 'followup':
    case 'reject':
    case 'delete':
      return {}
  }
}
