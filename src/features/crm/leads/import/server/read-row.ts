import { plainNumber } from '#shared/numbers.ts'
import { truncate } from '#shared/truncate.ts'
import { ImportedLead } from '#features/crm/leads/import/contract.ts'
import {
  customFieldOf,
  importTargets,
  isCustomTarget,
  proposedMark,
  takesDay,
  takesNumber,
  type ColumnTarget,
  type ImportTarget,
} from '#features/crm/leads/import/mapping.contract.ts'
import { readCustomValue, type CustomValue } from '#features/crm/leads/custom-fields.rules.ts'
import { readDate } from '#features/crm/leads/import/server/file-dates.ts'
import { isCrown, splitAmount } from '#features/crm/leads/import/server/file-numbers.ts'
import type { LockedImport } from '#features/crm/leads/import/server/import.queries.ts'
import {
  entryMeant,
  isUnknownWord,
  readListed,
  splitNames,
  type Lists,
} from '#features/crm/leads/import/server/read-value.ts'
import { readCell } from '#features/crm/leads/import/server/table-file.ts'

/** Names and words of a row that the panel doesn’t have. */
export interface Unknown {
  /** The name of an assignee that no admin user has. */
  unknown_person?: string | undefined
  /** Words that no entry of their field’s list has. */
  unknown_words?: readonly UnknownWord[]
}
export interface UnknownWord {
  field: ColumnTarget
  word: string
}
export type ReadRow = Unknown &
  ({ lead: ImportedLead; error?: undefined } | { lead?: undefined; error: string })

type Mapped = Pick<LockedImport, 'headers' | 'mapping' | 'date_forms' | 'decimal_forms'>

/** A row while its cells are read. */
interface Reading {
  fields: Record<string, unknown>
  details: ImportedLead['details']
  custom: Record<string, CustomValue>
  errors: string[]
  /** The currencies that the cell of the amount names. */
  currencies?: readonly string[] | undefined
  unknown_person?: string
  unknown_words: UnknownWord[]
}

/**
 * Returns a file row as a lead, or the reason why it is invalid. A blank cell leaves its field unchanged, or has the
 * value that is set for all rows; details are stored verbatim.
 */
