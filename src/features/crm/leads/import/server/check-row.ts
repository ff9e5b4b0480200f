import { truncate } from '#shared/truncate.ts'
import {
  customFieldOf,
  ImportedLead,
  importTargets,
  isCustomTarget,
  takesDay,
  type ColumnTarget,
  type ImportOutcome,
  type ImportTarget,
} from '#features/crm/leads/import/contract.ts'
import {
  readCustomValue,
  type CustomField,
  type CustomValue,
} from '#features/crm/leads/custom-fields.rules.ts'
import { isKnownPerson, isNoOne, primaryOf, type Person } from '#features/crm/leads/contacts/rules.ts'
import { readDate } from '#features/crm/leads/import/server/file-dates.ts'
import type { LockedImport } from '#features/crm/leads/import/server/import.queries.ts'
import { readCell } from '#features/crm/leads/import/server/table-file.ts'
import { billings, whyNotSet } from '#features/crm/leads/rules.ts'
import { findUnknown, type Choices } from '#features/crm/leads/record/server/choices.queries.ts'
import type { LeadValues } from '#features/crm/leads/record/server/lead-columns.ts'
import { isSame } from '#server/record/values.ts'

export type ReadRow = { lead: ImportedLead; error?: undefined } | { lead?: undefined; error: string }

/** The entries that the cells of a file can name. */
export type Lists = Choices & { custom_fields: readonly CustomField[] }

/**
 * Returns a file row as a lead, or the reason why it is invalid. A blank cell leaves its field unchanged;
 * details are stored verbatim.
 */
