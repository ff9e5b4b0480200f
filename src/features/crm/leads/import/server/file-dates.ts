import { addDays, type PlainDate } from '#shared/dates.ts'
import { dateWords, shownOrder, writtenDay, type DateOrder } from '#shared/written-date.ts'
import type { DateForm } from '#features/crm/leads/import/mapping.contract.ts'
import { readCell, type FileRow } from '#features/crm/leads/import/server/table-file.ts'

/** A day as a spreadsheet's number, perhaps with a time: 1927 through 2173, so that no year is one. */
const serialPattern = /^\d{5}(?:\.\d+)?$/
/** Day 0 of the numbers of spreadsheets, for days after February 1900. */
const serialStart = '1899-12-30'

const timePattern =
  /(?:t| )\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]m)?(?: ?(?:z|utc|gmt|[+-]\d{2}:?\d{2}))?$/

const wordsOf = (cell: string) => dateWords(cell).replace(timePattern, '').trim()

/** Returns the form of each column's days, over all rows of a file; null where they leave no choice. */
export function dateFormsOf(columns: number, rows: readonly Pick<FileRow, 'cells'>[]): (DateForm | null)[] {
  const found = Array.from({ length: columns }, () => new Set<string>())
  for (const { cells } of rows)
    for (const [index, raw] of cells.entries()) {
      const cell = readCell(raw)
      if (cell === '' || cell.length > longestDate) continue
      found[index]?.add(serialPattern.test(cell) ? 'serial' : (shownOrder(wordsOf(cell)) ?? 'plain'))
    }
  return found.map(formOf)
}

/** No written date is longer; longer cells are not searched for one. */
const longestDate = 40

function formOf(found: ReadonlySet<string>): DateForm | null {
  if (found.has('serial') && found.size === 1) return 'serial'
  if (!found.has('either')) return null
  if (found.has('day') === found.has('month')) return 'unclear'
  return found.has('day') ? 'day' : 'month'
}

/** Returns whether a cell names a day, whatever its order of day and month is. */
export const isDay = (cell: string): boolean =>
  cell.length <= longestDate && readDate(cell, null, 'day') !== undefined

/**
 * Returns the day that a cell names; its time is dropped, whatever its time zone. Undefined if the cell names
 * none, or if its order of day and month is needed and not given.
 */
export function readDate(
  cell: string,
  form: DateForm | null | undefined,
  order: DateOrder | null | undefined,
): PlainDate | undefined {
  if (serialPattern.test(cell))
    return form === 'serial' ? addDays(serialStart, Math.floor(Number(cell))) : undefined
  const words = wordsOf(cell)
  if (shownOrder(words) === 'either' && !order) return undefined
  return writtenDay(words, order ?? 'day')
}
