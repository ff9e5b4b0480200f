import {
  canSetForAll,
  customFieldOf,
  importTargets,
  isCustomTarget,
  needsOrder,
  proposedMark,
  takesDay,
  takesNumber,
  type ColumnTarget,
  type ImportTarget,
} from '#features/crm/leads/import/mapping.contract.ts'
import type { LockedImport } from '#features/crm/leads/import/server/import.queries.ts'
import { readRow } from '#features/crm/leads/import/server/read-row.ts'
import { isUnknownWord, type Lists } from '#features/crm/leads/import/server/read-value.ts'
import { findUnknown } from '#features/crm/leads/record/server/choices.queries.ts'
import { whyNotImport } from '#features/crm/leads/rules.ts'
import { invalid } from '#server/http/errors.ts'

/** @throws HttpError 422 if a mapping doesn't match its file, or leaves open how the file is read. */
export function demandMapping(held: LockedImport, lists: Lists): void {
  const { headers, mapping, date_forms, decimal_forms } = held
  const why =
    mapping.columns.length === headers.length
      ? whyNotImport(mapping.columns)
      : `The file has ${headers.length} columns. Provide one mapping per column.`
  if (why) throw invalid('columns', why)
  const columnsWhere = (isIt: (target: ColumnTarget, index: number) => boolean) =>
    headers.filter((_, index) => isIt(mapping.columns[index]!, index))

  const isGone = (target: ColumnTarget) =>
    isCustomTarget(target) && !customFieldOf(target, lists.custom_fields)
  const gone = columnsWhere(isGone)
  if (gone.length) throw invalid('columns', whyGone(gone))
  const undated = columnsWhere(
    (target, index) =>
      takesDay(target, lists.custom_fields) && needsOrder(date_forms[index]) && !mapping.date_orders?.[index],
  )
  if (undated.length) throw invalid('date_orders', whyNoOrder(undated))
  const unmarked = columnsWhere(
    (target, index) =>
      takesNumber(target, lists.custom_fields) &&
      !proposedMark(decimal_forms[index], target) &&
      !mapping.decimal_marks?.[index],
  )
  if (unmarked.length) throw invalid('decimal_marks', whyNoMark(unmarked))
  demandForAll(held, lists)
  const wrong = mapping.words?.find(({ field, entry }) => entry !== '' && isUnknownWord(field, entry, lists))
  if (wrong) throw invalid('words', `“${wrong.entry}” isn’t in the list for “${wrong.word}”.`)
  const { unknown_assignee: chosen } = mapping
  if (typeof chosen === 'number' && !lists.staff.includes(chosen))
    throw invalid('unknown_assignee', 'Choose an admin user.')
}

/** Checks the values for all rows as if they were those of one row. */
function demandForAll(held: LockedImport, lists: Lists): void {
  const { mapping } = held
  const fields = mapping.for_all?.map(({ field }) => field) ?? []
  const custom = fields.find((field) => isCustomTarget(field) && !customFieldOf(field, lists.custom_fields))
  if (custom) throw invalid('for_all', 'A custom field was deleted, or it belongs to another product.')
  const refused = fields.find((field) => !canSetForAll(field))
  if (refused)
    throw invalid('for_all', `${importTargets[refused as ImportTarget]} can’t be the same for all rows.`)
  if (new Set(fields).size < fields.length) throw invalid('for_all', 'Set each field only once.')
  const row = { ...mapping, columns: ['companyName' as const], unknown_assignee: undefined }
  const read = readRow(['x'], { ...held, headers: ['x'], mapping: row }, lists)
  const unknown = read.lead && Object.values(findUnknown(lists, read.lead))[0]?.[0]
  const why = read.error ?? unknown
  if (why) throw invalid('for_all', why)
}

const named = (headers: readonly string[]) => headers.map((header) => `“${header}”`).join(' and ')

const whyNoOrder = (headers: readonly string[]) =>
  `Day first or month first? Choose the order of dates such as 03/04/2026 for ${named(headers)}.`

const whyNoMark = (headers: readonly string[]) =>
  `Point or comma? Choose the mark before the decimals for ${named(headers)}, whose rows differ.`

const whyGone = (headers: readonly string[]) =>
  `${named(headers)} can’t be imported: the custom field was deleted, or it belongs to another product. Choose another field.`
