import { ImportedLead, importTargets, type ImportOutcome, type ImportTarget } from '#features/crm/leads/import/contract.ts'
import { whyNotSet } from '#features/crm/leads/rules.ts'
import { findUnknown, type Choices } from '#features/crm/leads/record/server/choices.queries.ts'
import type { LeadValues } from '#features/crm/leads/record/server/lead-columns.ts'
import { differing } from '#features/crm/leads/record/server/leads.queries.ts'

export type ReadRow = { lead: ImportedLead; error?: undefined } | { lead?: undefined; error: string }

/** A row of the file as a lead, or in words why it is none. A blank cell says nothing of its field; details stay exactly as they stand. */
export function readRow(cells: readonly string[], headers: readonly string[], columns: readonly ImportTarget[], choices: Choices): ReadRow {
  if (cells.length !== headers.length) return { error: `This row has ${cells.length} of the ${headers.length} cells that the first line of the file names.` }
  const fields: Record<string, unknown> = { companyName: '' }
  const details: ImportedLead['details'] = []
  for (const [index, cell] of cells.entries()) {
    const target = columns[index]!
    if (target === 'skip' || cell.trim() === '') continue
    if (target === 'detail') details.push({ label: headers[index]!, value: cell })
    else {
      fields[target] = asListed(target, cell.trim(), choices)
      if (target === 'status' && !/^\d+$/.test(String(fields[target])))
        return { error: `${importTargets.status}: There is no status called “${cell.trim().slice(0, 100)}”.` }
    }
  }
  const parsed = ImportedLead.safeParse({ ...fields, details })
  if (!parsed.success) return { error: parsed.error.issues.map(({ path, message }) => `${labelOf(path, details)}: ${message}`).join(' ') }
  const unknown = Object.entries(findUnknown(choices, parsed.data))
  if (unknown.length) return { error: unknown.map(([field, [text]]) => `${importTargets[field as ImportTarget]}: ${text}`).join(' ') }
  return { lead: parsed.data }
}

/** A word of a list as it stands in the list, whatever its case; a status by its name or its number. */
function asListed(target: ImportTarget, cell: string, choices: Choices): string | number {
  const isIt = (name: string) => name.toLowerCase() === cell.toLowerCase()
  if (target === 'status') return choices.statuses.find(({ name }) => isIt(name))?.id ?? cell
  if (target === 'services') return choices.services.find(isIt) ?? cell
  if (target === 'hear_about') return choices.sources.find(isIt) ?? cell
  return cell
}

const labelOf = ([field, index]: readonly PropertyKey[], details: ImportedLead['details']) =>
  field === 'details' ? details[Number(index)]!.label : importTargets[field as ImportTarget]

/** A lead that is there already and has a row's key. */
export type Match = Pick<ImportedLead, 'details'> & LeadValues & { lead_id: number; version: number; status: number; line: number | null }

export interface Judgement {
  line: number
  outcome: ImportOutcome
  reason: string
  lead_id: number | null
  /** What is written, for a row that creates or updates. */
  values?: LeadValues
  /** The lead that an update changes, as it is now. */
  before?: Match
}

/**
 * What becomes of a row.
 * @param match the lead of the product with the row's key
 * @param mayEdit whether the importer may change leads that are there
 * @param earlier the lines of the file, by key, of rows that were judged before; the row adds its own
 */
export function judgeRow(line: number, { lead, error }: ReadRow, match: Match | undefined, mayEdit: boolean, earlier: Map<string, number>): Judgement {
  if (!lead) return { line, outcome: 'error', reason: error, lead_id: null }
  if (lead.status !== undefined && lead.status !== match?.status) {
    const why = whyNotSet(lead.status)
    if (why) return { line, outcome: 'error', reason: `${importTargets.status}: ${why}`, lead_id: null }
  }
  const duplicate = (reason: string): Judgement => ({ line, outcome: 'duplicate', reason, lead_id: match?.lead_id ?? null })
  const hasKey = lead.reference !== undefined
  const sameAs = match?.line ?? earlier.get(keyOf(lead))
  if (sameAs !== undefined) return duplicate(`Line ${sameAs} of this file has the same ${hasKey ? 'key' : 'company name and e-mail'}.`)
  for (const key of keysAfter(lead, match)) if (!earlier.has(key)) earlier.set(key, line)
  if (!match) return { line, outcome: 'create', reason: '', lead_id: null, values: lead }
  if (!hasKey) return duplicate('There is a lead with this company name and e-mail.')
  const changes = differing(match, { ...lead, details: mergedDetails(match.details, lead.details) })
  if (!Object.keys(changes).length) return duplicate('There is a lead with this key, and nothing differs.')
  if (!mayEdit) return { line, outcome: 'error', reason: 'There is a lead with this key, and you are not allowed to edit leads.', lead_id: match.lead_id }
  return { line, outcome: 'update', reason: `Changes ${changedLabels(changes, match).join(', ')}.`, lead_id: match.lead_id, values: changes, before: match }
}

const byReference = (reference: string) => `reference ${reference}`
const byName = ({ companyName, email = '' }: { companyName: string; email?: string | undefined }) =>
  `company ${companyName.toLowerCase()}\n${email.toLowerCase()}`

/** What a row is looked for by. */
const keyOf = (lead: ImportedLead) => (lead.reference === undefined ? byName(lead) : byReference(lead.reference))

/** What later rows find a row's lead by once it is stored; a lead with a key is found by its name too. */
const keysAfter = (lead: ImportedLead, match: Match | undefined) => [
  ...(lead.reference === undefined ? [] : [byReference(lead.reference)]),
  byName({ ...match, ...lead }),
]

type Details = ImportedLead['details']

/** The details of a lead with those of a file in the place of the old ones of the same name; the others stay. */
function mergedDetails(old: Details, now: Details): Details {
  const added = now.filter(({ label }) => !old.some((detail) => detail.label === label))
  return [...old.map((detail) => now.find(({ label }) => label === detail.label) ?? detail), ...added]
}

function changedLabels({ details, ...fields }: LeadValues, before: Match): string[] {
  const isNew = ({ label, value }: Details[number]) => !before.details.some((old) => old.label === label && old.value === value)
  return [...Object.keys(fields).map((field) => importTargets[field as ImportTarget]), ...(details ?? []).filter(isNew).map(({ label }) => label)]
}
