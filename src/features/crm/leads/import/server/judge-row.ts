import { truncate } from '#shared/truncate.ts'
import type { ImportedLead, ImportOutcome } from '#features/crm/leads/import/contract.ts'
import { importTargets, type ImportTarget } from '#features/crm/leads/import/mapping.contract.ts'
import type { CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import { besideKnown, isNoOne, primaryOf, type Person } from '#features/crm/leads/contacts/rules.ts'
import type { LockedImport } from '#features/crm/leads/import/server/import.queries.ts'
import {
  alikeKeys,
  whyPossibleDuplicate,
  type Alike,
} from '#features/crm/leads/import/server/possible-duplicates.ts'
import type { ReadRow, Unknown } from '#features/crm/leads/import/server/read-row.ts'
import type { Lists } from '#features/crm/leads/import/server/read-value.ts'
import { whyNotSet } from '#features/crm/leads/rules.ts'
import { findUnknown, type Choices } from '#features/crm/leads/record/server/choices.queries.ts'
import type { LeadValues } from '#features/crm/leads/record/server/lead-columns.ts'
import { zoneOf } from '#server/zone-of.ts'
import { isSame } from '#server/record/values.ts'

/** An existing lead with the same key as a row. */
export type Match = Pick<ImportedLead, 'details'> &
  LeadValues & {
    lead_id: number
    version: number
    status: number
    tag_ids: number[]
    organization_id: number | null
    line: number | null
    /** Why a row can't change the lead with its number, or give it its external ID. */
    refusal?: string | null
  }

/** The permissions of the importer, and the values that new leads get. */
export type Importer = Pick<LockedImport, 'mapping' | 'may_edit' | 'may_prioritize' | 'zone'>

export interface Judgement extends Unknown {
  line: number
  outcome: ImportOutcome
  reason: string
  lead_id: number | null
  /** The values to write, if the row creates or updates a lead. */
  values?: LeadValues
  /** Names of tags that the lead gets, and that don't exist yet. */
  new_tags?: string[] | undefined
  /** Another contact of a lead that the row creates. */
  contact?: Person | undefined
  /** The current state of the lead, if the row updates one. */
  before?: Match
  /** Whether the row may be the same as another lead, or as an earlier row. */
  is_possible_duplicate?: boolean
}

/** The leads that were found for a row. */
export interface Found {
  /** The product's lead with the row's key. */
  match: Match | undefined
  /** The row’s possible duplicates. */
  alike: Alike | undefined
}

/**
 * Decides what happens to a row.
 * @param earlier line numbers of the previously judged rows, by key; the function adds this row
 */
export function judgeRow(
  line: number,
  row: ReadRow,
  { match, alike }: Found,
  importer: Importer,
  lists: Lists,
  earlier: Map<string, number>,
): Judgement {
  const { lead, unknown_person, unknown_words = [] } = row
  const outcome = (
    name: ImportOutcome,
    reason: string,
    rest: Omit<Partial<Judgement>, 'line'> = {},
  ): Judgement => ({
    line,
    outcome: name,
    reason,
    lead_id: match?.lead_id ?? null,
    unknown_person,
    unknown_words,
    ...rest,
  })
  if (!lead) return outcome('error', row.error)
  const refusal = whyNotRow(lead, match)
  if (refusal) return outcome('error', refusal, { lead_id: null })
  const sameAs =
    match?.line ??
    keysOf(lead)
      .map((key) => earlier.get(key))
      .find((at) => at !== undefined)
  if (sameAs !== undefined)
    return outcome('duplicate', `Line ${sameAs} of this file has the same ${keyName(lead)}.`)
  const addKeys = () => {
    for (const key of [
      ...keysAfter(lead, match),
      ...alikeKeys(lead, alike, lead.reference ?? match?.reference ?? null),
    ])
      if (!earlier.has(key)) earlier.set(key, line)
  }
  if (match) {
    addKeys()
    const { values, new_tags } = changesOf(lead, match)
    const hasKey = lead.number !== undefined || lead.reference !== undefined
    if (!hasKey) return outcome('duplicate', 'A lead with this company name and email already exists.')
    if (Object.keys(values).length === 0)
      return outcome('duplicate', `A lead with this ${keyName(lead)} already exists with the same values.`)
    const whyNot = importer.may_edit
      ? whyNotValues(values, new_tags, importer, lists)
      : `A lead with this ${keyName(lead)} already exists, and you don’t have permission to edit leads.`
    if (whyNot) return outcome('error', whyNot)
    const labels = changedLabels(values, match, lists.custom_fields).join(', ')
    const reason = sentences(`Updates ${labels}.`, unknownText(unknown_person, lead, lists))
    return outcome('update', reason, { values, new_tags, before: match })
  }
  const { values, contact, new_tags } = newLead(lead, importer)
  const whyNot = whyNotValues({ ...values, color: values.color || undefined }, new_tags, importer, lists)
  if (whyNot) return outcome('error', whyNot)
  const like = whyPossibleDuplicate(lead, alike, earlier)
  const is_possible_duplicate = like !== undefined
  if (is_possible_duplicate && importer.mapping.possible_duplicates !== 'import')
    return outcome('duplicate', like, { is_possible_duplicate })
  addKeys()
  const reason = sentences(like, unknownText(unknown_person, lead, lists))
  return outcome('create', reason, { values, contact, new_tags, is_possible_duplicate })
}

const sentences = (...parts: readonly (string | undefined)[]) => parts.filter(Boolean).join(' ')

/** Returns why a row can neither create nor change a lead. */
function whyNotRow(lead: ImportedLead, match: Match | undefined): string | undefined {
  if (lead.status !== undefined && lead.status !== match?.status) {
    const why = whyNotSet(lead.status)
    if (why) return `${importTargets.status}: ${why}`
  }
  const refusal =
    lead.number !== undefined && !match ? `No lead has the number ${lead.number}.` : match?.refusal
  return refusal ?? incompleteAmount({ ...match, ...lead })
}

/** Returns why values can't be stored: a permission that the importer lacks, or entries that no list has. */
function whyNotValues(
  values: LeadValues,
  new_tags: readonly string[],
  { may_edit, may_prioritize }: Importer,
  lists: Lists,
): string | undefined {
  if (values.color !== undefined && !may_prioritize)
    return `${importTargets.color}: You don’t have permission to set a lead’s priority.`
  if (new_tags.length > 0 && !may_edit)
    return `${importTargets.tag_ids}: The tag “${new_tags[0]}” doesn’t exist, and you don’t have permission to create it.`
  const unknown = Object.entries(findUnknown(lists, values))
  return unknown.length === 0
    ? undefined
    : unknown.map(([field, [text]]) => `${importTargets[field as ImportTarget]}: ${text}`).join(' ')
}

/** Says what became of an assignee that no admin user is. */
function unknownText(
  unknown: string | undefined,
  { assign_to }: ImportedLead,
  { people }: Lists,
): string | undefined {
  if (unknown === undefined) return undefined
  const name = people.find(({ id }) => id === assign_to)?.name
  return `No admin user is “${truncate(unknown, 100)}”: ${name ? `assigned to ${name}` : 'unassigned'}.`
}

/** Returns the tags of a row, and those that don't exist yet. */
function tagsOf(
  { tag_ids, added_tags, new_tags = [] }: ImportedLead,
  kept: readonly number[],
): { tag_ids: number[] | undefined; new_tags: string[] } {
  const isSet = tag_ids !== undefined || added_tags !== undefined || new_tags.length > 0
  const ids = isSet ? [...new Set([...(tag_ids ?? kept), ...(added_tags ?? [])])] : undefined
  return { tag_ids: ids, new_tags: [...new Set(new_tags)] }
}

/** Returns the values that a row changes on its lead. */
function changesOf(lead: ImportedLead, match: Match): { values: LeadValues; new_tags: string[] } {
  const { contact: _, ...given } = withContact({ ...lead, contactName: nameWith(lead, match) })
  const { tag_ids, new_tags } = tagsOf(lead, match.tag_ids ?? [])
  const values: LeadValues = {
    ...given,
    tag_ids,
    details: mergedDetails(match.details, lead.details),
    custom_values: lead.custom_values && { ...match.custom_values, ...lead.custom_values },
  }
  const isChanged = (field: string, value: unknown) =>
    (field === 'tag_ids' && new_tags.length > 0) || !isSame(value, match[field as keyof typeof match])
  const changes = Object.entries(values).filter(
    ([field, value]) => value !== undefined && isChanged(field, value),
  )
  return { values: Object.fromEntries(changes), new_tags }
}

/** Returns the name of the contact with the part that a row has; the part without a value stays as it is. */
function nameWith(
  { contactName, first_name, last_name }: ImportedLead,
  { contactName: before = '' }: Match,
): string | undefined {
  if ((first_name === undefined) === (last_name === undefined)) return contactName
  const [first = '', ...rest] = before.split(/\s+/).filter(Boolean)
  return truncate([first_name ?? first, last_name ?? rest.join(' ')].filter(Boolean).join(' '), 200)
}

/** Returns the values of the lead that a row creates. */
function newLead(lead: ImportedLead, { zone, mapping }: Importer) {
  const { contact, ...given } = withContact(lead)
  const { tag_ids, new_tags } = tagsOf(lead, [])
  const values: LeadValues = {
    ...given,
    ...(tag_ids ? { tag_ids } : {}),
    lead_type: lead.lead_type ?? mapping.lead_type,
    timezone: lead.timezone ?? zoneOf(lead)?.zone ?? zone,
  }
  return { values, contact, new_tags }
}

/** Separates the second contact of a row, unless it is the first one again, from the fields of the lead. */
function withContact(
  lead: ImportedLead,
): Omit<LeadValues, 'details'> & Pick<ImportedLead, 'details'> & { contact: Person | undefined } {
  const {
    contact2_name,
    contact2_role,
    contact2_email,
    contact2_phone,
    number: _number,
    first_name: _first,
    last_name: _last,
    added_tags: _added,
    new_tags: _new,
    ...given
  } = lead
  const { contactName = '', email = '', phone = '' } = lead
  const contact = {
    name: contact2_name ?? '',
    role: contact2_role ?? '',
    email: contact2_email ?? '',
    phone: contact2_phone ?? '',
  }
  const first = primaryOf({ contactName, contact_role: '', email, phone })
  return { ...given, contact: isNoOne(contact) ? undefined : besideKnown(contact, [first]) }
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
const byName = ({ companyName = '', email = '' }: Pick<ImportedLead, 'companyName' | 'email'>) =>
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
