import { CompiledQuery } from 'kysely'
import { dayText, isPlainDate, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Field } from '#shared/field.ts'
import { amountText } from '#shared/money.ts'
import { truncate } from '#shared/truncate.ts'
import type { BulkValues } from '#features/crm/leads/bulk-values.contract.ts'
import { customValueText, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
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
 * @param custom the custom fields that it sets
 * @throws HttpError 422 for values that are not in their list, and for setting Rejected as a plain status.
 */
export async function describeChange(
  db: Db,
  change: BulkChange,
  custom: readonly CustomField[],
): Promise<string> {
  const choices = await findChoices(db)
  const why = change.kind === 'status' ? whyNotSet(change.status) : undefined
  if (why) throw invalid('change.status', why)
  const [unknown] = Object.entries(findUnknown(choices, valuesOf(change)))
  if (unknown)
    throw new HttpError(422, unknown[1][0]!, {
      errors: { [`change.${placeOf(change, unknown[0])}`]: unknown[1] },
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
    case 'edit':
      return wordsOfEdit(change.values, custom)
    case 'delete':
      return 'Moved to trash'
  }
}

/** Most characters of a text in the summary of a change. */
const longest = 80

/** Returns `Amount set to 1,200 EUR, expected close cleared`. */
function wordsOfEdit(
  { currency, custom_values = {}, ...values }: BulkValues,
  custom: readonly CustomField[],
): string {
  const words = Object.entries(values).map(([name, value]) => {
    const field: Field = leadFields[name as keyof typeof values]
    if (value === null || value === '') return `${field.label} cleared`
    if (name === 'amount') return `${field.label} set to ${amountText(value as number, currency!)}`
    const isDay = typeof value === 'string' && isPlainDate(value)
    return `${field.label} set to ${isDay ? dayText(value) : (field.words?.(value) ?? String(value))}`
  })
  for (const field of custom) {
    const value = custom_values[field.id]
    const text = value === null ? '' : customValueText(field, value)
    words.push(
      text === ''
        ? `${field.name} cleared`
        : `${field.name} set to ${text.length > longest ? `${truncate(text, longest)}…` : text}`,
    )
  }
  return words.map((one, at) => (at === 0 ? one : one.charAt(0).toLowerCase() + one.slice(1))).join(', ')
}

/** Where a change has the value of a field. */
const placeOf = ({ kind }: BulkChange, field: string) =>
  kind === 'tags' ? 'tag_id' : kind === 'edit' ? `values.${field}` : field

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
    case 'edit':
      return change.values
    case 'followup':
    case 'delete':
      return {}
  }
}