export function readRow(cells: readonly string[], held: Mapped, lists: Lists): ReadRow {
  const { headers, mapping } = held
  if (cells.length !== headers.length) {
    const found = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`
    return { error: `This row has ${found}, but the first line of the file has ${headers.length}.` }
  }
  const row: Reading = { fields: {}, details: [], custom: {}, errors: [], unknown_words: [] }
  const given = new Set<ColumnTarget>()
  for (const [index, raw] of cells.entries()) {
    const target = mapping.columns[index]!
    const cell = entryMeant(mapping, target, readCell(raw))
    if (target === 'skip' || cell === '') continue
    given.add(target)
    if (isUnknownWord(target, cell, lists)) row.unknown_words.push({ field: target, word: cell })
    if (target === 'detail') row.details.push({ label: headers[index]!, value: raw })
    else readInto(row, target, headers[index]!, plainValue(row, target, cell, index, held, lists), lists)
  }
  for (const { field, value } of mapping.for_all ?? []) {
    if (field === 'tag_ids') addTags(row, value, lists, 'added_tags')
    else if (!given.has(field))
      readInto(row, field, '', plainValue(row, field, value, -1, held, lists), lists)
  }
  joinName(row)
  assignUnknown(row, mapping)
  return asLead(row)
}

/** Returns a date or a number as the panel writes it, and other cells as they are. */
function plainValue(
  row: Reading,
  target: ColumnTarget,
  cell: string,
  index: number,
  { mapping, date_forms, decimal_forms }: Mapped,
  lists: Lists,
): string {
  // An unreadable value is refused later, like any other invalid one.
  if (takesDay(target, lists.custom_fields))
    return readDate(cell, date_forms[index], mapping.date_orders?.[index]) ?? cell
  if (!takesNumber(target, lists.custom_fields)) return cell
  const amount = splitAmount(cell)
  if (!amount || (amount.currencies && target !== 'amount')) return cell
  row.currencies = amount.currencies ?? row.currencies
  const mark = mapping.decimal_marks?.[index] ?? proposedMark(decimal_forms[index], target)
  return (mark && plainNumber(amount.number, mark)) ?? cell
}

function readInto(row: Reading, target: ColumnTarget, header: string, value: string, lists: Lists): void {
  if (isCustomTarget(target)) {
    const field = customFieldOf(target, lists.custom_fields)
    const read = field ? readCustomValue(field, value) : { error: 'This custom field was deleted.' }
    if ('error' in read) row.errors.push(`${field?.name ?? header}: ${read.error}`)
    else row.custom[field!.id] = read.value!
    return
  }
  if (target === 'tag_ids') {
    addTags(row, value, lists, 'tag_ids')
    return
  }
  const read = readListed(target, value, lists)
  if ('error' in read) row.errors.push(`${importTargets[target]}: ${truncate(read.error, 200)}`)
  else if ('unknown_person' in read) row.unknown_person = read.unknown_person
  else row.fields[target] = read.value
}

function addTags(row: Reading, cell: string, { all_tags }: Lists, field: 'tag_ids' | 'added_tags'): void {
  const names = splitNames(
    cell,
    all_tags.map(({ name }) => name),
  )
  const idOf = (name: string) => all_tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase())?.id
  const unknown = names.filter((name) => idOf(name) === undefined)
  row.fields[field] = names.flatMap((name) => idOf(name) ?? [])
  if (unknown.length > 0)
    row.fields['new_tags'] = [...((row.fields['new_tags'] as string[] | undefined) ?? []), ...unknown]
}

/** Makes the name of the contact from its first and last name, in whatever order their columns are. */
function joinName({ fields }: Reading): void {
  const { first_name, last_name } = fields
  if (first_name === undefined && last_name === undefined) return
  fields['contactName'] = [first_name, last_name].filter(Boolean).join(' ')
}

/** Gives a row whose assignee isn't known the person that the importer chose for these rows. */
function assignUnknown({ fields, errors, unknown_person }: Reading, mapping: Mapped['mapping']): void {
  if (unknown_person === undefined) return
  const chosen = mapping.unknown_assignee
  if (chosen === undefined)
    errors.push(
      `${importTargets.assign_to}: No admin user has the name or email “${truncate(unknown_person, 100)}”.`,
    )
  else fields['assign_to'] = chosen === 'unassigned' ? null : chosen
}

function asLead(row: Reading): ReadRow {
  const { fields, details, custom, errors, currencies, unknown_person, unknown_words } = row
  const known = currencies && fields['currency']
  if (currencies && typeof known === 'string' && !currencies.includes(known.toUpperCase()))
    errors.push(
      `${importTargets.amount}: The amount is in ${currencies[0]}, but its currency is ${truncate(known, 20)}.`,
    )
  if (currencies && fields['currency'] === undefined && !isCrown(currencies))
    fields['currency'] = currencies[0]
  if (fields['number'] === undefined) fields['companyName'] ??= ''
  const custom_values = Object.keys(custom).length > 0 ? custom : undefined
  const parsed = ImportedLead.safeParse({ ...fields, details, custom_values })
  if (!parsed.success)
    errors.push(...parsed.error.issues.map(({ path, message }) => `${labelOf(path, details)}: ${message}`))
  return parsed.success && errors.length === 0
    ? { lead: parsed.data, unknown_person, unknown_words }
    : { error: errors.join(' '), unknown_person, unknown_words }
}

const labelOf = ([field, index]: readonly PropertyKey[], details: ImportedLead['details']) => {
  if (field === 'details') return details[Number(index)]!.label
  return field === 'new_tags' || field === 'added_tags'
    ? importTargets.tag_ids
    : importTargets[field as ImportTarget]
}
