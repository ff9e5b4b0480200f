import { dayText } from '#shared/dates.ts'
import { byName } from '#shared/field.ts'
import { fullTime } from '#web/time.ts'

/** Label and format of a record's field, defined once for facts, history, conflicts, and forms. */
export interface FieldWords {
  label: string
  /** Formats a non-empty value; by default, a generic format is used. */
  words?: (value: unknown) => string
  /** Set for a field that means nothing to users, such as a row number; it is omitted from the history. */
  isHiddenInHistory?: true
  /** Words before and after the value, if a change of this field alone is what the action did to the record. */
  says?: readonly [string, string]
  /** Words before and after the value that the field had, if clearing it is what the action did. */
  saysCleared?: readonly [string, string]
}
export type RecordFields = Readonly<Record<string, FieldWords>>

export const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Returns a field's label; if there is none, the field's name split into words. */
export const labelOf = (fields: RecordFields, field: string): string =>
  fields[field]?.label ?? general[field] ?? inWords(field)

/** Formats a field's value for display. */
export function formatFieldValue(fields: RecordFields, field: string, value: unknown): string {
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

/** Formats the parts of a value with their names, as in `day 3 Mar 2026, hours 4`. */
const partsOf = (value: object): string =>
  Object.entries(value)
    .map(([name, part]) => `${inWords(name).toLowerCase()} ${formatFieldValue({}, name, part)}`)
    .join(', ')

/** Like `byName`, for entries with an ID and a name. */
export const byId = (entries: readonly { id: number; name: string }[]) =>
  byName(Object.fromEntries(entries.map(({ id, name }) => [id, name])))

/** Returns the fields with formats that depend on data, such as the names of a list's entries. */
export const withWords = <F extends RecordFields>(
  fields: F,
  words: { readonly [Name in keyof F]?: NonNullable<FieldWords['words']> },
): RecordFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      words[name] ? { ...field, words: words[name] } : field,
    ]),
  )

/** Fields that contain file IDs. */
export const fileFields: readonly string[] = ['file_ids', 'image_ids', 'icon_ids', 'pdf_ids', 'video_ids']

const general: Record<string, string> = {
  in_trash: 'In the trash',
  undone: 'Undone',
  redone: 'Redone',
  note: 'Note',
  edited_note: 'Note',
  deleted_note: 'Note',
  pinned_note: 'Note',
  unpinned_note: 'Note',
  file_ids: 'Files',
  image_ids: 'Image',
  icon_ids: 'Icon',
  pdf_ids: 'PDF file',
  video_ids: 'Video file',
  created_at: 'Created',
  updated_at: 'Updated',
}

function inWords(field: string): string {
  const words = field
    .replaceAll('_', ' ')
    .replace(/ id(s?)$/, '$1')
    .replaceAll(/([a-z])([A-Z])/g, (_, end: string, begin: string) => `${end} ${begin.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
