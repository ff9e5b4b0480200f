import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { parse, type CsvError, type Info, type Options } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import { isPlainDate } from '#shared/dates.ts'
import { emailOrEmpty, isWebAddress } from '#shared/schemas.ts'

export interface FileRow {
  /** Line number in the file where the row starts; the header is line 1 unless something precedes it. */
  line: number
  cells: string[]
}
export interface CsvFile {
  headers: string[]
  rows: FileRow[]
}

/** Error for a file that is invalid as a whole. */
export class CsvRefused extends Error {
  override name = 'CsvRefused'
}

const mostRows = 100_000
const mostColumns = 100
const mostCellsOfRow = 1_000
const mostCells = 2_000_000
const longestRow = 500_000
const longestHeader = 200
const pieceBytes = 65_536
/** The start of the file is enough to detect the separator. */
const guessedFromBytes = 262_144

/**
 * Rows with too few or too many cells or with stray quotes don't fail the whole file; the row check rejects
 * them.
 */
const lenient = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  max_record_size: longestRow,
} satisfies Options

/**
 * Parses a CSV with a header: UTF-8 with or without BOM, separated by commas, semicolons, or tabs. There is
 * no time limit, so `readCsv` runs this in a separate thread.
 * @throws CsvRefused for anything else.
 */
export async function parseCsv(bytes: Buffer): Promise<CsvFile> {
  const text = withoutBom(bytes)
  refuseOtherThanText(text)
  refuseTooManyCells(text)
  const lines = new LineCounter(text)
  const rows: FileRow[] = []
  let cellCount = 0
  let headers: string[] | undefined
  const parser = parse({ ...lenient, delimiter: guessDelimiter(text), info: true })
  try {
    for await (const { record: cells, info } of Readable.from(pieces(text)).pipe(parser) as AsyncIterable<{
      record: string[]
      info: Info
    }>) {
      const line = lines.endingAt(info.bytes) - cells.reduce((breaks, cell) => breaks + breaksIn(cell), 0)
      if (!headers) headers = readHeaders(cells)
      else if ((cellCount += cells.length) > mostCells) throw tooManyCells()
      else if (cells.length > mostCellsOfRow)
        throw refused(
          `Line ${line} has ${cells.length.toLocaleString('en')} cells, but a file can have up to ${mostColumns} columns.`,
        )
      else if (rows.length === mostRows)
        throw refused(
          `The file has more than ${mostRows.toLocaleString('en')} rows. Split it into smaller files.`,
        )
      else rows.push({ line, cells })
    }
  } catch (error) {
    if ((error as CsvError).code === 'CSV_QUOTE_NOT_CLOSED')
      throw refused(
        `A quotation mark opened after line ${rows.at(-1)?.line ?? 1} is never closed. Close it and upload the file again.`,
      )
    if ((error as CsvError).code === 'CSV_MAX_RECORD_SIZE')
      throw refused(
        `The row after line ${rows.at(-1)?.line ?? 1} is longer than ${longestRow.toLocaleString('en')} characters. Shorten it and upload the file again.`,
      )
    throw error
  }
  if (!headers) throw refused('The file is empty. Its first line must contain the column names.')
  if (!rows.length) throw refused('The file has column names but no rows.')
  return { headers, rows }
}

const withoutBom = (bytes: Buffer) =>
  bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? bytes.subarray(3) : bytes

function refuseOtherThanText(bytes: Buffer): void {
  if (bytes.includes(0))
    throw refused(
      'This isn’t a valid CSV file: it contains NUL characters. In your spreadsheet app, save it as “CSV UTF-8”.',
    )
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refused('This file isn’t encoded in UTF-8. In your spreadsheet app, save it as “CSV UTF-8”.')
  }
}

const tooManyCells = () =>
  refused(`The file has more than ${mostCells.toLocaleString('en')} cells. Split it into smaller files.`)

const quote = 0x22
const separators = [0x2c, 0x3b, 0x09]

/**
 * Counts separators outside quotation marks before parsing and rejects files with too many cells: ten million
 * empty cells would take a gigabyte of memory.
 */
function refuseTooManyCells(bytes: Buffer): void {
  const counts = new Uint32Array(256)
  let isQuoted = false
  // By index: iterating over 10 MB takes four times as long.
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === quote) isQuoted = !isQuoted
    else if (!isQuoted) counts[byte]! += 1
  }
  if (separators.some((separator) => counts[separator]! > mostCells)) throw tooManyCells()
}

/**
 * Returns the delimiter that yields the most cells in the first rows, counting only rows with the same number
 * of cells as the header.
 */
function guessDelimiter(bytes: Buffer): string {
  const start = bytes.subarray(0, guessedFromBytes)
  const score = (delimiter: string) => {
    const found: string[][] = []
    try {
      parseAtOnce(start, {
        ...lenient,
        delimiter,
        to: 20,
        on_record: (row: string[]) => (found.push(row), null),
      })
    } catch {
      // The cut may leave a quotation mark open; the rows before it still count.
      if (start.length === bytes.length) return 0
    }
    const [header, ...rows] = found
    const columns = header?.length ?? 0
    return columns < 2 ? 0 : columns * (1 + rows.filter((row) => row.length === columns).length)
  }
  const best = [',', ';', '\t']
    .map((delimiter) => ({ delimiter, score: score(delimiter) }))
    .reduce((one, other) => (other.score > one.score ? other : one))
  // The file has a single column, so use a delimiter that won't appear in a name.
  return best.score === 0 ? '\t' : best.delimiter
}

/**
 * Returns the column names. An empty name is replaced with the column's number, and a repeated name gets the
 * number appended.
 */
function readHeaders(cells: string[]): string[] {
  if (cells.length > mostColumns)
    throw refused(`The file has more than ${mostColumns} columns. Remove some and upload it again.`)
  const names = cells.map((cell) => cell.trim())
  if (names.some((name) => name.length > longestHeader || /\p{Cc}/u.test(name)))
    throw refused('This isn’t a valid CSV file: its first line doesn’t contain column names.')
  if (names.some(looksLikeAValue))
    throw refused('The first line looks like data. Add a line with column names above it.')
  const isTaken = (name: string, index: number) => names.indexOf(name) < index
  return names.map((name, index) =>
    name === '' ? `Column ${index + 1}` : isTaken(name, index) ? `${name} (${index + 1})` : name,
  )
}

const looksLikeAValue = (cell: string) =>
  cell !== '' && (isPlainDate(cell) || isWebAddress(cell) || emailOrEmpty.safeParse(cell).success)

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield bytes.subarray(start, start + pieceBytes)
    // Allows the rows parsed so far to be read before an error at the end of the file discards them.
    await setImmediate()
  }
}

const refused = (text: string) => new CsvRefused(text)

const breaksIn = (text: string) => text.match(/\r\n|\n|\r/g)?.length ?? 0

/** Finds the line number for an offset in the file; csv-parse counts a CR LF within quotes twice. */
class LineCounter {
  readonly #bytes: Buffer
  #line = 1
  #counted = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /**
   * Returns the number of a row's last line, given the offset where the row ends, including its line break;
   * offsets must increase.
   */
  endingAt(end: number): number {
    for (; this.#counted < end; this.#counted += 1) {
      const byte = this.#bytes[this.#counted]
      if (byte === 0x0a || (byte === 0x0d && this.#bytes[this.#counted + 1] !== 0x0a)) this.#line += 1
    }
    const last = this.#bytes[end - 1]
    return last === 0x0a || last === 0x0d ? this.#line - 1 : this.#line
  }
}
