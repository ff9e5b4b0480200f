import {
  nameOfCustomValue,
  readCustomValue,
  type CustomValue,
  type CustomValues,
  type CustomValuesInput,
} from '#features/crm/leads/custom-fields.rules.ts'
import { findFields } from '#features/crm/leads/custom-fields/server/custom-fields.queries.ts'
import type { Db } from '#server/db/db.ts'
import { HttpError, type FieldErrors } from '#server/http/errors.ts'

/**
 * Returns the values that a request sets, as they are stored; null for those that it clears, undefined if there are none.
 * @param stored the lead’s values until now
 * @throws HttpError 422 for values that don’t fit their field, and for fields that the product doesn’t have.
 */
export async function readGivenValues(
  db: Db,
  product_id: number,
  given: CustomValuesInput | undefined,
  stored: CustomValues = {},
): Promise<Record<string, CustomValue | null> | undefined> {
  if (given === undefined || Object.keys(given).length === 0) return undefined
  const fields = await findFields(db, [product_id])
  const errors: FieldErrors = {}
  const values: Record<string, CustomValue | null> = {}
  let first = ''
  for (const [id, typed] of Object.entries(given)) {
    const field = fields.find((one) => String(one.id) === id)
    const read = field
      ? readCustomValue(field, typed, stored[id])
      : { error: 'This custom field doesn’t exist, or was deleted.' }
    if ('error' in read) {
      errors[nameOfCustomValue(id)] = [read.error]
      first ||= field ? `${field.name}: ${read.error}` : read.error
    } else values[id] = read.value
  }
  if (first) throw new HttpError(422, first, { errors })
  return values
}
