import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { parse, type CsvError, type Info, type Options } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import {
  assertSize,
  FileRefused,
  mostColumns,
  readHeaders,
  type FileRow,
  type TableFile,
} from '#features/crm/leads/import/server/table-file.ts'

const mostCellsOfRow = 1_000
const longestRow = 500_000
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
 * Parses a CSV with a header, in UTF-8 without a byte order mark, separated by commas, semicolons, or tabs.
 * @throws FileRefused for anything else
 */
export async function parseCsv(text: Buffer): Promise<TableFile> {
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
      if (!headers) {
        headers = readHeaders(cells)
        continue
      }
      if (cells.length > mostCellsOfRow)
        throw refused(
          `Line ${line} has ${cells.length.toLocaleString('en')} cells, but a file can have up to ${mostColumns} columns.`,
        )
      assertSize({ rows: rows.length + 1, cells: (cellCount += cells.length) })
      rows.push({ line, cells })
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
  assertSize({ rows: 0, cells: Math.max(...separators.map((separator) => counts[separator]!)) })
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

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield bytes.subarray(start, start + pieceBytes)
    // Allows the rows parsed so far to be read before an error at the end of the file discards them.
    await setImmediate()
  }
}

const refused = (text: string) => new FileRefused(text)

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
