import { isPlainDate } from '#shared/dates.ts'
import { emailOrEmpty, isWebAddress } from '#shared/schemas.ts'
import { withoutApostrophe } from '#server/files/csv.ts'

/* The common form of the files of an import: names of columns, and rows of cells. */

export interface FileRow {
  /** Line number in the file where the row starts; the header is line 1 unless something precedes it. */
  line: number
  cells: string[]
}
export interface TableFile {
  headers: string[]
  rows: FileRow[]
}

/** Returns the value of a cell, which is empty if the cell is blank. */
export const readCell = (cell: string): string => withoutApostrophe(cell.trim())

/** Error for a file that is invalid as a whole. */
export class FileRefused extends Error {
  override name = 'FileRefused'
}

export const mostColumns = 100
const mostRows = 100_000
export const mostCells = 2_000_000
const longestHeader = 200

const number = (value: number) => value.toLocaleString('en')

/** @throws FileRefused for more rows or cells than an import can have */
export function assertSize({ rows, cells }: { rows: number; cells: number }): void {
  if (rows > mostRows)
    throw new FileRefused(`The file has more than ${number(mostRows)} rows. Split it into smaller files.`)
  if (cells > mostCells)
    throw new FileRefused(`The file has more than ${number(mostCells)} cells. Split it into smaller files.`)
}

/**
 * Returns the column names. An empty name is replaced with the column's number, and a repeated name gets the
 * number appended.
 * @throws FileRefused if the cells aren't names
 */
export function readHeaders(cells: readonly string[]): string[] {
  if (cells.length > mostColumns)
    throw new FileRefused(`The file has more than ${mostColumns} columns. Remove some and upload it again.`)
  const names = cells.map((cell) => cell.trim())
  if (names.some((name) => name.length > longestHeader || /\p{Cc}/u.test(name)))
    throw new FileRefused('This isn’t a valid CSV file: its first line doesn’t contain column names.')
  if (names.some(looksLikeAValue))
    throw new FileRefused('The first line looks like data. Add a line with column names above it.')
  const isTaken = (name: string, index: number) => names.indexOf(name) < index
  return names.map((name, index) =>
    name === '' ? `Column ${index + 1}` : isTaken(name, index) ? `${name} (${index + 1})` : name,
  )
}

const looksLikeAValue = (cell: string) =>
  cell !== '' && (isPlainDate(cell) || isWebAddress(cell) || emailOrEmpty.safeParse(cell).success)