export function readRow(
  cells: readonly string[],
  { headers, mapping, date_forms }: Pick<LockedImport, 'headers' | 'mapping' | 'date_forms'>,
  lists: Lists,
): ReadRow {
  if (cells.length !== headers.length) {
    const found = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`
    return { error: `This row has ${found}, but the first line of the file has ${headers.length}.` }
  }
  const fields: Record<string, unknown> = { companyName: '' }
  const details: ImportedLead['details'] = []
  const custom: Record<string, CustomValue> = {}
  const errors: string[] = []
  for (const [index, raw] of cells.entries()) {
    const target = mapping.columns[index]!
    const cell = readCell(raw)
    if (target === 'skip' || cell === '') continue
    if (target === 'detail') details.push({ label: headers[index]!, value: raw })
    // An unreadable date is refused below, like any other value.
    const value = takesDay(target, lists.custom_fields)
      ? (readDate(cell, date_forms[index], mapping.date_orders?.[index]) ?? cell)
      : cell
    if (isCustomTarget(target)) {
      const field = customFieldOf(target, lists.custom_fields)
      const read = field ? readCustomValue(field, value) : { error: 'This custom field was deleted.' }
      if ('error' in read) errors.push(`${field?.name ?? headers[index]!}: ${read.error}`)
      else custom[field!.id] = read.value!
    } else if (target !== 'detail') {
      fields[target] = asListed(target, value, lists)
      if (target === 'status' && !/^\d+$/.test(String(fields[target])))
        return { error: `${importTargets.status}: The status “${truncate(cell, 100)}” doesn’t exist.` }
    }
  }
  const custom_values = Object.keys(custom).length > 0 ? custom : undefined
  const parsed = ImportedLead.safeParse({ ...fields, details, custom_values })
  if (!parsed.success)
    errors.push(...parsed.error.issues.map(({ path, message }) => `${labelOf(path, details)}: ${message}`))
  else
    for (const [field, [text]] of Object.entries(findUnknown(lists, parsed.data)))
      errors.push(`${importTargets[field as ImportTarget]}: ${text}`)
  return parsed.success && errors.length === 0 ? { lead: parsed.data } : { error: errors.join(' ') }
}

/**
 * Returns a value with the spelling used in its list, ignoring case; for a status, given by name or number,
 * returns its ID, and for a billing its code.
 */
function asListed(target: ColumnTarget, cell: string, choices: Choices): string | number {
  const isIt = (name: string) => name.toLowerCase() === cell.toLowerCase()
  if (target === 'status') return choices.statuses.find(({ name }) => isIt(name))?.id ?? cell
  if (target === 'services') return choices.services.find(isIt) ?? cell
  if (target === 'hear_about') return choices.sources.find(isIt) ?? cell
  if (target === 'recurring')
    return Object.entries(billings).find(([code, name]) => isIt(code) || isIt(name))?.[0] ?? cell
  return cell
}

const labelOf = ([field, index]: readonly PropertyKey[], details: ImportedLead['details']) =>
  field === 'details' ? details[Number(index)]!.label : importTargets[field as ImportTarget]

/** An existing lead with the same key as a row. */
export type Match = Pick<ImportedLead, 'details'> &
  LeadValues & {
    lead_id: number
    version: number
    status: number
    organization_id: number | null
    line: number | null
    /** Why a row can't change the lead with its number, or give it its external ID. */
    refusal?: string | null
  }

export interface Judgement {
  line: number
  outcome: ImportOutcome
  reason: string
  lead_id: number | null
  /** The values to write, if the row creates or updates a lead. */
  values?: LeadValues
  /** Another contact of a lead that the row creates. */
  contact?: Person | undefined
  /** The current state of the lead, if the row updates one. */
  before?: Match
}

/**
 * Decides what happens to a row.
 * @param match the product's existing lead with the row's key
 * @param mayEdit whether the importer can change existing leads
 * @param custom_fields those of the product, whose names the reason has
 * @param earlier line numbers of the previously judged rows, by key; the function adds this row
 */
export function judgeRow(
  line: number,
  { lead, error }: ReadRow,
  match: Match | undefined,
  mayEdit: boolean,
  { custom_fields }: Lists,
  earlier: Map<string, number>,
): Judgement {
  if (!lead) return { line, outcome: 'error', reason: error, lead_id: null }
  if (lead.status !== undefined && lead.status !== match?.status) {
    const why = whyNotSet(lead.status)
    if (why) return { line, outcome: 'error', reason: `${importTargets.status}: ${why}`, lead_id: null }
  }
  const refusal =
    lead.number !== undefined && !match ? `No lead has the number ${lead.number}.` : match?.refusal
  if (refusal) return { line, outcome: 'error', reason: refusal, lead_id: null }
  const whyNotAmount = incompleteAmount({ ...match, ...lead })
  if (whyNotAmount) return { line, outcome: 'error', reason: whyNotAmount, lead_id: null }
  const duplicate = (reason: string): Judgement => ({
    line,
    outcome: 'duplicate',
    reason,
    lead_id: match?.lead_id ?? null,
  })
  const hasKey = lead.number !== undefined || lead.reference !== undefined
  const sameAs =
    match?.line ??
    keysOf(lead)
      .map((key) => earlier.get(key))
      .find((at) => at !== undefined)
  if (sameAs !== undefined) return duplicate(`Line ${sameAs} of this file has the same ${keyName(lead)}.`)
  for (const key of keysAfter(lead, match)) if (!earlier.has(key)) earlier.set(key, line)
  const { contact, number: _number, ...given } = withContact(lead)
  if (!match) return { line, outcome: 'create', reason: '', lead_id: null, values: given, contact }
  if (!hasKey) return duplicate('A lead with this company name and email already exists.')
  const values: LeadValues = {
    ...given,
    details: mergedDetails(match.details, lead.details),
    custom_values: lead.custom_values && { ...match.custom_values, ...lead.custom_values },
  }
  const changes: LeadValues = Object.fromEntries(
    Object.entries(values).filter(
      ([field, value]) => value !== undefined && !isSame(value, match[field as keyof typeof match]),
    ),
  )
  if (!Object.keys(changes).length)
    return duplicate(`A lead with this ${keyName(lead)} already exists with the same values.`)
  if (!mayEdit)
    return {
      line,
      outcome: 'error',
      reason: `A lead with this ${keyName(lead)} already exists, and you don’t have permission to edit leads.`,
      lead_id: match.lead_id,
    }
  return {
    line,
    outcome: 'update',
    reason: `Updates ${changedLabels(changes, match, custom_fields).join(', ')}.`,
    lead_id: match.lead_id,
    values: changes,
    before: match,
  }
}

/** Separates the second contact of a row, unless it is the first one again, from the fields of the lead. */
function withContact(
  lead: ImportedLead,
): Omit<LeadValues, 'details'> & Pick<ImportedLead, 'details' | 'number'> & { contact: Person | undefined } {
  const { contact2_name, contact2_role, contact2_email, contact2_phone, ...given } = lead
  const { contactName = '', email = '', phone = '' } = lead
  const contact = {
    name: contact2_name ?? '',
    role: contact2_role ?? '',
    email: contact2_email ?? '',
    phone: contact2_phone ?? '',
  }
  const first = primaryOf({ contactName, contact_role: '', email, phone })
  return { ...given, contact: isNoOne(contact) || isKnownPerson(contact, [first]) ? undefined : contact }
}

/** Returns why an amount can't be stored; a blank cell leaves the amount or the currency as it is. */
function incompleteAmount({ amount = null, currency = null }: LeadValues): string | undefined {
  if (amount !== null && currency === null)
    return `${importTargets.currency}: Choose the currency of the amount.`
  if (amount === null && currency !== null)
    return `${importTargets.amount}: Enter the amount, or remove the currency.`
  return undefined
}

const byReference = (reference: string) => `reference ${reference}`
const byName = ({ companyName, email = '' }: { companyName: string; email?: string | undefined }) =>
  `company ${companyName.toLowerCase()}\n${email.toLowerCase()}`

const byNumber = (number: number) => `number ${number}`
/** Returns the keys that no two rows of a file can have: the number, the external ID, or without these, the name. */
function keysOf(lead: ImportedLead): string[] {
  const { number, reference } = lead
  const keys = [
    ...(number === undefined ? [] : [byNumber(number)]),
    ...(reference === undefined ? [] : [byReference(reference)]),
  ]
  return keys.length > 0 ? keys : [byName(lead)]
}
const keyName = ({ number, reference }: ImportedLead) =>
  number !== undefined ? 'number' : reference !== undefined ? 'external ID' : 'company name and email'

/**
 * Returns the keys that later rows can use to find a row's lead once it is stored; a lead with a reference
 * can also be found by name.
 */
const keysAfter = (lead: ImportedLead, match: Match | undefined) => [
  ...(match ? [byNumber(match.lead_id)] : []),
  ...[lead.reference, match?.reference].flatMap((reference) => (reference ? [byReference(reference)] : [])),
  byName({ ...match, ...lead }),
]

type Details = ImportedLead['details']

/** Returns whether a row sets a lead without an organization to a won status. */
export function winsWithout({ values, before }: Judgement, { statuses }: Choices): boolean {
  const isWon = (status: number | undefined) => statuses.some(({ id, is_won }) => is_won && id === status)
  return isWon(values?.status) && !isWon(before?.status) && (before?.organization_id ?? null) === null
}

/**
 * Merges details: details from the file replace existing ones with the same label, and all others are kept.
 */
function mergedDetails(old: Details, now: Details): Details {
  const added = now.filter(({ label }) => !old.some((detail) => detail.label === label))
  return [...old.map((detail) => now.find(({ label }) => label === detail.label) ?? detail), ...added]
}

function changedLabels(
  { details, custom_values = {}, ...fields }: LeadValues,
  before: Match,
  custom: readonly CustomField[],
): string[] {
  const isNew = ({ label, value }: Details[number]) =>
    !before.details.some((old) => old.label === label && old.value === value)
  return [
    ...Object.keys(fields).map((field) => importTargets[field as ImportTarget]),
    ...custom
      .filter(({ id }) => id in custom_values && !isSame(custom_values[id], before.custom_values?.[id]))
      .map(({ name }) => name),
    ...(details ?? []).filter(isNew).map(({ label }) => label),
  ]
}
