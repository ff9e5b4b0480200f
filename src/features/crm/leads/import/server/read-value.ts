import { offeredZones } from '#shared/zones.ts'
import {
  customFieldOf,
  isCustomTarget,
  type ColumnTarget,
  type ImportMapping,
  type ImportTarget,
} from '#features/crm/leads/import/mapping.contract.ts'
import { readCustomValue, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import { billings, demoStates, leadTypes } from '#features/crm/leads/rules.ts'
import type { Choices } from '#features/crm/leads/record/server/choices.queries.ts'

/* Cells that name an entry of a list: a status, a person, tags. */

export interface Person {
  id: number
  name: string
  email: string
  is_active: boolean
}
interface Named {
  id: number
  name: string
}

/** The entries that the cells of a file can name. */
export type Lists = Choices & {
  custom_fields: readonly CustomField[]
  people: readonly Person[]
  priorities: readonly Named[]
  all_tags: readonly Named[]
}

export type ReadValue = { value: unknown } | { error: string } | { unknown_person: string }

const isSameText = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Returns the code of the entry with this name or code, or else what is wrong. */
function codeIn(entries: readonly (readonly [string, string])[], cell: string, what: string): ReadValue {
  const found = entries.find(([code, name]) => code === cell || isSameText(name, cell))
  return found ? { value: found[0] } : { error: `The ${what} “${cell}” doesn’t exist.` }
}

const byId = (entries: readonly Named[]) => entries.map(({ id, name }) => [String(id), name] as const)

/** Returns the admin user with this name, email address, or ID; those who are banned only if no one else has the name. */
function readPerson(people: readonly Person[], cell: string): ReadValue {
  const wanted = cell.replaceAll(/\s+/g, ' ')
  if (isSameText(wanted, 'Unassigned')) return { value: null }
  const found = people.filter(
    ({ id, name, email }) => isSameText(name, wanted) || isSameText(email, wanted) || wanted === `#${id}`,
  )
  const active = found.filter(({ is_active }) => is_active)
  const chosen = active.length > 0 ? active : found
  if (chosen.length > 1)
    return { error: `Several admin users have the name “${cell}”. Use the email address.` }
  return chosen[0] ? { value: chosen[0].id } : { unknown_person: cell }
}

/** Returns the names in a cell, which commas or semicolons separate; a known name can have these in it. */
export function splitNames(cell: string, known: readonly string[]): string[] {
  const whole = known.filter((name) => /[;,]/.test(name) && cell.toLowerCase().includes(name.toLowerCase()))
  const found: string[] = []
  let rest = cell
  for (const name of whole) {
    const at = rest.toLowerCase().indexOf(name.toLowerCase())
    if (at === -1) continue
    found.push(name)
    rest = `${rest.slice(0, at)},${rest.slice(at + name.length)}`
  }
  for (const part of rest.split(/[;,]/)) {
    const name = part.trim()
    const entry = known.find((one) => isSameText(one, name)) ?? name
    if (name !== '' && !found.some((one) => isSameText(one, name))) found.push(entry)
  }
  return found
}

/** Returns the entry with this name in the spelling of its list, or the name itself. */
const inList = (names: readonly string[], cell: string): ReadValue => ({
  value: names.find((name) => isSameText(name, cell)) ?? cell,
})

function readStatus(cell: string, { statuses }: Lists): ReadValue {
  const found = statuses.find(({ name }) => isSameText(name, cell))?.id
  if (found === undefined && !/^\d+$/.test(cell)) return { error: `The status “${cell}” doesn’t exist.` }
  return { value: found ?? cell }
}

function readBilling(cell: string): ReadValue {
  const found = Object.entries(billings).find(
    ([code, name]) => isSameText(code, cell) || isSameText(name, cell),
  )
  return { value: found?.[0] ?? cell }
}

const readers: { readonly [Target in ImportTarget]?: (cell: string, lists: Lists) => ReadValue } = {
  status: readStatus,
  color: (cell, { priorities }) => codeIn(byId(priorities), cell, 'priority'),
  assign_to: (cell, { people }) => readPerson(people, cell),
  lead_type: (cell) => codeIn(Object.entries(leadTypes), cell, 'type'),
  demo_status: (cell) => codeIn(Object.entries(demoStates), cell, 'demo status'),
  services: (cell, { services }) => inList(services, cell),
  hear_about: (cell, { sources }) => inList(sources, cell),
  cog_types: (cell, { cog_types }) => ({ value: splitNames(cell, cog_types) }),
  timezone: (cell) => inList(offeredZones, cell),
  recurring: readBilling,
}

/** Returns the value that a cell names, or the cell itself for a field without a list. */
export const readListed = (target: ImportTarget, cell: string, lists: Lists): ReadValue =>
  readers[target]?.(cell, lists) ?? { value: cell }

/** Returns whether a field takes an entry of a list, and a cell is none of its entries. */
export function isUnknownWord(target: ColumnTarget, cell: string, lists: Lists): boolean {
  if (isCustomTarget(target)) {
    const field = customFieldOf(target, lists.custom_fields)
    const isListed = field?.type === 'choice' || field?.type === 'yes_no'
    return isListed && 'error' in readCustomValue(field, cell)
  }
  if (target === 'services') return !lists.services.some((name) => isSameText(name, cell))
  if (target === 'hear_about') return !lists.sources.some((name) => isSameText(name, cell))
  const isListed = ['status', 'color', 'lead_type', 'demo_status'].includes(target)
  return isListed && 'error' in readListed(target, cell, lists)
}

/** Returns the entry that a word of the file means by the mapping, empty if it is left out, or else the cell. */
export const entryMeant = ({ words = [] }: ImportMapping, target: ColumnTarget, cell: string): string =>
  words.find(({ field, word }) => field === target && isSameText(word, cell))?.entry ?? cell
