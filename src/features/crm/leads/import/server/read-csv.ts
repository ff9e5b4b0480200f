import { setImmediate } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { parse, type CsvError, type Info, type Options } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import { isPlainDate } from '#shared/dates.ts'
import { emailOrEmpty, isWebAddress } from '#shared/fields.ts'
import { invalid } from '#server/http/errors.ts'

export interface FileRow {
  /** On which line of the file the row begins; the header is line 1 when nothing stands above it. */
  line: number
  cells: string[]
}
export interface CsvFile {
  headers: string[]
  rows: FileRow[]
}

const mostRows = 100_000
const mostColumns = 100
const longestHeader = 200
/** So much is parsed at once; between two pieces other requests have their turn. */
const pieceBytes = 65_536

/** A row may have too few or too many cells, and quotes in the middle of one: that is for the check of the row, not the end of the file. */
const lenient = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
} satisfies Options

/**
 * Reads a CSV with a header: UTF-8 with or without BOM, separated by commas, semicolons or tabs.
 * @throws HttpError 422 on the field `file` when it is something else.
 */
export async function readCsv(bytes: Buffer): Promise<CsvFile> {
  const text = withoutBom(bytes)
  refuseOtherThanText(text)
  const lines = new LineCounter(text)
  const rows: FileRow[] = []
  let headers: string[] | undefined
  const parser = parse({ ...lenient, delimiter: guessDelimiter(text), info: true })
  try {
    for await (const { record: cells, info } of Readable.from(pieces(text)).pipe(parser) as AsyncIterable<{ record: string[]; info: Info }>) {
      const line = lines.endingAt(info.bytes) - cells.reduce((breaks, cell) => breaks + breaksIn(cell), 0)
      if (!headers) headers = readHeaders(cells)
      else if (rows.length === mostRows) throw invalid('file', `A file has at most ${mostRows.toLocaleString('en')} rows; please split it.`)
      else rows.push({ line, cells })
    }
  } catch (error) {
    if ((error as CsvError).code === 'CSV_QUOTE_NOT_CLOSED') throw invalid('file', `A quotation mark after line ${rows.at(-1)?.line ?? 1} is never closed.`)
    throw error
  }
  if (!headers) throw invalid('file', 'The file is empty: its first line must name the columns.')
  if (!rows.length) throw invalid('file', 'The file has no rows below its first line, which names the columns.')
  return { headers, rows }
}

const withoutBom = (bytes: Buffer) => (bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? bytes.subarray(3) : bytes)

function refuseOtherThanText(bytes: Buffer): void {
  if (bytes.includes(0)) throw invalid('file', 'This is not a CSV: it holds NUL characters. In a spreadsheet, save as “CSV UTF-8”.')
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('file', 'This is not a CSV in UTF-8. In a spreadsheet, save as “CSV UTF-8”.')
  }
}

/** The separator with which the first rows have as many cells as the header, and the most of them. */
function guessDelimiter(bytes: Buffer): string {
  const score = (delimiter: string) => {
    try {
      const [header, ...rows] = parseAtOnce(bytes, { ...lenient, delimiter, to: 20 })
      const columns = header?.length ?? 0
      return columns < 2 ? 0 : columns * (1 + rows.filter((row) => row.length === columns).length)
    } catch {
      return 0
    }
  }
  const best = [',', ';', '\t'].map((delimiter) => ({ delimiter, score: score(delimiter) })).reduce((one, other) => (other.score > one.score ? other : one))
  // One column: what separates is what stands in no name.
  return best.score === 0 ? '\t' : best.delimiter
}

/** The names of the columns; one without a name gets its number, and one whose name stands there already gets a number to it. */
function readHeaders(cells: string[]): string[] {
  if (cells.length > mostColumns) throw invalid('file', `A file has at most ${mostColumns} columns.`)
  const names = cells.map((cell) => cell.trim())
  if (names.some((name) => name.length > longestHeader || /\p{Cc}/u.test(name)))
    throw invalid('file', 'This is not a CSV: its first line does not name columns.')
  if (names.some(looksLikeAValue)) throw invalid('file', 'The first line must name the columns; here it looks like a row already.')
  const isTaken = (name: string, index: number) => names.indexOf(name) < index
  return names.map((name, index) => (name === '' ? `Column ${index + 1}` : isTaken(name, index) ? `${name} (${index + 1})` : name))
}

const looksLikeAValue = (cell: string) => cell !== '' && (isPlainDate(cell) || isWebAddress(cell) || emailOrEmpty.safeParse(cell).success)

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield bytes.subarray(start, start + pieceBytes)
    await setImmediate()
  }
}

const breaksIn = (text: string) => text.match(/\r\n|\n|\r/g)?.length ?? 0

/** Finds the line of a place in the file; csv-parse counts a line break within quotes twice when it is CR LF. */
class LineCounter {
  readonly #bytes: Buffer
  #line = 1
  #counted = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The last line of a row that ends, with its line break, at a place; each row must be behind the one before. */
  endingAt(end: number): number {
    for (; this.#counted < end; this.#counted += 1) {
      const byte = this.#bytes[this.#counted]
      if (byte === 0x0a || (byte === 0x0d && this.#bytes[this.#counted + 1] !== 0x0a)) this.#line += 1
    }
    const last = this.#bytes[end - 1]
    return last === 0x0a || last === 0x0d ? this.#line - 1 : this.#line
  }
}
