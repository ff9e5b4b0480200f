import { dayText, fullTime } from '#web/time.ts'

/** How a field of a record is called and read, said once: facts, history, conflicts and forms show it by this. */
export interface FieldWords {
  label: string
  /** A value that is there, as people say it; absent: as it reads. */
  words?: (value: unknown) => string
  /** Says nothing to people, as the number of a row: the history leaves it out. */
  isUntold?: true
}
export type RecordFields = Readonly<Record<string, FieldWords>>

export const isNothing = (value: unknown): boolean => value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** The label of a field; of one that nobody named, its name in words. */
export const labelOf = (fields: RecordFields, field: string): string => fields[field]?.label ?? general[field] ?? inWords(field)

/** A value of a field as people say it. */
export function wordsFor(fields: RecordFields, field: string, value: unknown): string {
  if (isNothing(value)) return 'nothing'
  const words = fields[field]?.words
  if (words) return words(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return dayText(value)
    if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/.test(value)) return fullTime(value)
    return value.replaceAll(/<[^>]*>/g, ' ').trim() || 'nothing'
  }
  const list = Array.isArray(value) ? value : [value]
  return list.map((one) => (typeof one === 'object' && one !== null ? partsOf(one) : String(one))).join(', ')
}

/** What a value has inside, each part by its name: `day 3 Mar 2026, hours 4`. */
const partsOf = (value: object): string =>
  Object.entries(value)
    .map(([name, part]) => `${inWords(name).toLowerCase()} ${wordsFor({}, name, part)}`)
    .join(', ')

/** Reads codes by a table or list of names: `byName({ 1: 'Active' })`. */
export const byName =
  (names: Readonly<Record<number | string, string>>) =>
  (value: unknown): string =>
    (Array.isArray(value) ? value : [value]).map((one) => names[one as string] ?? `#${String(one)}`).join(', ')

/** The same of entries with id and name. */
export const byId = (entries: readonly { id: number; name: string }[]) => byName(Object.fromEntries(entries.map(({ id, name }) => [id, name])))

const general: Record<string, string> = { in_trash: 'In the trash', note: 'Note', created_at: 'Created', updated_at: 'Updated' }

function inWords(field: string): string {
  const words = field
    .replaceAll('_', ' ')
    .replace(/ id(s?)$/, '$1')
    .replaceAll(/([a-z])([A-Z])/g, (_, end: string, begin: string) => `${end} ${begin.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
