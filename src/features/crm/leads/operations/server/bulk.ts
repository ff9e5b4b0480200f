import { CompiledQuery } from 'kysely'
import { dayText, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { BulkChange, LeadSelection } from '#features/crm/leads/operations.contract.ts'
import { whyNotSet } from '#features/crm/leads/rules.ts'
import { findChoices, findUnknown } from '#features/crm/leads/record/server/choices.queries.ts'
import { matching } from '#features/crm/leads/record/server/list.queries.ts'
import type { Db } from '#server/db/db.ts'
import { HttpError, invalid } from '#server/http/errors.ts'
import { findSelected } from '#server/record/selection.ts'

/**
 * Returns the IDs of the selected leads, in order.
 * @throws HttpError 409 if the number of leads that match the filters isn't the one that the caller saw.
 */
export const findChosen = (
  db: Db,
  selection: LeadSelection,
  viewer: Viewer,
  today: PlainDate,
): Promise<number[]> =>
  findSelected(db, selection, 'leads', async (filters) => {
    const { where, values } = matching(filters, viewer, filters.today ?? today)
    const { rows } = await db.executeQuery<{ lead_id: number }>(
      CompiledQuery.raw(`select l.lead_id from leads l where ${where} order by l.lead_id`, values),
    )
    return rows.map(({ lead_id }) => lead_id)
  })

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
    case 'reject':
      return { reject_reason_id: change.reject_reason_id }
    case 'followup':
    case 'delete':
      return {}
  }
}
