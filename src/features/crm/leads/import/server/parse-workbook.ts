import { unzipSync } from 'fflate'
import { InvalidInputError, InvalidSpreadsheetError, readSheet } from 'read-excel-file/universal'
import {
  assertSize,
  FileRefused,
  readHeaders,
  type FileRow,
  type TableFile,
} from '#features/crm/leads/import/server/table-file.ts'

/** Most bytes of XML in a workbook: a small file can unpack to gigabytes. */
const mostUnpacked = 200_000_000

type Cell = string | number | boolean | Date | null

/**
 * Reads the first sheet of a workbook (.xlsx): its first row that isn't empty has the column names. Each cell becomes the
 * text that a CSV would have: days as 2026-11-27, numbers with up to 15 digits, and of a formula its last result.
 * @throws FileRefused if it isn't a workbook, or is too large
 */
export async function parseWorkbook(bytes: Buffer): Promise<TableFile> {
  assertUnpackable(bytes)
  const rows = (await readRows(bytes)).flatMap((cells, index): FileRow[] =>
    cells.some((cell) => cell !== null) ? [{ line: index + 1, cells: cells.map(textOf) }] : [],
  )
  const [header, ...others] = rows
  if (!header) throw new FileRefused('The first sheet is empty. Its first row must contain the column names.')
  const headers = readHeaders(header.cells)
  if (!others.length) throw new FileRefused('The first sheet has column names but no rows.')
  assertSize({ rows: others.length, cells: others.length * headers.length })
  return { headers, rows: others }
}

const unreadable = 'This workbook can’t be read. Save it again as .xlsx, or as “CSV UTF-8”.'

/** Adds up the sizes that the archive declares, beyond which nothing is unpacked. */
function assertUnpackable(bytes: Buffer): void {
  let total = 0
  try {
    unzipSync(bytes, { filter: ({ originalSize }) => ((total += originalSize), false) })
  } catch {
    throw new FileRefused(unreadable)
  }
  if (total > mostUnpacked) throw new FileRefused('This workbook is too large. Split it into smaller files.')
}

async function readRows(bytes: Buffer): Promise<Cell[][]> {
  try {
    const input = Uint8Array.from(bytes).buffer
    // Numbers stay texts until `textOf`. The declared type of a cell has the class instead of a date.
    return (await readSheet(input, { parseNumber: Number })) as unknown as Cell[][]
  } catch (error) {
    if (error instanceof InvalidSpreadsheetError) throw new FileRefused(`${unreadable} (${error.message})`)
    if (error instanceof InvalidInputError) throw new FileRefused(unreadable)
    throw error
  }
}

function textOf(cell: Cell): string {
  if (cell === null) return ''
  if (cell instanceof Date) {
    const [day, time] = cell.toISOString().slice(0, 16).split('T')
    return time === '00:00' ? day! : `${day} ${time}`
  }
  // A spreadsheet shows 15 digits; more are the traces of its arithmetic.
  if (typeof cell === 'number') return String(Number(cell.toPrecision(15)))
  return typeof cell === 'boolean' ? String(cell).toUpperCase() : cell
}
